import type { ColumnMapping } from '@groundswell/contract/feedback.ts'
import { Rejected } from '../kit/errors.ts'
import { type Column, columnAt, isUuid } from './cells.ts'
import { isSerial, parseDate } from './dates/dates.ts'
import {
  compared,
  isColumnName,
  isOtherName,
  isTextName,
  nameOf,
  names,
  type Role,
  unwrappedName,
  wordsOf,
} from './names.ts'
import { nestedName } from './nested-names.ts'
import { columnFor, columnsFor, type Preset } from './presets/preset.ts'
import { tellsSides } from './sides.ts'

/** Columns that become attributes: who the customer is, facts about it, and its rating. */
const attributes = ['customer', 'plan', 'revenue', 'region', 'rating'] as const
const roles: readonly Role[] = ['text', 'title', 'id', 'author', 'date', 'link', 'thread', 'role', ...attributes]

type Named = Column & { name: string }

/** An id differs from row to row, except for a few errors of the export. */
const MOSTLY_UNIQUE = 0.9
const FEW_ROWS = 5
const MOSTLY_OWN = 0.5
const MAX_TITLE_WORDS = 20
const MAX_RATING_WORDS = 4

/**
 * Detects the columns: as in the product whose export it is, else by name, and where no name matches by content: dates, unique
 * ids, people, links, and the column with the most words as the text. With `firstIsText`, as in tab-separated text without names of columns, the text is
 * the first column that contains words.
 */
export function guessMapping(
  columns: readonly string[],
  rows: readonly string[][],
  { firstIsText = false, preset = null }: { firstIsText?: boolean; preset?: Preset | null } = {},
): ColumnMapping {
  const all = columns.map((name, at) => ({ ...columnAt(rows, at), name }))
  if (preset) return byPreset(preset, all)
  const named = namedColumns(all)
  const text = textColumn(all, named, firstIsText)
  const taken = new Set([text])
  const mapping: ColumnMapping = { text }
  const take = (role: Exclude<Role, 'text'>, column: string | undefined) => {
    if (column === undefined || taken.has(column)) return
    taken.add(column)
    mapping[role] = column
  }
  // Beside a subject, a title is what the person is called at work.
  const isTitled = names.title.includes(nameOf(text))
  for (const role of ['title', 'role', 'id', 'date', 'link', 'thread', 'author'] as const)
    if (role !== 'title' || !isTitled) take(role, named(role, taken))
  const left = () => all.filter(({ name }) => !taken.has(name))
  if (!mapping.date) take('date', dateAmong(left()))
  if (!mapping.id) take('id', idAmong(left()))
  if (!mapping.link)
    take(
      'link',
      left().find((column) => column.kind === 'link' && column.cells.length >= 2 && !isPictures(column))?.name,
    )
  for (const role of attributes) take(role, named(role, taken))
  if (!mapping.author) take('author', authorAmong(left()))
  return mapping
}

function byPreset({ columns, wordiest }: Preset, all: readonly Named[]): ColumnMapping {
  const present = all.map(({ name }) => name)
  const named = compared(present)
  const find = (role: Role) => columnFor(columns[role] ?? [], named) ?? undefined
  const candidates = columnsFor(columns.text ?? [], named)
  const own = wordiest ? mostWords(all.filter(({ name }) => candidates.includes(name))) : find('text')
  const used = new Set(roles.map(find))
  const left = all.filter(({ name }) => !used.has(name))
  const text = own ?? openAnswers(left) ?? find('title') ?? mostWords(left) ?? present[0] ?? '1'
  const mapping: ColumnMapping = { text }
  for (const role of ['title', 'id', 'author', 'date', 'link', 'thread', 'customer', 'rating'] as const) {
    const column = find(role)
    if (column === undefined || column === text || (role === 'thread' && column === mapping.id)) continue
    mapping[role] = column
  }
  const others = all.filter(({ name }) => !Object.values(mapping).includes(name))
  const author = mapping.author ?? others.find(({ kind, name }) => kind === 'email' && !isReplyName(name))?.name
  const role = namedColumns(others)('role', new Set([author ?? '']))
  return { ...mapping, ...(author === undefined ? {} : { author }), ...(role === undefined ? {} : { role }) }
}

