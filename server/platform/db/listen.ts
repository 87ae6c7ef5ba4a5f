import pg from 'pg'
import type { Log } from '../log/log.ts'

/** Stops listening and closes the connection. */
export type StopListening = () => Promise<void>

export type ListenGaps = { onLost?: () => void; onReconnect?: () => void }

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

/**
 * Calls `onMessage` with the payload of every NOTIFY on a channel, over a connection of its own, from the moment the
 * promise resolves. A lost connection is re-established, however long it takes. `onLost` is called when such a gap begins
 * and `onReconnect` when it ends, because notifications sent meanwhile are missed.
 */
export async function listen(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  options: { log: Log } & ListenGaps,
): Promise<StopListening> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let pause = FIRST_PAUSE_MS

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'groundswell listen' })
    let ended = false
    const lost = (): void => {
      if (ended) return
      ended = true
      if (!stopped && client === next) gap()
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', (message) => onMessage(message.payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
    } catch (error) {
      ended = true
      await next.end().catch(() => undefined)
      throw error
    }
    if (stopped) {
      ended = true
      await next.end()
      return
    }
    client = next
    pause = FIRST_PAUSE_MS
    if (ended) gap()
  }

  const gap = (): void => {
    options.onLost?.()
    again()
  }

  const again = (): void => {
    timer = setTimeout(() => {
      connect().then(
        () => {
          if (!stopped) options.onReconnect?.()
        },
        (error: Error) => {
          options.log.warn({ channel, err: error.message }, 'the LISTEN connection was lost and is re-established')
          pause = Math.min(MAX_PAUSE_MS, pause * 2)
          if (!stopped) again()
        },
      )
    }, pause)
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end().catch(() => undefined)
  }
}
