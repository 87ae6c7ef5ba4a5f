import type { TextKind } from '../kit/text/shown-text.ts'
import { nameOf, wordsOf } from './names.ts'
import type { Preset } from './presets/preset.ts'

/** Columns that say what a text is written in, alone or behind the name of the text's column: `content_type`, `body_content_type`. */
const OF_ANY = /^(?:content_type|mime_type)$/
const OF_ONE = /^(.+)_(?:content_type|mime_type|mime|type|format)$/
const HTML = /^(?:html|(?:text|application)\/(?:x?html)(?:\+xml)?)\s*(?:;|$)/i
const PLAIN = /^(?:plain|plain_?text|text\/plain|markdown|text\/markdown)\s*(?:;|$)/i

/**
 * What the cells of a text column are written in: by the column's name (`body_html`), by the product whose export it is, or by another cell of
 * the row. Null: the file does not say it.
 */
export function textKind(
  columns: readonly string[],
  at: number | undefined,
  preset: Preset | null,
): (cells: readonly string[]) => TextKind {
  const column = columns[at ?? -1]
  if (column === undefined) return () => null
  if (wordsOf(column).includes('html') || preset?.html?.includes(nameOf(column))) return () => 'html'
  const names = columns.map(nameOf)
  const own = new Set([nameOf(column), nameOf(column).replace(/_(?:content|text|value)$/, '')])
  const ofOne = names.findIndex((name) => own.has(OF_ONE.exec(name)?.[1] ?? ''))
  const says = ofOne >= 0 ? ofOne : names.findIndex((name) => OF_ANY.test(name))
  return (cells) => {
    const cell = cells[says]?.trim() ?? ''
    return HTML.test(cell) ? 'html' : PLAIN.test(cell) ? 'plain' : null
  }
}
