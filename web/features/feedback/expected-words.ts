import type { ColumnMapping, Expected, FileFormat } from '@groundswell/contract/feedback.ts'
import { count, plural } from '../../ui/text/plural.ts'

/**
 * What an import will do, in one sentence: `files` become one import.
 * Where only a part of a file was seen, the counts are those of that part.
 */
export function expectedText(
  expected: Expected,
  { mapping, format, files = 1 }: { mapping: ColumnMapping; format: FileFormat; files?: number },
  now = new Date(),
): string {
  const messages = messagesText(expected, { mapping, format }, now)
  if (files === 1) return messages
  return `${count(files)} files as one import: ${messages.charAt(0).toLowerCase()}${messages.slice(1)}`
}

function messagesText(
  expected: Expected,
  { mapping, format }: { mapping: ColumnMapping; format: FileFormat },
  now: Date,
): string {
  const { messages, whole, about, own, repeated, bad } = expected
  const others = [
    own > 0 ? `${count(own)} more ${own === 1 ? 'looks' : 'look'} like your own replies` : '',
    repeated > 0 ? `${plural(repeated, 'row')} ${repeated === 1 ? 'repeats' : 'repeat'} an id` : '',
    bad > 0 ? `${plural(bad, 'row')} ${bad === 1 ? 'is' : 'are'} left out` : '',
  ]
  const by = byColumns(mapping, format)
  if (messages === 0) return sentence([`No messages${whole ? '' : ' in the first part of the file'}`, by, ...others])
  const dates = datesText(expected, now)
  if (whole) return sentence([plural(messages, 'message'), by, ...dates, ...others])
  const many =
    about === null ? `More than ${plural(messages, 'message')}` : `About ${plural(roughly(about), 'message')}`
  const details = [...dates, ...others].filter((part) => part !== '')
  const first = details.length === 0 ? '' : `; of the first ${count(messages)}: ${details.join(', ')}`
  return `${[many, by].filter((part) => part !== '').join(', ')}${first}.`
}

const sentence = (parts: readonly string[]) => `${parts.filter((part) => part !== '').join(', ')}.`

/** The columns of the text, as the file names them. */
function byColumns({ title, text, author }: ColumnMapping, format: FileFormat): string {
  if (format === 'text') return author === undefined ? 'one per line' : 'in a chat'
  const names = [...new Set([title, text])].flatMap((name) => (name ? [columnText(name)] : []))
  return `by ${names.join(' and ')}`
}

const columnText = (name: string) => (/^\d+$/.test(name) ? `column ${name}` : `“${name}”`)

function datesText(expected: Expected, now: Date): string[] {
  const { from, to, days, undated } = expected
  if (from === null || to === null) return ['without dates']
  const ends = [
    { at: from, isDay: expected.from_date_only ?? days },
    { at: to, isDay: expected.to_date_only ?? days },
  ]
  const [first, last] = ends.map((end, place) => dayText(end, ends[1 - place]?.at ?? end.at, now))
  const span = first === last ? `on ${first}` : `from ${first} to ${last}`
  return [span, undated === 0 ? '' : `${count(undated)} without a date`]
}

/** A day of a span, with its year unless the other end and today are in the same one. A day without a time is the same one everywhere. */
function dayText({ at, isDay }: { at: string; isDay: boolean }, other: string, now: Date): string {
  const timeZone = isDay ? 'UTC' : undefined
  const yearOf = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone })
  const years = new Set([new Date(at), new Date(other), now].map((time) => yearOf.format(time)))
  const year = years.size === 1 ? undefined : 'numeric'
  return new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', year, timeZone }).format(new Date(at))
}

/** An estimate is no more precise than two digits. */
function roughly(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.round(value / step) * step
}
