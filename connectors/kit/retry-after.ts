const DAY = 86_400

/**
 * Seconds to wait as an answer's `Retry-After` header says, in either of its two forms; undefined when there is none that
 * makes sense. Never more than a day: a wrong clock on the other side must not silence a connection.
 */
export function retryAfter(headers: Record<string, string>, now: Date): number | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  if (/^\d{1,10}$/.test(value)) return Math.min(Number(value), DAY)
  if (!value.endsWith('GMT')) return undefined
  const seconds = Math.ceil((Date.parse(value) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), DAY)
}
