import { namedMonth, withoutLead } from './date-words.ts'
import { offsetOf, type ZoneChoices, zoneByName, zoneWrittenOut } from './zones.ts'

const TIME =
  /(?:^|[\sT])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?\s?m\.?(?![a-z]))?(?:\s*(?:Uhr|hrs|hs|horas|h)\.?(?![a-z]))?/i
/** “14 h 05”, “14h05min30s” and “14.05 Uhr”, as French and German write the time. */
const TIME_OF_HOURS = /(?<=^|\s)(\d{1,2})(?:\s?h\s?(\d{2})(?:\s?min(?:\s?(\d{2})\s?s)?)?|\.(\d{2}) Uhr)(?![\p{L}\d])/iu
/** “09.15.22.000000 AM” and “21.15.22.000000”, as Oracle writes the time. */
const DOTTED_TIME =
  /(?<=\s)(\d{1,2})\.(\d{2})\.(\d{2})(?:\.(\d{1,9}))?(?=\s?[ap]m(?![a-z]))|(?<=\s)(\d{2})\.(\d{2})\.(\d{2})\.(\d{3,9})(?!\d)/i
/** “13.28.19” and “13.28” behind a year of four digits, as Italian, Danish and Finnish write the time. */
const TIME_BEHIND_YEAR = /(?<=\d{4},? )(\d{1,2})\.(\d{2})(?:\.(\d{2}))?(?![.\d])/
/** Behind an offset, the name of its zone says nothing more: `+0200 CEST`. */
const NAME_BEHIND_OFFSET = /(?<=[+\u2212-]\d\d:?\d\d) [A-Z]{2,5}$/
/** “9 AM”, and the halves of the day in German and Portuguese. */
const HOUR_ALONE = /(?<=[\s,])(\d{1,2})(?=\s?[ap]\.?\s?m\.?(?![a-z]))/i
const HALVES: [RegExp, string][] = [
  [/(?<=\d\s?)(?:vorm\.?|da manhã)(?!\p{L})/iu, 'AM'],
  [/(?<=\d\s?)(?:nachm\.?|da tarde)(?!\p{L})/iu, 'PM'],
]
const ZONE = /(?<![A-Za-z])(?:((?:GMT|UTC)?)\s?([+\u2212-])(\d{1,2})(?::?(\d{2}))?|([A-Z]{1,5}))$/
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?$/
const SLASHED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/
const UNIX = /^\d{9,13}(\.\d{1,9})?$/
const MICROSECONDS = /^\d{16}$/
/** A day as spreadsheets count it, with the time as a fraction. */
const SERIAL = /^\d{5}(?:[.,]\d{1,15})?$/
/** January 1, 1970 and January 1, 2100 in that count. */
const [FIRST_SERIAL, LAST_SERIAL] = [25_569, 73_051]
const LOWER_CASE_ISO = /^(\d{4}-\d\d-\d\d)t(\d.*?)(z?)$/
const MAX_LENGTH = 120
/** No zone is further from UTC. */
const MAX_OFFSET = 14 * 60

/** A date as a file gives it. `dateOnly`: it is a day without a time, and `at` its midnight in UTC. */
export type FileDate = { at: Date; dateOnly: boolean }

/** In ms since 1970; NaN for no date. */
type Read = { time: number; dateOnly: boolean }

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

/** A date with the month's name. */
function fromWords(text: string): Day | null {
  const found = namedMonth(text)
  if (!found) return null
  const [first, second] = found.numbers
  const [day, year] = first.length === 4 ? [second, first] : [first, second]
  if (day.length > 2) return null
  return [fullYear(year), found.month, Number(day)]
}

