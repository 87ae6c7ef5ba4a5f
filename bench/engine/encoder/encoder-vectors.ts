import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DIMENSIONS, nameOfModel, openEncoder, VERSION } from '@groundswell/encoder/index.ts'

const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.groundswell/encoder-vectors')
const HASH_BYTES = 16
const RECORD_BYTES = HASH_BYTES + DIMENSIONS * 4
/** Stored together: a run that is stopped has to compute no more than these again. */
const PER_FILE = 2_000

/** Whether the encoder has our adapter, as in the server: `ENCODER_ADAPTER=off` measures the base model. */
export const isAdapted = () => process.env.ENCODER_ADAPTER !== 'off'

/**
 * The encoder's vectors of these texts, in their order; the same text has the same array. What was computed once is read from
 * `node_modules/.groundswell`, also by runs at the same time. Throws `ModelMissing`.
 */
export async function encoderVectors(
  texts: readonly string[],
  { cacheFolder = CACHE, adapter = isAdapted() }: { cacheFolder?: string; adapter?: boolean } = {},
): Promise<Float32Array[]> {
  const folder = path.join(cacheFolder, `${await nameOfModel({ adapter })}-v${VERSION}`)
  mkdirSync(folder, { recursive: true })
  const known = readKnown(folder)
  const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text)))
  if (missing.length > 0) {
    const encoder = await openEncoder({ adapter }, { revectorize: true })
    for (let at = 0; at < missing.length; at += PER_FILE) {
      const part = missing.slice(at, at + PER_FILE)
      const records = encoder.encode(part).map((vector, index) => {
        known.set(keyOf(part[index] as string), vector)
        return Buffer.concat([hashOf(part[index] as string), Buffer.from(vector.buffer)])
      })
      writeWhole(folder, Buffer.concat(records))
    }
  }
  return texts.map((text) => known.get(keyOf(text)) as Float32Array)
}

function readKnown(folder: string): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.bin'))) {
    const bytes = readFileSync(path.join(folder, name))
    for (let at = 0; at < bytes.length; at += RECORD_BYTES) {
      const start = at + HASH_BYTES
      const vector = new Float32Array(Uint8Array.from(bytes.subarray(start, at + RECORD_BYTES)).buffer)
      known.set(bytes.toString('base64', at, start), vector)
    }
  }
  return known
}

/** Another run sees the file complete or not at all. */
function writeWhole(folder: string, bytes: Buffer): void {
  const file = path.join(folder, `${randomUUID()}.bin`)
  writeFileSync(`${file}.part`, bytes)
  renameSync(`${file}.part`, file)
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES)
}

function keyOf(text: string): string {
  return hashOf(text).toString('base64')
}