/** Finds columns by common names of exports, unless their cells contradict it. */
function namedColumns(all: readonly Named[]) {
  const present = new Set(all.map(({ name }) => name))
  // Once: a file may have a thousand columns, which are compared with a hundred names.
  const plain = new Map(all.map((column) => [column, nameOf(withoutCount(column.name, present))]))
  const unwrapped = new Map(all.map((column) => [column, unwrappedName(column.name)]))
  return (role: Role, taken: ReadonlySet<string>): string | undefined => {
    const fits = (column: Named) => !taken.has(column.name) && agrees(role, column)
    const by = (wanted: readonly string[], own: ReadonlyMap<Named, string | null> = plain) => {
      for (const name of wanted) {
        const found = all.filter((column) => own.get(column) === name && fits(column))
        const fullest = found.toSorted(byContent)[0]
        if (fullest) return fullest.name
      }
      return undefined
    }
    if (role !== 'author' && role !== 'customer') return by(names[role]) ?? by(names[role], unwrapped)
    const isId = (name: string) => name.endsWith('_id')
    const nested = all.flatMap((column) => {
      const rank = nestedName(role, column.name)
      return rank === null || !fits(column) ? [] : [{ name: column.name, rank }]
    })
    // A name says more than an id.
    const called = names[role].filter((name) => !isId(name))
    return (
      by(called) ??
      nested.toSorted((a, b) => a.rank - b.rank)[0]?.name ??
      by(called, unwrapped) ??
      by(names[role].filter(isId))
    )
  }
}

/** The name as the file has it: columns with the name of an earlier one were given a count. */
function withoutCount(name: string, present: ReadonlySet<string>): string {
  const own = /^(.+) \(\d+\)$/.exec(name)?.[1]
  return own !== undefined && present.has(own) ? own : name
}

/** The column with the most cells first, and of those with as many the one with the most words. */
const byContent = (a: Column, b: Column) => b.cells.length - a.cells.length || b.words - a.words

