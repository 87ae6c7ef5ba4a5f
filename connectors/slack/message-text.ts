import { type Names, plainText, withEmoji } from '../kit/mrkdwn/text.ts'
import type { Message } from './schema.ts'

type Values = Readonly<Record<string, unknown>>

/** Slack's fallback for blocks that old clients cannot show: not what anyone wrote. */
const NO_PREVIEW = '[no preview available]'
/** Lists and tables can contain one another; Slack shows fewer levels than this. */
const MAX_DEPTH = 10

/**
 * A message as the plain text that its reader sees: what was typed or, of an app, its blocks, and then its attachments. The `text`
 * of an app's message is only a notification ("New ticket") once there are blocks. Previews of linked pages are not words of the
 * author and are left out, unless there is nothing else. Parts of unknown kinds are skipped. Empty: there are no words.
 */
export function messageText(message: Message, names: Names): string {
  const own = ownWords(message, names)
  const attachments = listOf(message.attachments)
  const written = attachments.filter((attachment) => !isPreview(attachment))
  const whole = joined([own, ...written.map((attachment) => attachmentText(attachment, names))])
  const shown = whole === '' ? joined(attachments.map((attachment) => attachmentText(attachment, names))) : whole
  return shown.replaceAll('\0', '').toWellFormed().trim()
}

/** The ids whose names `messageText` shows: people and channels that the message mentions. */
export function mentionedIn(message: Message): { people: string[]; channels: string[] } {
  const ids = new Set<string>()
  const recorder: Names = {
    get: (id) => {
      ids.add(id)
      return undefined
    },
  }
  messageText(message, recorder)
  return {
    people: [...ids].filter((id) => /^[UW][A-Z0-9]+$/.test(id)),
    channels: [...ids].filter((id) => /^[CG][A-Z0-9]+$/.test(id)),
  }
}

function ownWords(message: Message, names: Names): string {
  const text = plainText(message.text ?? '', names)
  // Slack makes the blocks of a person's message from its text, and shows an app's blocks instead of its text.
  if (text !== '' && !message.bot_id && message.subtype !== 'bot_message') return text
  return blocksText(message.blocks, names) || text
}

/** Slack adds a preview of each linked page or message. A message that was forwarded with "Share" is not one. */
function isPreview(attachment: Values): boolean {
  return Boolean(attachment.from_url || attachment.original_url) && attachment.is_share !== true
}

function attachmentText(attachment: Values, names: Names): string {
  const { pretext, title, text, fallback, fields, blocks } = attachment
  const body = blocksText(blocks, names) || plainText(stringOf(text), names)
  const pairs = listOf(fields).map((field) => {
    const [name, value] = [plainText(stringOf(field.title), names), plainText(stringOf(field.value), names)]
    return name !== '' && value !== '' ? `${name}: ${value}` : name || value
  })
  const words = joined([plainText(stringOf(pretext), names), plainText(stringOf(title), names), body, ...pairs])
  if (words !== '' || stringOf(fallback) === NO_PREVIEW) return words
  return plainText(stringOf(fallback), names)
}

/** The text of Block Kit, a line or more for each block. Buttons, menus and images are not text. */
function blocksText(blocks: unknown, names: Names): string {
  return joined(listOf(blocks).map((block) => blockText(block, names)))
}

function blockText(block: Values, names: Names): string {
  switch (block.type) {
    case 'rich_text':
      return richText(block, names, 0)
    case 'header':
    case 'section':
      return joined([objectText(block.text, names), ...listOf(block.fields).map((field) => objectText(field, names))])
    case 'context':
      return listOf(block.elements)
        .map((element) => objectText(element, names))
        .filter((text) => text !== '')
        .join(' ')
    case 'markdown':
      return stringOf(block.text).trim()
    case 'table':
      return tableText(block, names)
    default:
      return ''
  }
}

