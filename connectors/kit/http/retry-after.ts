/** At most a day: a wrong clock at the provider must not silence a connection. */
export const MAX_WAIT_SECONDS = 86_400

/**
 * The seconds of a `Retry-After` header, in either of its two forms; undefined without a valid one. At most
 * `MAX_WAIT_SECONDS`.
 */
export function retryAfter(headers: Record<string, string>, now: Date): number | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  if (/^\d{1,10}$/.test(value)) return Math.min(Number(value), MAX_WAIT_SECONDS)
  if (!value.endsWith('GMT')) return undefined
  const seconds = Math.ceil((Date.parse(value) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS)
}
