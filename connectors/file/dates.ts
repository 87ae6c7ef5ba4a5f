const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i
const SLASHED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}),?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?)?$/i
const MONTH =
  /\b(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)\b/i
const ZONE = /(GMT|UTC|Z|[+-]\d{2}:?\d{2})\)?$/

/** Seconds, or milliseconds, since 1970; the years 1990 to 2100. */
function fromNumber(text: string): number {
  const value = Number(text)
  return value < 1e11 ? value * 1000 : value
}

function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, ms = 0): number {
  const time = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  const date = new Date(time)
  const same = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  return same ? time : Number.NaN
}

function fromIso(match: RegExpExecArray): number {
  const [, year, month, day, hour, minute, second, fraction = '', zone = ''] = match
  const ms = Number(`${fraction}000`.slice(0, 3))
  const time = utc(
    Number(year),
    Number(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    ms,
  )
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (!offset) return time
  const minutes = Number(offset[2]) * 60 + Number(offset[3])
  return time - (offset[1] === '-' ? -minutes : minutes) * 60_000
}

function fromSlashed(match: RegExpExecArray, dayFirst: boolean): number {
  const [, a, separator, b, year, hour = '0', minute = '0', second = '0', half] = match
  const first = separator === '.' || dayFirst
  let hours = Number(hour)
  if (half) hours = hours > 12 ? 99 : (hours % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  const [day, month] = first ? [a, b] : [b, a]
  return utc(Number(year), Number(month), Number(day), hours, Number(minute), Number(second))
}

/**
 * Reads a date as exports write it: ISO 8601, `2026-05-01 10:00`, `01.05.2026`, `5/1/2026 3:07 PM`, seconds or
 * milliseconds since 1970, or with the month's English name. Without a zone it is UTC, so that a file means the same on
 * every machine. Null when it cannot be read.
 */
export function parseDate(raw: string, dayFirst: boolean): Date | null {
  const text = raw.trim()
  const iso = ISO.exec(text)
  const slashed = iso ? null : SLASHED.exec(text)
  let time = Number.NaN
  if (iso) time = fromIso(iso)
  else if (slashed) time = fromSlashed(slashed, dayFirst)
  else if (/^\d{9,13}(\.\d{1,9})?$/.test(text)) time = fromNumber(text)
  else if (MONTH.test(text) && /\b\d{4}\b/.test(text) && text.length < 60)
    time = Date.parse(ZONE.test(text) ? text : `${text} UTC`)
  const date = new Date(time)
  const year = date.getUTCFullYear()
  return year >= 1970 && year <= 2100 ? date : null
}

/** True when dates like 03/04/2026 in a column put the day first, judged by those whose first number is no month. */
export function putsDayFirst(samples: readonly string[]): boolean {
  return samples.some((sample) => {
    const match = SLASHED.exec(sample.trim())
    return match !== null && Number(match[1]) > 12
  })
}
