import { Piscina } from 'piscina'
import { type ParsedJson, parseJson } from './parse-json.ts'

/** Bodies that are parsed at the same time: they are rare, and each may hold a hundred megabytes while it is parsed. */
const THREADS = 1
/** Bodies that wait for that, beyond which a client has to try again. */
const MAX_WAITING = 100
const IDLE_MS = 30_000
const MAX_MEGABYTES = 512

/** Parses large bodies in a thread, since the event loop would answer nobody meanwhile. Its `stop` ends the thread. */
export type BodyThreads = { parse(bytes: Uint8Array): Promise<ParsedJson>; stop(): Promise<void> }

/** The thread is started when first needed, and ends after half a minute without work. */
export function bodyThreads(): BodyThreads {
  let pool: Piscina | undefined
  return {
    parse(bytes) {
      pool ??= new Piscina({
        filename: new URL('./parse-json.ts', import.meta.url).href,
        name: parseJson.name,
        minThreads: 0,
        maxThreads: THREADS,
        maxQueue: MAX_WAITING,
        idleTimeout: IDLE_MS,
        resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
      })
      // Given away, not copied. Small ones may share their memory with others; these are too large for that.
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
      return pool.run(own, { transferList: [own.buffer as ArrayBuffer] }) as Promise<ParsedJson>
    },
    async stop() {
      await pool?.destroy()
    },
  }
}