/** A text object: mrkdwn, or plain text with emoji codes. */
function objectText(value: unknown, names: Names): string {
  if (!isObject(value)) return ''
  if (value.type === 'mrkdwn') return plainText(stringOf(value.text), names)
  return value.type === 'plain_text' ? withEmoji(stringOf(value.text)).trim() : ''
}

function tableText({ rows }: Values, names: Names): string {
  const lines = (Array.isArray(rows) ? rows : []).map((row) =>
    listOf(row)
      .map((cell) => (cell.type === 'rich_text' ? richText(cell, names, 0) : stringOf(cell.text)))
      .map((cell) => cell.replace(/\s*\n\s*/g, ' ').trim())
      .join(' | '),
  )
  return joined(lines)
}

/** The rich text of the message editor: sections, lists, quotes and code, which contain text, links, names and emoji. */
function richText({ elements }: Values, names: Names, depth: number): string {
  if (depth > MAX_DEPTH) return ''
  return joined(listOf(elements).map((element) => richPart(element, names, depth)))
}

function richPart(part: Values, names: Names, depth: number): string {
  const inline = () =>
    listOf(part.elements)
      .map((leaf) => leafText(leaf, names))
      .join('')
  switch (part.type) {
    case 'rich_text_section':
    case 'rich_text_preformatted':
      return inline()
    case 'rich_text_quote':
      return inline().replace(/^/gm, '> ')
    case 'rich_text_list':
      return listText(part, names, depth)
    default:
      return ''
  }
}

function listText(list: Values, names: Names, depth: number): string {
  const first = countOf(list.offset) + 1
  const margin = '  '.repeat(Math.min(countOf(list.indent), MAX_DEPTH))
  const items = listOf(list.elements).map((item, index) => {
    const mark = list.style === 'ordered' ? `${first + index}.` : '•'
    return `${margin}${mark} ${richText({ elements: [item] }, names, depth + 1)}`
  })
  return items.join('\n')
}

function leafText(leaf: Values, names: Names): string {
  const { type, text, url, value, fallback } = leaf
  const nameOf = (id: unknown) => names.get(stringOf(id)) ?? stringOf(id)
  switch (type) {
    case 'text':
      return stringOf(text)
    case 'link':
      return linkText(stringOf(url), stringOf(text))
    case 'emoji':
      return emojiText(leaf)
    case 'user':
      return `@${nameOf(leaf.user_id)}`
    case 'channel':
      return `#${nameOf(leaf.channel_id)}`
    case 'broadcast':
      return `@${stringOf(leaf.range)}`
    case 'usergroup':
      return '@group'
    case 'date':
      return stringOf(fallback) || 'a date'
    case 'color':
      return stringOf(value)
    default:
      return stringOf(text)
  }
}

function linkText(url: string, label: string): string {
  const bare = url.replace(/^(mailto:|tel:)/, '')
  const shown = label === '' || label === bare || bare.replace(/^https?:\/\//, '').replace(/\/$/, '') === label
  return shown ? bare : `${label} (${bare})`
}

/** The editor names the code points of an emoji, such as `1f44d-1f3fb`; a workspace's own has only its name. */
function emojiText({ name, unicode }: Values): string {
  const points = stringOf(unicode)
    .split('-')
    .map((point) => Number.parseInt(point, 16))
  const isKnown = points.every((point) => point > 0 && point <= 0x10ffff)
  return isKnown ? String.fromCodePoint(...points) : withEmoji(`:${stringOf(name)}:`)
}

const joined = (lines: readonly string[]) => lines.filter((line) => line.trim() !== '').join('\n')
const stringOf = (value: unknown) => (typeof value === 'string' ? value : '')
const countOf = (value: unknown) => (typeof value === 'number' && value >= 0 && Number.isInteger(value) ? value : 0)
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Apps put values of any type into blocks and attachments: those that are not objects are skipped. */
const listOf = (value: unknown): Values[] => (Array.isArray(value) ? value.filter(isObject) : [])
