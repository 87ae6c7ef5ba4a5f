import { Piscina } from 'piscina'
import { type GivenBody, parseBody } from './parse-body.ts'

/** Bodies that are parsed at the same time: they are rare, and each may hold a hundred megabytes while it is parsed. */
const THREADS = 1
/** Bodies that wait for that, beyond which a client has to try again. */
const MAX_WAITING = 100
const IDLE_MS = 30_000
const MAX_MEGABYTES = 512

/** Parses and checks large bodies in a thread, since the event loop would answer nobody meanwhile. Its `stop` ends the thread. */
export type BodyThreads = { parse(body: GivenBody): ReturnType<typeof parseBody>; stop(): Promise<void> }

/** The thread is started when first needed, and ends after half a minute without work. */
export function bodyThreads(): BodyThreads {
  let pool: Piscina | undefined
  return {
    parse({ bytes, ...schema }) {
      pool ??= new Piscina({
        filename: new URL('./parse-body.ts', import.meta.url).href,
        name: parseBody.name,
        minThreads: 0,
        maxThreads: THREADS,
        maxQueue: MAX_WAITING,
        idleTimeout: IDLE_MS,
        resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
      })
      // Given away, not copied. Small ones may share their memory with others; these are too large for that.
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
      const given: GivenBody = { bytes: own, ...schema }
      return pool.run(given, { transferList: [own.buffer as ArrayBuffer] }) as ReturnType<typeof parseBody>
    },
    async stop() {
      await pool?.destroy()
    },
  }
}
