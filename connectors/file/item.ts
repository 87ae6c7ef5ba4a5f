import { hash } from 'node:crypto'
import { isBlank } from '@groundswell/contract/values/blank-text.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import type { FeedbackItem } from '../connector.ts'
import { counted } from '../kit/text/counted.ts'
import { shownText } from '../kit/text/shown-text.ts'
import { readDate } from './dates/dates.ts'
import type { Layout } from './layout.ts'
import { leftOut } from './left-out.ts'
import { attributeNames, compared, nameOf } from './names.ts'
import { type OwnExport, ownExportOf, withoutGuard } from './own-export.ts'
import { columnFor } from './presets/preset.ts'
import { sideOf } from './sides.ts'
import { textKind } from './text-kind.ts'
import { titleAndBody } from './title-and-body.ts'

const MAX_ID = 200
const MAX_NAME = 200
/** Names that forms give to authors who are not signed in: not one person. By `nameOf`. */
const NOBODY = new Set(
  `anonymous anonymous_user anonym anonyme anonymer_benutzer anonyme_r_benutzer_in utilisateur_anonyme anónimo usuario_anónimo anônimo
  usuário_anônimo utilizador_anónimo`.split(/\s+/),
)

/** Converts the cells of one row to an item, or describes their errors. */
export type ToItem = (cells: readonly string[]) => FeedbackItem | string

/**
 * Items from the rows of one file. A row without an id is identified by a hash of its cells as the file has them, and by the number of equal
 * rows before it: so equal rows stay distinct, and the same file read twice gives the same ids. Before titles were recognised, the hash was
 * that of the text alone: `formerId`. The counts take about 50 bytes a row, and twice that where there are titles.
 */
export function itemReader(layout: Layout, place: string | null, importedAt: Date): ToItem {
  const { indexes, columns, header, dateOrder, zones, preset } = layout
  const whyLeftOut = leftOut(columns, preset)
  const placeColumn = columnFor(preset?.place ?? [], compared(columns))
  const more = attributeColumns(layout)
  const own = ownExportOf(columns, layout.format !== 'jsonl')
  const [shownTitle, shownBody] = [shownCell(layout, indexes.title, own), shownCell(layout, indexes.text, own)]
  const ownId = rowIds()
  const formerId = rowIds()

  return (row) => {
    const cells = own?.guarded ? row.map(withoutGuard) : row
    const cell = (index: number | undefined) => (index === undefined ? '' : clean(cells[index] ?? ''))
    const wrong = wrongCells(cells, indexes.text, header ? columns.length : null)
    if (wrong) return wrong
    const why = whyLeftOut(cells)
    if (why !== null) return why
    const [title, body] = [cell(indexes.title), cell(indexes.text)]
    const text = titleAndBody(shownTitle(title, cells), shownBody(body, cells))
    const written = own ? cell(columns.indexOf('original')) || text : titleAndBody(title, body)
    if (text === '') return 'The text is empty'
    const [id, author, date, thread] = [indexes.id, indexes.author, indexes.date, indexes.thread].map(cell)
    if (cells.some((value) => value.includes('\0'))) return 'The row contains a NUL character'
    const isUndated = preset?.undated?.says.test(date ?? '') || (own && cell(columns.indexOf('date_known')) === 'false')
    const dated = date && !isUndated ? readDate(date, dateOrder === 'day_first', zones) : null
    // Exports give the first message's id in each reply, and none in the first message: there it is the thread's own id.
    const began = indexes.thread !== undefined && id ? shortId(id) : null
    const rest = [author ?? '', date ?? '', thread ?? '']
    return {
      externalId: id ? shortId(id) : ownId([plainly(title, body), ...rest]),
      ...(id || title === '' || body === '' ? {} : { formerId: formerId([body, ...rest]) }),
      text,
      ...(written === text ? {} : { original: written }),
      author: author && !NOBODY.has(nameOf(author)) ? author.slice(0, MAX_NAME).toWellFormed() : null,
      at: dated?.at ?? importedAt,
      ...(dated === null ? { dateKnown: false } : {}),
      ...(dated?.dateOnly ? { dateOnly: true } : {}),
      link: safeLink(cell(indexes.link)),
      thread: thread ? shortId(thread) : began,
      place: (own ? placeIn(cell, own) : placeColumn && cell(columns.indexOf(placeColumn))) || place,
      ...roleOf(columns, cell, indexes),
      ...attributesOf(cell, indexes, more),
    }
  }
}

