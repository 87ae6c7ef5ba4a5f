import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { BackupError } from './format.ts'

/**
 * The lines of a gzipped backup. Nothing is read ahead of its consumer, and a file that cannot be read to its end throws there: a
 * BackupError where it is not gzip, truncated or damaged, otherwise the error of the source. The source is closed in any case.
 */
export async function* readBackup(source: Readable): AsyncGenerator<string> {
  const unzipped = createGunzip()
  source.on('error', (error) => unzipped.destroy(error))
  let empty = true
  source.once('data', () => {
    empty = false
  })
  source.pipe(unzipped)
  const decoder = new StringDecoder('utf8')
  let received = false
  let pending: string[] = []
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      received = true
      const lines = decoder.write(chunk).split('\n')
      const last = lines.pop() ?? ''
      for (const line of lines) {
        pending.push(line)
        yield pending.join('')
        pending = []
      }
      if (last !== '') pending.push(last)
    }
    const rest = pending.join('') + decoder.end()
    if (rest !== '') yield rest
  } catch (error) {
    throw empty && isZlib(error) ? new BackupError('The file is empty.') : refusal(error, received)
  } finally {
    source.unpipe(unzipped)
    unzipped.destroy()
    source.destroy()
  }
}

/** Reads the first line, so that a file that is no backup is refused before anything is opened, and returns all lines. */
export async function openBackup(source: Readable): Promise<AsyncGenerator<string>> {
  const lines = readBackup(source)
  const first = await lines.next()
  if (first.done) throw new BackupError('The file is empty.')
  const header = first.value
  return (async function* () {
    yield header
    yield* lines
  })()
}

function isZlib(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith('Z_') ?? false
}

function refusal(error: unknown, received: boolean): unknown {
  if (!isZlib(error)) return error
  if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR')
    return new BackupError('The backup is truncated: the file ends early.')
  return new BackupError(
    received
      ? 'The backup is damaged: it cannot be decompressed.'
      : 'This file is not a Groundswell backup: it is not gzip.',
  )
}