/** The time of day in ms, and the text without it; null for an impossible time. Midnight where there is none. */
function clockOf(text: string): (Clock & { found: boolean }) | null {
  const match = TIME.exec(text)
  if (!match) return { ms: 0, rest: text, found: false }
  const [all, hour, minute, second = '0', fraction = '', half] = match
  let hours = Number(hour)
  if (half) {
    if (hours < 1 || hours > 12) return null
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const ms = ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(`${fraction}000`.slice(0, 3))
  const rest = `${withoutLead(text.slice(0, match.index))} ${text.slice(match.index + all.length)}`
  return { ms, rest: rest.replace(/\s+/g, ' ').trim().replace(/,$/, ''), found: true }
}

/** The offset from UTC in ms by the zone at the end, and the text without it; null for an unknown zone. `timed`: it follows a time. */
function zoneOf(text: string, timed: boolean, chosen: ZoneChoices): Clock | null {
  const writtenOut = timed ? zoneWrittenOut(text) : null
  if (writtenOut) return { ms: writtenOut.offset * 60_000, rest: writtenOut.rest }
  const match = ZONE.exec(text)
  if (!match) return { ms: 0, rest: text }
  const [all, utc, sign, hours, minutes = '0', name] = match
  const rest = text.slice(0, text.length - all.length).trim()
  if (name) {
    const offset = offsetOf(name, chosen)
    // Not a zone: perhaps a month.
    if (offset === null) return { ms: 0, rest: text }
    return { ms: offset * 60_000, rest }
  }
  // In 3-NOV-26 it is the year.
  if (!utc && !timed && !YEAR_FIRST.test(rest)) return { ms: 0, rest: text }
  const offset = Number(hours) * 60 + Number(minutes)
  if (Number(minutes) > 59 || offset > MAX_OFFSET) return null
  return { ms: offset * (sign === '+' ? 60_000 : -60_000), rest }
}

const NO_DATE: Read = { time: Number.NaN, dateOnly: false }

const moment = (time: number): Read => ({ time, dateOnly: false })

function fromSerial(text: string): number {
  const days = Number(text.replace(',', '.'))
  if (days < FIRST_SERIAL || days >= LAST_SERIAL) return Number.NaN
  return Math.round((days - FIRST_SERIAL) * 86_400) * 1000
}

function fromUnix(text: string): number {
  if (MICROSECONDS.test(text)) return Math.floor(Number(text) / 1000)
  const value = Number(text)
  return value < 1e11 ? value * 1000 : value
}

function fromCompact(match: RegExpExecArray): Read {
  const [, year, month, day, hour, minute = '0', second = '0'] = match
  if (Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59) return NO_DATE
  const time =
    midnight([Number(year), Number(month), Number(day)]) +
    ((Number(hour ?? 0) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return { time, dateOnly: hour === undefined }
}

/** Behind the offset, the name of a zone says nothing more. */
const HAS_OFFSET = /(?:\d|\s)(?:Z|(?:GMT|UTC)?\s?[+\u2212-]\d{1,2}(?::?\d{2})?)$/

function readText(text: string, dayFirst: boolean, chosen: ZoneChoices): Read {
  const zone = text.includes('/') ? zoneByName(text) : null
  if (!zone) return readPlain(text, dayFirst, chosen)
  const read = readPlain(zone.rest, dayFirst, chosen)
  const isLocal = !read.dateOnly && !Number.isNaN(read.time) && !(zone.rest.includes(':') && HAS_OFFSET.test(zone.rest))
  return isLocal ? moment(zone.toUtc(read.time)) : read
}

function readPlain(text: string, dayFirst: boolean, chosen: ZoneChoices): Read {
  if (UNIX.test(text) || MICROSECONDS.test(text)) return moment(fromUnix(text))
  if (SERIAL.test(text)) return { time: fromSerial(text), dateOnly: !/[.,]/.test(text) }
  const compact = COMPACT.exec(text.replace(/Z$/, ''))
  if (compact) return fromCompact(compact)
  const clock = clockOf(withColons(withoutBrackets(westernOf(text)).replace(NAME_BEHIND_OFFSET, '')))
  if (!clock) return NO_DATE
  const { zone, text: inner } = zoneInside(clock.rest, chosen)
  // The zone follows the time, or a day alone; a date like 04-01-2026 has none, despite its hyphens.
  const known = SLASHED.test(inner) || YEAR_FIRST.test(inner)
  const end = known ? { ms: 0, rest: inner } : zoneOf(inner, clock.found, chosen)
  if (!end) return NO_DATE
  const rest = withoutLead(end.rest)
  const yearFirst = YEAR_FIRST.exec(rest)
  const day: Day | null = yearFirst
    ? [Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4])]
    : (fromSlashed(rest, dayFirst) ?? fromWords(rest))
  if (!day) return NO_DATE
  // A day is the same one in its zone and elsewhere.
  return clock.found ? moment(midnight(day) + clock.ms - end.ms - zone) : { time: midnight(day), dateOnly: true }
}

/** The name of a zone may be repeated in brackets: `GMT+0100 (CET)`, `+01:00[Europe/Berlin]`. Alone, it may be in them. */
function withoutBrackets(text: string): string {
  const inside = /\s*[([]([^)\]]*)[)\]]$/.exec(text)
  if (!inside) return text
  const rest = text.slice(0, inside.index)
  const alone = `${rest} ${inside[1]}`
  return zoneWrittenOut(alone) && !/[+-]\d{4}$|[+-]\d\d:\d\d$/.test(rest) ? alone : rest
}