/** The columns that become attributes without being chosen, by the attribute's name. */
function attributeColumns({ indexes, columns, preset }: Layout): [string, number][] {
  const chosen = new Set(Object.values(indexes))
  const all = compared(columns)
  const wanted = [
    ...Object.entries(attributeNames),
    ...(preset?.attributes ?? []).map((name): [string, string[]] => [name, [name]]),
  ]
  return wanted.flatMap(([name, names]) => {
    const at = columns.indexOf(columnFor(names, all) ?? '')
    return at < 0 || chosen.has(at) ? [] : [[name, at]]
  })
}

/** The text of a title's or body's cell as it was shown. Our own exports have it already. */
function shownCell(
  { columns, preset }: Layout,
  at: number | undefined,
  own: OwnExport | null,
): (cell: string, cells: readonly string[]) => string {
  if (own) return (cell) => cell
  const kindOf = textKind(columns, at, preset)
  return (cell, cells) => clean(shownText(cell, kindOf(cells)))
}

/** Ids of rows by their content, counted where it is the same. */
function rowIds(): (content: readonly string[]) => string {
  const seen = new Map<number, number>()
  return (content) => {
    const digest = hash('sha256', JSON.stringify(content), 'hex')
    // 52 bits are an integer that a Map stores without a string; two rows that share them only continue a count.
    const key = Number.parseInt(digest.slice(0, 13), 16)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return `${digest.slice(0, 32)}-${count}`
  }
}

/** Title and text as they identify a row: this never changes, however they are shown. */
function plainly(title: string, body: string): string {
  if (title === '' || body.startsWith(title)) return body
  return body === '' ? title : `${title}\n\n${body}`
}

/** Where a message was written before it was exported: its place, or its source where that says more than a file. */
function placeIn(cell: (index: number | undefined) => string, { place, source, sourceName }: OwnExport): string | null {
  const from = cell(source)
  return cell(place) || cell(sourceName) || (from === 'file' ? null : from || null)
}

/** Who wrote the row, where it says so. */
function roleOf(
  columns: readonly string[],
  cell: (index: number | undefined) => string,
  { role }: Layout['indexes'],
): Pick<FeedbackItem, 'role'> {
  if (role === undefined) return {}
  const side = sideOf(columns[role] ?? '', cell(role))
  return side === null ? {} : { role: side }
}

/** What the row says about the customer, and how it rated, as sources do in attributes. */
function attributesOf(
  cell: (index: number | undefined) => string,
  indexes: Layout['indexes'],
  more: readonly [string, number][],
): Pick<FeedbackItem, 'attributes'> {
  const { customer, plan, revenue, region, rating } = indexes
  const columns = [...Object.entries({ organisation: customer, plan, revenue, region, rating }), ...more]
  const found = columns.flatMap(([name, index]) => {
    const value = cell(index).slice(0, MAX_NAME).toWellFormed()
    return value === '' ? [] : [[name, value]]
  })
  return found.length === 0 ? {} : { attributes: Object.fromEntries(found) }
}

function wrongCells(cells: readonly string[], text: number, expected: number | null): string | null {
  const count = counted(cells.length, 'column')
  if (cells.length <= text) return `The row has ${count}, the text is expected in column ${text + 1}`
  if (expected === null || cells.length <= expected) return null
  const extra = cells.slice(expected).some((cell) => cell.trim() !== '')
  return extra ? `The row has ${count} instead of ${expected} (is a cell with the separator in it not quoted?)` : null
}

const clean = (cell: string) => (isBlank(cell) ? '' : (cell.isWellFormed() ? cell : cell.toWellFormed()).trim())

const shortId = (id: string) => (id.length <= MAX_ID ? id : `sha256-${hash('sha256', id, 'hex')}`)
