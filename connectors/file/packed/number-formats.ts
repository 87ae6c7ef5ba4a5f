/** How a cell's number is shown: as a date, a time of day, or as it is. */
export type Shown = 'moment' | 'number'

/** Numbers of the built-in formats that show dates and times, those of East Asian languages included. */
const DATES = [...span(14, 22), ...span(27, 36), ...span(45, 47), ...span(50, 58)]
const BUILT_IN = new Set(DATES)

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** How cells of a format are shown, by its number and, where the workbook defines it, its code. */
export function shownBy(id: number, code: string | undefined): Shown {
  if (code === undefined) return BUILT_IN.has(id) ? 'moment' : 'number'
  // Quoted text, escaped characters, and colours, currencies and conditions in brackets are no part of a date.
  const [positive = ''] = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'number'
  return /[ymdhs]/i.test(positive.replace(/\[[^\]]*\]/g, '').replace(/general/i, '')) ? 'moment' : 'number'
}

const DAY_MS = 86_400_000
/** Day 0 of both systems of dates. Excel counts a 29 February 1900, which did not exist: from March 1900 on, this is its day 0. */
const DAY_ZERO = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) }
/** 31 December 9999. */
const LAST_DAY = 2_958_465

/** The date of a day number, such as `2026-10-01` or `2026-10-01 14:30:00`; a time alone as `14:30:00`; null for no date. */
export function momentOf(serial: number, system: 1900 | 1904): string | null {
  if (!(serial >= 0 && serial <= LAST_DAY)) return null
  const days = system === 1900 && serial >= 1 && serial < 60 ? serial + 1 : serial
  const at = new Date(DAY_ZERO[system] + Math.round(days * 86_400) * 1000)
  const text = at.toISOString()
  if (serial < 1) return text.slice(11, 19)
  return at.getTime() % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** A number as a spreadsheet shows it: with the 15 digits that it calculates with, and without an exponent where it is whole. */
export function numberText(written: string): string {
  if (/^-?\d+$/.test(written)) return written
  const value = Number(written)
  if (written.trim() === '' || !Number.isFinite(value)) return written
  return Number.isInteger(value) && Math.abs(value) < 1e21
    ? BigInt(value).toString()
    : String(Number(value.toPrecision(15)))
}
