const TIME = /(?:^|[\sT])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?(?![a-z]))?/i
const ZONE = /(?<![a-z])(?:(?:GMT|UTC)?([+-])(\d{2}):?(\d{2})?|GMT|UTC|Z|([A-Z]{2,4}))$/
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?$/
const SLASHED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/
const UNIX = /^\d{9,13}(\.\d{1,9})?$/
const MICROSECONDS = /^\d{16}$/
const MAX_LENGTH = 60

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH_WORD =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/
const WEEKDAY = /^(mon(day)?|tue(s(day)?)?|wed(nesday)?|thu(rs(day)?)?|fri(day)?|sat(urday)?|sun(day)?)$/

/** Hours east of UTC of the zones that RFC 2822 names, and of those that mail and exports often name. */
const zones = new Map(
  Object.entries({
    UT: 0,
    EST: -5,
    EDT: -4,
    CST: -6,
    CDT: -5,
    MST: -7,
    MDT: -6,
    PST: -8,
    PDT: -7,
    WET: 0,
    WEST: 1,
    BST: 1,
    CET: 1,
    CEST: 2,
    EET: 2,
    EEST: 3,
    JST: 9,
    AEST: 10,
    AEDT: 11,
  }),
)

type Day = [year: number, month: number, day: number]
type Clock = { ms: number; rest: string }

/** Midnight UTC of a day of the calendar, in ms; NaN for one that does not exist. */
function midnight([year, month, day]: Day): number {
  const time = Date.UTC(year, month - 1, day)
  const date = new Date(time)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? time : Number.NaN
}

/** A year of two digits as spreadsheets read it: 00 to 68 are 2000 to 2068. */
const fullYear = (year: string) => (year.length === 4 ? Number(year) : Number(year) + (Number(year) < 69 ? 2000 : 1900))

function fromSlashed(text: string, dayFirst: boolean): Day | null {
  const match = SLASHED.exec(text)
  if (!match) return null
  const [, a, separator, b, year = ''] = match
  // 26-11-03 may start with its year: it is ambiguous.
  if (separator === '-' && year.length === 2) return null
  const [day, month] = separator === '.' || dayFirst ? [a, b] : [b, a]
  return [fullYear(year), Number(month), Number(day)]
}

/** A date with the month's English name: the words may come in any order, but each must be known. */
function fromWords(text: string): Day | null {
  const words = text.split(/[\s,-]+/).filter((word) => word !== '' && word.toLowerCase() !== 'at')
  let month = 0
  const numbers: string[] = []
  for (const word of words) {
    const plain = word.toLowerCase().replace(/\.$/, '')
    if (MONTH_WORD.test(plain) && month === 0) month = months.indexOf(plain.slice(0, 3)) + 1
    else if (/^(\d{1,2}|\d{4})(?:\.|(?<=\d)(st|nd|rd|th))?$/.test(plain)) numbers.push(plain.replace(/\D+$/, ''))
    else if (!WEEKDAY.test(plain)) return null
  }
  if (month === 0 || numbers.length !== 2) return null
  const [first = '', second = ''] = numbers
  const [day, year] = first.length === 4 ? [second, first] : [first, second]
  if (day.length > 2) return null
  return [fullYear(year), month, Number(day)]
}

/** The time of day in ms, and the text without it; null for an impossible time. Midnight where there is none. */
function clockOf(text: string): Clock | null {
  const match = TIME.exec(text)
  if (!match) return { ms: 0, rest: text }
  const [all, hour, minute, second = '0', fraction = '', half] = match
  let hours = Number(hour)
  if (half) {
    if (hours < 1 || hours > 12) return null
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const ms = ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(`${fraction}000`.slice(0, 3))
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + all.length)}`
  return { ms, rest: rest.replace(/\s+/g, ' ').trim().replace(/,$/, '') }
}

/** The offset from UTC in ms by the zone at the end, and the text without it; null for an unknown zone. */
function zoneOf(text: string): Clock | null {
  const match = ZONE.exec(text)
  if (!match) return { ms: 0, rest: text }
  const [all, sign, hours, minutes = '0', name] = match
  const rest = text.slice(0, text.length - all.length).trim()
  if (sign) return { ms: (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000), rest }
  if (!name) return { ms: 0, rest }
  const ahead = zones.get(name)
  return ahead === undefined ? null : { ms: ahead * 3_600_000, rest }
}

function fromUnix(text: string): number {
  if (MICROSECONDS.test(text)) return Math.floor(Number(text) / 1000)
  const value = Number(text)
  return value < 1e11 ? value * 1000 : value
}

function fromCompact(match: RegExpExecArray): number {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN
  return (
    midnight([Number(year), Number(month), Number(day)]) +
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  )
}

function timeOf(text: string, dayFirst: boolean): number {
  if (UNIX.test(text) || MICROSECONDS.test(text)) return fromUnix(text)
  const compact = COMPACT.exec(text.replace(/Z$/, ''))
  if (compact) return fromCompact(compact)
  const clock = clockOf(text.replace(/\s*\([^)]*\)$/, ''))
  // The zone follows the time, or a day alone; a date like 04-01-2026 has none, despite its hyphens.
  const zone =
    clock &&
    (SLASHED.test(clock.rest) || YEAR_FIRST.test(clock.rest) ? { ms: 0, rest: clock.rest } : zoneOf(clock.rest))
  if (!clock || !zone) return Number.NaN
  const yearFirst = YEAR_FIRST.exec(zone.rest)
  const day: Day | null = yearFirst
    ? [Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4])]
    : (fromSlashed(zone.rest, dayFirst) ?? fromWords(withoutOffset(zone.rest)))
  return day ? midnight(day) + clock.ms - zone.ms - offsetInside(zone.rest) : Number.NaN
}

/** `Tue Nov 03 +0000 2026`: some put the zone before the year. */
const OFFSET_INSIDE = /\s([+-])(\d{2})(\d{2})(?=\s\d{4}$)/
const withoutOffset = (text: string) => text.replace(OFFSET_INSIDE, '')
function offsetInside(text: string): number {
  const [, sign, hours, minutes] = OFFSET_INSIDE.exec(text) ?? []
  if (!sign) return 0
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
}

/**
 * Parses the date formats of exports: ISO 8601, RFC 2822, `2026-05-01 10:00`, `2026/05/01`, `01.05.2026`, `5/1/26 3:07 PM`,
 * `Nov 3, 2026 4:05 PM`, seconds, milliseconds or microseconds since 1970. Without a zone it is UTC, so that a file means the
 * same on every machine. Null when it cannot be parsed, or is outside the years 1970 to 2100.
 */
export function parseDate(raw: string, dayFirst: boolean): Date | null {
  const text = raw.trim().replace(/\s+/g, ' ')
  if (text.length < 6 || text.length > MAX_LENGTH || !/\d/.test(text)) return null
  const date = new Date(timeOf(text, dayFirst))
  const year = date.getUTCFullYear()
  return year >= 1970 && year <= 2100 ? date : null
}
