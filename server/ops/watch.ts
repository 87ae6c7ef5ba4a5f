import { setTimeout as pause } from 'node:timers/promises'

/** The reply to one request: when it was sent and how long it took, in milliseconds, and its status or the name of the error. */
export type Look = { at: number; ms: number; status: number | string; etag: string | null; body: string }

type LookOptions = { token?: string; etag?: string | null; limitMs?: number; method?: string; body?: string }

/** Makes one request and waits no longer than `limitMs`, 15 s by default. */
export async function look(url: string, { token, etag, limitMs, method, body }: LookOptions = {}): Promise<Look> {
  const at = performance.now()
  try {
    const response = await fetch(url, {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(limitMs ?? 15_000),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(etag ? { 'if-none-match': etag } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': body.startsWith('{"id"') ? 'application/octet-stream' : 'application/json' }),
      },
    })
    const text = await response.text()
    return { at, ms: performance.now() - at, status: response.status, etag: response.headers.get('etag'), body: text }
  } catch (error) {
    return { at, ms: performance.now() - at, status: (error as Error).name, etag: null, body: '' }
  }
}

/** Makes a request again and again, `everyMs` after each reply, until it is stopped. Keeps all replies. */
export class Watch {
  readonly looks: Look[] = []
  readonly #ended: Promise<void>
  #running = true

  constructor(request: () => Promise<Look>, everyMs = 200) {
    this.#ended = (async () => {
      while (this.#running) {
        this.looks.push(await request())
        await pause(everyMs)
      }
    })()
  }

  async stopAfter(milliseconds: number): Promise<Look[]> {
    await pause(milliseconds)
    return this.stop()
  }

  async stop(): Promise<Look[]> {
    this.#running = false
    await this.#ended
    return this.looks
  }
}

/** How often each status occurred. */
export function statuses(looks: readonly Look[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of looks) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
