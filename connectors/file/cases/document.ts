import { isDeepStrictEqual } from 'node:util'
import type { FeedbackItem } from '../../connector.ts'
import { type Case, type Seen, seenIn } from './case.ts'
import { cases } from './cases.ts'

export type Outcome = { of: Case; seen: Seen; wrong: string[] }

/** The differences from what a case expects, as text. */
export function wrongIn({ preset, texts, first, problems = [] }: Case, seen: Seen): string[] {
  const [item] = seen.items
  const compared: [name: string, expected: unknown, found: unknown][] = [
    ['read as', preset, seen.preset],
    ['texts', texts, seen.items.map(({ text }) => text)],
    ['rows left out', problems, seen.problems],
    ...Object.entries(first).map(([name, value]): [string, unknown, unknown] => [
      name,
      value,
      item?.[name as keyof FeedbackItem],
    ]),
  ]
  return compared
    .filter(([, expected, found]) => !isDeepStrictEqual(expected, found))
    .map(([name, expected, found]) => `${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
}

/** Reads all cases, by their headings. */
export async function outcomes(): Promise<[heading: string, Outcome[]][]> {
  const all: [string, Outcome[]][] = []
  for (const [heading, list] of Object.entries(cases)) {
    const read: Outcome[] = []
    for (const one of list) {
      const seen = await seenIn(one)
      read.push({ of: one, seen, wrong: wrongIn(one, seen) })
    }
    all.push([heading, read])
  }
  return all
}

const FORMATS = {
  csv: 'table',
  tsv: 'table of tabs',
  jsonl: 'JSON',
  text: 'lines',
  xlsx: 'Excel',
  ods: 'OpenDocument',
} as const
const HEAD = ['file', 'what is in it', 'read as', 'messages', 'the first message', 'by', 'date', 'also', 'result']

/** The tables of `docs/files.md`: what was read from each case. */
export function documentOf(all: readonly [heading: string, Outcome[]][]): string {
  const sections = all.map(([heading, list]) => `## ${heading}\n\n${table([HEAD, ...list.map(rowOf)])}`)
  return `${sections.join('\n')}`
}

function rowOf({ of, seen, wrong }: Outcome): string[] {
  const [item] = seen.items
  return [
    `\`${of.name}\``,
    of.what,
    seen.preset ?? FORMATS[seen.format],
    String(messagesOf(seen)),
    (item?.text ?? '').replace(/\n+/g, ' ⏎ '),
    item?.author ?? '',
    item ? dateOf(item) : '',
    [...(item ? alsoOf(item, of.name) : []), ...restOf(seen)].join('; '),
    wrong.length === 0 ? 'as expected' : wrong.join('; '),
  ]
}

/** How many messages a file has, without the replies of the own side. */
export const messagesOf = ({ items }: Seen): number => items.filter(({ role }) => role !== 'agent').length

/** What the first message does not show. */
function restOf(seen: Seen): string[] {
  const own = seen.items.length - messagesOf(seen)
  const undated = seen.items.slice(1).filter(({ dateKnown }) => dateKnown === false).length
  return [
    ...(own === 0 ? [] : [`replies of the own side: ${own}`]),
    ...(undated === 0 || seen.items[0]?.dateKnown === false ? [] : [`without a date: ${undated}`]),
    ...new Set(seen.problems.map((reason) => `left out: ${reason}`)),
  ]
}

function dateOf({ at, dateKnown, dateOnly }: FeedbackItem): string {
  if (dateKnown === false) return 'unknown'
  return dateOnly ? at.toISOString().slice(0, 10) : at.toISOString().replace(/\.000Z$/, 'Z')
}

function alsoOf({ attributes = {}, place, link, thread, externalId, role }: FeedbackItem, name: string): string[] {
  const known = Object.entries({
    // Without an id of its own, a row has a hash.
    id: /^[\da-f]{32}-\d+$/.test(externalId) ? null : externalId,
    thread: thread === externalId ? null : thread,
    place: place === name.replace(/\.gz$/, '') || place === name ? null : place,
    link: link === externalId ? null : link,
    role: role ?? null,
    ...attributes,
  })
  return known.flatMap(([key, value]) => (value === null ? [] : [`${key} ${value}`]))
}

function table(rows: readonly string[][]): string {
  const cells = rows.map((row) => row.map((cell) => escaped(cell)))
  const widths = HEAD.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...rest] = cells
  return `${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n')}\n`
}

/** As text of a cell: nothing of it is markup. */
const escaped = (cell: string) =>
  cell.startsWith('`') ? cell : cell.replace(/[\\|<*_~[\]`]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
