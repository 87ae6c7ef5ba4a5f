import type { ColumnMapping } from '@groundswell/contract/feedback.ts'
import { Rejected } from '../kit/errors.ts'
import { parseDate } from './dates.ts'

type Role = keyof ColumnMapping

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Names under which exports of other products give a column, likeliest first. Compared by `nameOf`. */
const names: Record<Role, readonly string[]> = {
  text: words(`text message feedback comment body description content message_text feedback_text comment_text review
    review_text response answer verbatim note notes question utterance query sentence summary details comments messages
    feedbacks title subject nachricht kommentar rückmeldung beschreibung inhalt commentaire avis mensaje comentario`),
  id: words('id external_id message_id feedback_id ticket_id comment_id review_id response_id uuid key guid'),
  author:
    words(`author user customer email name username user_name author_name customer_name full_name e_mail from sender
    requester reporter user_id customer_id author_id contact kunde autor`),
  date: words(`date created_at timestamp created time datetime date_time created_date creation_date at ts sent_at
    submitted_at posted_at received_at updated_at datum fecha`),
  link: words('link url permalink href web_url html_url message_url ticket_url'),
  thread: words('thread conversation thread_id conversation_id thread_ts parent_id ticket discussion_id'),
}
/** Names that tell a header, but not what we need to know. */
const other =
  words(`label labels category tag tags type status priority rating score channel source lang language company
  country version kind intent topic nps stars product platform`)

const roles = Object.keys(names) as Role[]

/** A column's name for comparison: `Created At` and `createdAt` are both `created_at`. */
function nameOf(column: string): string {
  return column
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
}

/** True when a cell is a name that headers often have. */
export function isColumnName(cell: string): boolean {
  const name = nameOf(cell)
  return other.includes(name) || roles.some((role) => names[role].includes(name))
}

/** True when a cell is a name under which the text itself often stands. */
export const isTextName = (cell: string): boolean => names.text.includes(nameOf(cell))

/**
 * Guesses which column holds what: by name where there is a header, else the text alone. Without a name that tells, the
 * text is the first column of tab-separated files and the wordiest one of all others. A date is guessed only where some of
 * the first rows can be read as one.
 */
export function guessMapping(
  columns: readonly string[],
  rows: readonly string[][],
  firstIsText: boolean,
): ColumnMapping {
  const taken = new Set<string>()
  const byName = (role: Role) => {
    for (const name of names[role]) {
      const found = columns.find((column) => !taken.has(column) && nameOf(column) === name)
      if (found !== undefined) {
        taken.add(found)
        return found
      }
    }
    return undefined
  }
  const text = byName('text') ?? (firstIsText ? columns[0] : wordiest(columns, rows)) ?? '1'
  taken.add(text)
  const mapping: ColumnMapping = { text }
  for (const role of ['id', 'date', 'link', 'thread', 'author'] as const) {
    const column = byName(role)
    if (column === undefined || (role === 'date' && !holdsDates(rows, columns.indexOf(column)))) continue
    mapping[role] = column
  }
  return mapping
}

/** A column that is named like a date but holds none would make every row a bad one. Too few rows tell nothing. */
function holdsDates(rows: readonly string[][], at: number): boolean {
  const cells = rows.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '')
  return cells.length < 3 || cells.some((cell) => parseDate(cell, true) ?? parseDate(cell, false))
}

function wordiest(columns: readonly string[], rows: readonly string[][]): string | undefined {
  let best = columns[0]
  let most = -1
  for (const [at, column] of columns.entries()) {
    const words = rows.reduce((sum, row) => sum + (row[at] ?? '').split(/\s+/).filter(Boolean).length, 0)
    if (words > most) {
      most = words
      best = column
    }
  }
  return best
}

export type Indexes = { text: number } & Partial<Record<Exclude<Role, 'text'>, number>>

/**
 * Where the mapped columns stand. A column is named as in `columns`, or by its number from 1. Throws `Rejected` with the
 * name of a column that is not there.
 */
export function indexesOf(mapping: ColumnMapping, columns: readonly string[]): Indexes {
  const at = (name: string): number => {
    const index = columns.indexOf(name)
    if (index >= 0) return index
    if (/^[1-9]\d{0,3}$/.test(name) && Number(name) <= columns.length) return Number(name) - 1
    throw new Rejected(`The file has no column ${JSON.stringify(name.slice(0, 100))}`)
  }
  const indexes: Indexes = { text: at(mapping.text) }
  for (const role of roles) {
    const name = mapping[role]
    if (name !== undefined && name !== '') indexes[role] = at(name)
  }
  return indexes
}
