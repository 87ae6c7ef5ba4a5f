import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

/** `beats`: one number, which the watched event loop increments each time it turns. */
export type WatchOrder = { host: string; port: number; beats: SharedArrayBuffer; tickMs: number; stalledMs: number }

/** Messages to the main thread: where it listens, why it cannot, or a request for the metrics. */
export type WatchMessage = { port: number } | { failed: string } | { id: number }
/** The metrics as text; null: they could not be read. */
export type WatchReply = { id: number; text: string | null }

/** How long the main thread may take for the metrics. */
const METRICS_MS = 10_000

/**
 * Serves the metrics port from a separate thread, so that `/api/live` gives a correct answer while the event loop of the process hangs.
 */
function serve(main: MessagePort, { host, port, beats, tickMs, stalledMs }: WatchOrder): void {
  const beat = new Int32Array(beats)
  const waiting = new Map<number, (text: string | null) => void>()
  let [seen, silent, nextId] = [Atomics.load(beat, 0), 0, 1]
  // Counts its own ticks instead of reading a clock: in a process that was suspended as a whole, nothing hangs.
  setInterval(() => {
    const now = Atomics.load(beat, 0)
    silent = now === seen ? silent + tickMs : 0
    seen = now
  }, tickMs)
  const hangs = () => silent >= stalledMs
  const stall = () =>
    `# HELP groundswell_event_loop_stalled_seconds How long the event loop has been blocked.\n# TYPE groundswell_event_loop_stalled_seconds gauge\ngroundswell_event_loop_stalled_seconds ${hangs() ? silent / 1000 : 0}\n`
  const live = (response: ServerResponse) => {
    if (!hangs()) return answer(response, 200, { live: true })
    const message = `The event loop has been blocked for ${Math.round(silent / 1000)} s`
    return answer(response, 503, { code: 'not_live', message })
  }
  const metrics = async (response: ServerResponse) => {
    const text = hangs() ? '' : await requested()
    response.writeHead(text === null ? 503 : 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(text === null ? 'the metrics could not be read\n' : text + stall())
  }
  const requested = async (): Promise<string | null> => {
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const id = nextId++
    waiting.set(id, resolve)
    const late = setTimeout(() => resolve(null), METRICS_MS)
    main.postMessage({ id } satisfies WatchMessage)
    const text = await promise
    clearTimeout(late)
    waiting.delete(id)
    return text
  }
  main.on('message', ({ id, text }: WatchReply) => waiting.get(id)?.(text))
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path === '/api/live') live(response)
    else if (path === '/metrics') void metrics(response)
    else answer(response, 404, { code: 'not_found', message: 'Only /metrics and /api/live are served here' })
  })
  server.once('error', (error: NodeJS.ErrnoException) =>
    main.postMessage({ failed: error.code ?? error.message } satisfies WatchMessage),
  )
  server.listen({ host, port }, () =>
    main.postMessage({ port: (server.address() as AddressInfo).port } satisfies WatchMessage),
  )
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

if (parentPort) serve(parentPort, workerData as WatchOrder)
