import { Worker } from 'node:worker_threads'
import type { Answered } from '../../platform/http/create.ts'
import type { Services } from '../../platform/services.ts'
import { CollectedFigures } from './figures.ts'
import type { Role } from './registry.ts'
import type { WatchMessage, WatchOrder, WatchReply } from './watch-thread.ts'

/** A process's own port for `/metrics` and `/api/live`. */
export type Monitoring = {
  url: string
  /** To be called for each call that was answered. */
  onAnswered: (call: Answered) => void
  close: () => Promise<void>
}

const TICK_MS = 500
const STALLED_MS = 5_000

/**
 * Starts it where METRICS_PORT is set; otherwise nothing is started or loaded. Throws an error for the operator where it cannot
 * listen.
 */
export async function startMonitoring(services: Services, role: Role): Promise<Monitoring | undefined> {
  const { metrics: at } = services.config
  if (!at) return undefined
  const { createMetrics } = await import('./registry.ts')
  const metrics = createMetrics(services, new CollectedFigures(services), role)
  const beats = new SharedArrayBuffer(4)
  const heart = setInterval(() => Atomics.add(new Int32Array(beats), 0, 1), TICK_MS)
  heart.unref()
  const thread = new Worker(new URL('./watch-thread.ts', import.meta.url), {
    name: 'monitoring',
    execArgv: [],
    workerData: { ...at, beats, tickMs: TICK_MS, stalledMs: STALLED_MS } satisfies WatchOrder,
  })
  const close = async () => {
    clearInterval(heart)
    await thread.terminate()
  }
  const listening = Promise.withResolvers<number>()
  thread.on('error', (error) => {
    services.log.error({ err: error.message }, 'the thread that publishes metrics ended')
    listening.reject(error)
  })
  thread.on('message', (message: WatchMessage): void => {
    if ('port' in message) return listening.resolve(message.port)
    if ('failed' in message) return listening.reject(new Error(problemOf(message.failed, at)))
    const reply = (text: string | null) => thread.postMessage({ id: message.id, text } satisfies WatchReply)
    metrics.text().then(reply, (error: Error) => {
      services.log.warn({ err: error.message }, 'the metrics could not be read')
      reply(null)
    })
  })
  try {
    const port = await listening.promise
    thread.unref()
    return {
      url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}`,
      onAnswered: metrics.onAnswered,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function problemOf(code: string, { host, port }: { host: string; port: number }): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set METRICS_PORT to one that only this process uses.`
  return `Metrics cannot be published on ${host}, port ${port} (${code}): see METRICS_PORT and METRICS_HOST in docs/operations.md.`
}