const EASTERN_DAY = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/
/** “2026. 11. 2.” */
const KOREAN_DAY = /^(\d{4})\.\s(\d{1,2})\.\s(\d{1,2})\.?(?=\s|$)/
const EASTERN_TIME =
  /(午前|上午|오전|午後|下午|오후)?\s?(\d{1,2})\s?[:時时시]\s?(\d{1,2})\s?분?分?(?::?\s?(\d{1,2})\s?[초秒]?)?/
const AFTERNOON = /午後|下午|오후/

/** A date as Chinese, Japanese and Korean write it (`2026年10月1日(木) 午後3時05分`) with digits and signs that all languages have; others as they are. */
function westernOf(text: string): string {
  const [day, ...numbers] = EASTERN_DAY.exec(text) ?? KOREAN_DAY.exec(text) ?? []
  if (day === undefined) return text
  const rest = text.slice(day.length)
  const date = numbers.join('-')
  const [all, half, hour, minute = '', second = '0'] = EASTERN_TIME.exec(rest) ?? []
  if (all === undefined) return date
  const clock = [hour, minute.padStart(2, '0'), second.padStart(2, '0')].join(':')
  const meridiem = half === undefined ? '' : AFTERNOON.test(half) ? 'pm' : 'am'
  return `${date} ${clock}${meridiem} ${rest.slice(rest.indexOf(all) + all.length).trim()}`.trim()
}

function withColons(text: string): string {
  const colons = text.replace(DOTTED_TIME, (_all, ...parts: (string | undefined)[]) => {
    const [hour, minute, second, fraction] = parts[0] === undefined ? parts.slice(4, 8) : parts
    return `${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`
  })
  const timed = colons.includes(':')
    ? colons
    : colons.replace(TIME_BEHIND_YEAR, (_all, hour, minute, second = '00') => `${hour}:${minute}:${second}`)
  const halved = HALVES.reduce((known, [half, sign]) => known.replace(half, sign), timed)
  const whole = halved.includes(':') ? halved : halved.replace(HOUR_ALONE, '$1:00')
  return whole.replace(TIME_OF_HOURS, (_all, hour, minute, second, dotted) =>
    [hour, minute ?? dotted, ...(second === undefined ? [] : [second])].join(':'),
  )
}

/** `Tue Nov 03 +0000 2026` and `Tue Nov 3 CET 2026`: some put the zone before the year. Its offset in ms, and the text without it. */
function zoneInside(text: string, chosen: ZoneChoices): { zone: number; text: string } {
  const [all, sign, hours, minutes, name] = /\s(?:([+-])(\d{2})(\d{2})|([A-Z]{2,5}))(?=\s\d{4}$)/.exec(text) ?? []
  if (all === undefined) return { zone: 0, text }
  const named = name === undefined ? null : offsetOf(name, chosen)
  if (name !== undefined && named === null) return { zone: 0, text }
  const offset = named ?? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return { zone: offset * 60_000, text: text.replace(all, '') }
}

/** A day as spreadsheets count it, such as 46296 or 46297,5: a date only in a column of dates. */
export const isSerial = (cell: string): boolean => SERIAL.test(cell) && !Number.isNaN(fromSerial(cell))

/**
 * Reads the dates of exports: ISO 8601, RFC 2822, `2026/05/01 1:28 PM GMT+5:30`, `01.05.2026`, `5/1/26 3:07 PM`, `14/Jul/25`, and
 * dates with the names of months and zones in five languages, `2026年10月1日`; seconds, milliseconds or microseconds since 1970, and the days of
 * spreadsheets. A time without a zone is UTC, so that a file means the same on every machine. `zones`: what ambiguous abbreviations
 * mean. Null when it cannot be read, or is outside the years 1970 to 2100.
 */
export function readDate(raw: string, dayFirst: boolean, zones: ZoneChoices = {}): FileDate | null {
  const trimmed = raw.trim()
  // First, because most cells of most files are no dates.
  if (trimmed.length < 5 || !/\d/.test(trimmed)) return null
  const text = trimmed
    .replace(/\s+/g, ' ')
    .replace(LOWER_CASE_ISO, (_, day, time, zone) => `${day}T${time}${zone.toUpperCase()}`)
  if (text.length > MAX_LENGTH) return null
  const { time, dateOnly } = readText(text, dayFirst, zones)
  const at = new Date(time)
  const year = at.getUTCFullYear()
  return year >= 1970 && year <= 2100 ? { at, dateOnly } : null
}

/** The time alone of a date that `readDate` reads. */
export const parseDate = (raw: string, dayFirst: boolean, zones: ZoneChoices = {}): Date | null =>
  readDate(raw, dayFirst, zones)?.at ?? null
