import { constants, setPriority } from 'node:os'
import { DIMENSIONS, type Encoder, ModelMissing, openEncoder, passesSelfTest } from '@groundswell/encoder/index.ts'
import type { ChildMessage, ChildOptions, EncodeRequest } from './protocol.ts'

/** The encoder's process: it works with one thread at the lowest priority, and ends with the process that started it. */
async function main(): Promise<void> {
  process.on('disconnect', () => process.exit())
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Some sandboxes forbid it. The encoder works at any priority.
  }
  const encoder = await open(JSON.parse(process.argv[2] ?? '{}') as ChildOptions)
  if (!encoder) return
  process.on('message', ({ id, texts }: EncodeRequest) => {
    const vectors = new Float32Array(texts.length * DIMENSIONS)
    for (const [index, vector] of encoder.encode(texts).entries()) vectors.set(vector, index * DIMENSIONS)
    send({ kind: 'vectors', id, vectors })
  })
  send({ kind: 'ready', model: encoder.model })
}

/** The encoder when it can be used; otherwise the parent is told why. */
async function open({ model, revectorize }: ChildOptions): Promise<Encoder | null> {
  try {
    const encoder = await openEncoder(model, { revectorize })
    if (await passesSelfTest(encoder)) return encoder
    send({ kind: 'unusable', reason: 'wrong vectors', message: 'it computes wrong vectors on this machine' })
  } catch (error) {
    const { message } = error as Error
    send({ kind: 'unusable', reason: error instanceof ModelMissing ? 'missing' : 'failed', message })
  }
  return null
}

function send(message: ChildMessage): void {
  process.send?.(message)
}

await main()
