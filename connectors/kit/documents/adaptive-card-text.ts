import { parseJson } from '../http/parse-json.ts'
import { linkText } from './link-text.ts'

/** Cards are small: providers accept at most 28 KB. Anything beyond these bounds is hostile and is omitted. */
const MAX_DEPTH = 32
const MAX_NODES = 5000
const MAX_TEXT = 20_000

/** Where a card has children, in the order in which they are shown. */
const CHILDREN = [
  'body',
  'items',
  'columns',
  'rows',
  'cells',
  'inlines',
  'facts',
  'choices',
  'actions',
  'card',
  'content',
]

type Node = Readonly<Record<string, unknown>>

/**
 * The plain text of an Adaptive Card, given as an object or as JSON: text blocks, rich text, facts, containers, columns, tables,
 * alternative texts of images and titles of actions, one line each. Hidden elements are omitted. Empty for anything that is no
 * card. Bounded in depth and size; never throws.
 */
export function adaptiveCardText(card: unknown): string {
  const lines: string[] = []
  let nodes = 0
  let length = 0

  const add = (text: string) => {
    const line = text.trim()
    if (line === '' || length >= MAX_TEXT) return
    lines.push(line.slice(0, MAX_TEXT - length))
    length += line.length + 1
  }
  const walk = (value: unknown, depth: number): void => {
    nodes += 1
    if (nodes > MAX_NODES || depth > MAX_DEPTH || length >= MAX_TEXT) return
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_NODES)) walk(item, depth + 1)
      return
    }
    if (!isNode(value) || value['isVisible'] === false) return
    const inlines = value['inlines']
    add(Array.isArray(inlines) ? inlines.slice(0, MAX_NODES).map(inlineText).join('') : ownText(value))
    for (const field of CHILDREN) if (field !== 'inlines' && value[field]) walk(value[field], depth + 1)
  }

  walk(typeof card === 'string' ? parseJson(card) : card, 0)
  return lines.join('\n').replaceAll('\0', '').toWellFormed()
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of an element itself, without that of its children. */
function ownText(node: Node): string {
  const text = (field: string) => (typeof node[field] === 'string' ? plain(node[field]) : '')
  const type = text('type')
  if (type === 'Image' || type === 'Media') return text('altText')
  // A fact and a choice have no type.
  if (type === '' && text('title') !== '') {
    return text('value') === '' || text('value') === text('title')
      ? text('title')
      : `${text('title')}: ${text('value')}`
  }
  if (type.startsWith('Action.')) return text('title')
  if (type.startsWith('Input.')) return [text('label'), text('value')].filter((part) => part !== '').join(': ')
  return text('text') || text('fallbackText')
}

function inlineText(inline: unknown): string {
  if (typeof inline === 'string') return plain(inline)
  return isNode(inline) && typeof inline['text'] === 'string' ? plain(inline['text']) : ''
}

/** Text blocks may contain links, emphasis, mentions and dates in a subset of Markdown. */
function plain(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/<at>([^<]{0,200})<\/at>/gi, '@$1')
    .replace(/\[([^[\]]{0,500})\]\(([^()\s]{0,2000})\)/g, (_, label: string, address: string) =>
      linkText(label, address),
    )
    .replace(/\{\{(?:DATE|TIME)\(([^(),]{1,40})[^()]{0,20}\)\}\}/g, '$1')
    .replace(/(?<![\p{L}\p{N}*])\*\*(?=\S)([^*\n]{1,1000})\*\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)([^_\n]{1,1000})_(?![\p{L}\p{N}_])/gu, '$1')
}