const PICTURE = /\.(png|jpe?g|gif|webp|svg|avif|bmp|heic|ico)([?#]|$)/i
const PICTURE_WORDS = words('image images img photo photos picture pictures avatar thumbnail icon logo bild foto')

/** Links to pictures, such as those of the authors, are not where a message is. */
const isPictures = ({ name, cells }: Named) =>
  wordsOf(name).some((word) => PICTURE_WORDS.includes(word)) ||
  cells.filter((cell) => PICTURE.test(cell)).length > cells.length / 2

function agrees(role: Role, column: Named): boolean {
  const { cells, distinct, kind } = column
  if (role === 'role') return tellsSides(column.name, cells)
  if (role === 'date') return holdsDates(cells)
  if (role === 'link') return !isPictures(column)
  if (role === 'id') {
    if (cells.length >= FEW_ROWS) return distinct >= cells.length * MOSTLY_UNIQUE
    return distinct === cells.length || !OF_SEVERAL.has(nameOf(column.name))
  }
  if (role === 'text') return cells.length < 2 || kind === 'text' || kind === 'mixed'
  if (role === 'title') return isTitle(column)
  if (role === 'rating')
    return column.words < MAX_RATING_WORDS && (kind === 'number' || !MARKS.has(nameOf(column.name)))
  return true
}

/** Ids of things that may have several messages: as ids of rows, they would keep only the last of these. */
const OF_SEVERAL = new Set(['ticket_id', 'review_id', 'issue_id', 'issue_key', 'respondent_id', 'submission_id', 'key'])

/** In some languages a rating, in others a text. */
const MARKS = new Set(['note', 'nota'])

/** A title is short and its own: what people are called, products and topics repeat, as does the subject of each reply. */
function isTitle({ cells, distinct, kind, words: length }: Column): boolean {
  if (kind !== 'text' && kind !== 'mixed') return false
  return length <= MAX_TITLE_WORDS && (cells.length < FEW_ROWS || distinct >= cells.length * MOSTLY_OWN)
}

/** A column named like a date that contains none would make every row a bad one. Too few rows decide nothing. */
function holdsDates(cells: readonly string[]): boolean {
  if (cells.length < 3 || cells.every(isSerial)) return true
  return cells.some((cell) => !isSerial(cell) && (parseDate(cell, true) ?? parseDate(cell, false)))
}

function textColumn(all: readonly Named[], named: ReturnType<typeof namedColumns>, firstIsText: boolean): string {
  const described = descriptionOf(all)
  if (described !== undefined) return described
  const byName = named('text', new Set())
  const textual = all.filter(({ kind }) => kind === 'text' || kind === 'mixed')
  const wordy = mostWords(textual.filter(({ name }) => !isReplyName(name))) ?? mostWords(textual)
  if (byName !== undefined) {
    const own = all.find(({ name }) => name === byName)
    const other = all.find(({ name }) => name === wordy)
    // An empty column, or one with a note on a single row, beside one with a text on each.
    const open = own && own.cells.length < 2 ? openAnswers(textual.filter(mayBeText)) : undefined
    if (open !== undefined) return open
    // A column named message with a code or a word, beside one with sentences.
    return own && other && own.cells.length >= FEW_ROWS && own.words < 2 && other.words >= 8 ? other.name : byName
  }
  return (firstIsText ? textual[0]?.name : wordy) ?? mostWords(all) ?? '1'
}

/** Several texts, in a column whose name does not say that it holds something else. */
function mayBeText({ name, cells }: Named): boolean {
  const plain = unwrappedName(name) ?? nameOf(name)
  const isOther = isColumnName(plain) && (!isTextName(plain) || names.title.includes(plain))
  return cells.length >= 2 && !isOther && !isReplyName(name)
}

const SUMMARIES = words('summary zusammenfassung résumé resumen resumo')
const DESCRIPTIONS = words('description beschreibung descripción descrição')

/** The description where there is a summary too, as of the issues of trackers in any language: comments on them are the team's. */
function descriptionOf(all: readonly Named[]): string | undefined {
  const among = (wanted: readonly string[]) => all.find(({ name }) => wanted.includes(nameOf(name)))
  return among(SUMMARIES) && among(DESCRIPTIONS)?.name
}

/** Our own replies are not feedback. */
const isReplyName = (column: string) =>
  wordsOf(column).some((word) => ['reply', 'developer', 'agent', 'internal', 'assignee', 'resolution'].includes(word))

/** The column with the most words of those whose cells are words of their own: not one of a few answers to choose from. */
function openAnswers(columns: readonly Named[]): string | undefined {
  const open = ({ kind, cells, distinct, words: length }: Named) =>
    (kind === 'text' || kind === 'mixed') &&
    length >= 2 &&
    (cells.length < FEW_ROWS || distinct >= cells.length * MOSTLY_OWN)
  return mostWords(columns.filter(open))
}

function mostWords(columns: readonly Named[]): string | undefined {
  const total = ({ words, cells }: Column) => words * cells.length
  return columns.toSorted((a, b) => total(b) - total(a))[0]?.name
}

const EARLY = ['created', 'create', 'submit', 'submitted', 'posted', 'sent', 'received', 'started', 'date', 'time']
const LATE = ['updated', 'update', 'modified', 'last', 'closed', 'solved', 'resolved', 'due', 'reply', 'edited']
const WHEN = ['when', 'wann', 'quand', 'cuándo', 'quando']
const DAY = [
  'date',
  'day',
  'datum',
  'fecha',
  'data',
  'created',
  'submitted',
  'received',
  'timestamp',
  'zeitstempel',
  ...WHEN,
]
const CLOCK = [...EARLY, ...WHEN, 'timestamp', 'millis', 'epoch', 'unix', 'ts', 'at']

/** The column of dates. If there are several, the one whose name indicates the earliest time, else the leftmost. */
function dateAmong(columns: readonly Named[]): string | undefined {
  const rank = ({ name }: Named) => {
    const words = wordsOf(name)
    if (words.some((word) => LATE.includes(word))) return 2
    return words.some((word) => EARLY.includes(word)) ? 0 : 1
  }
  return columns.filter(isDates).toSorted((a, b) => rank(a) - rank(b))[0]?.name
}

function isDates({ kind, cells, name }: Named): boolean {
  if (cells.length < 2) return false
  if (kind === 'date') return true
  if (kind !== 'number') return false
  // Ten or thirteen digits could also be an id, and five an amount: the name must indicate a time, or a day.
  const indicates = (words: readonly string[]) => wordsOf(name).some((word) => words.includes(word))
  const isTimeOfSheet = indicates(CLOCK) && cells.every(isSerial) && cells.some((cell) => /[.,]/.test(cell))
  return isTimeOfSheet || (indicates(CLOCK) && cells.every(isUnixTime)) || (indicates(DAY) && cells.every(isSerial))
}

const isUnixTime = (cell: string) => /^\d{10}(\d{3}|\d{6})?(\.\d+)?$/.test(cell) && parseDate(cell, false) !== null

const ID_WORDS = ['id', 'uuid', 'guid', 'key', 'token', 'number', 'no', 'nr', '#']
/** Ids of something else: they repeat with the next message of the same person, app or device. */
const FOREIGN =
  words(`user customer account app device author contact requester organization organisation company product
  package parent person member client network phone order version`)

/**
 * The column that identifies a row permanently. Only where it is certain, since a row with a known id replaces the stored one:
 * no cell repeats, and either its name is that of an id, or it contains uuids or the numbers 1 to n.
 */
function idAmong(columns: readonly Named[]): string | undefined {
  const sure = columns.filter(({ name, cells, distinct, kind, words: length }) => {
    if (cells.length < FEW_ROWS || distinct < cells.length || length > 1 || kind === 'date' || kind === 'link')
      return false
    if (isRowNumber(name, cells)) return false
    const parts = wordsOf(name)
    const named = ID_WORDS.includes(parts.at(-1) ?? '') && !parts.some((word) => FOREIGN.includes(word))
    return named || cells.every(isUuid) || counts(cells)
  })
  return sure[0]?.name
}

/** 1, 2, 3 … or any integers that rise or fall by one. */
function counts(cells: readonly string[]): boolean {
  if (!cells.every((cell) => /^\d{1,15}$/.test(cell))) return false
  const step = Number(cells[1]) - Number(cells[0])
  return Math.abs(step) === 1 && cells.every((cell, at) => Number(cell) === Number(cells[0]) + at * step)
}

const ROW_NAME =
  /^(\d+|unnamed_\d+|index|level_0|row|row_id|row_number|row_no|rownum|line|number|no|nr|lfd_nr|zeile|ligne|fila|linha|#)$/

/**
 * Whether a column only counts the rows of its file, as `#` does and the index that pandas writes without a name: the next file counts its
 * rows from the same number. A column of another name does if it begins or ends with 0 or 1, unless it is called an id.
 */
function isRowNumber(name: string, cells: readonly string[]): boolean {
  if (!counts(cells)) return false
  if (ROW_NAME.test(nameOf(name))) return true
  const ends = [cells[0], cells.at(-1)].some((cell) => Number(cell) <= 1)
  return ends && !wordsOf(name).some((word) => ID_WORDS.includes(word))
}

/** Two to four capitalised words. */
const PERSON = /^\p{Lu}[\p{L}'’.-]*(\s+(?:de|van|von|der|la|da|di|del|\p{Lu}[\p{L}'’.-]*)){1,3}$/u

/** The column of people: addresses, else names, unless the same few repeat. */
function authorAmong(columns: readonly Named[]): string | undefined {
  const mail = columns.find(({ kind, cells, name }) => kind === 'email' && cells.length >= 2 && !isReplyName(name))
  if (mail) return mail.name
  return columns.find(({ name, cells, distinct }) => {
    if (cells.length < FEW_ROWS || distinct < cells.length / 2 || isOtherName(name) || isReplyName(name)) return false
    return cells.filter((cell) => PERSON.test(cell)).length >= cells.length * 0.8
  })?.name
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

export type Indexes = { text: number } & Partial<Record<Exclude<Role, 'text'>, number>>

/**
 * The positions of the mapped columns. A column is given by its name in `columns`, or by its number from 1. Throws `Rejected`
 * with the name of a missing column.
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
