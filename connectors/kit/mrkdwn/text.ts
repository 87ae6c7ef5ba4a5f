import { emoji } from './emoji.ts'

/** Names of people and channels by their ids. */
export type Names = Pick<ReadonlyMap<string, string>, 'get'>

/** Mentions, channels, commands and addresses; Slack escapes every other angle bracket. */
const REFERENCE = /<([@#!][^<>]*|[a-z][a-z0-9+.-]*:[^<>]*)>/gi

/**
 * Slack's mrkdwn as the plain text that a reader of Slack sees: mentions and channels by name, links by label and address, emoji as
 * characters, no markup. Entities are decoded once, last, so that typed text can never turn into markup; code stays as typed.
 * The result is well formed and has no NUL.
 */
export function plainText(text: string, names: Names): string {
  // Parts with odd indexes are code, in three backticks or one.
  const parts = text.split(/(```[\s\S]*?```|`[^`\n]+`)/)
  const plain = parts.map((part, index) => {
    const linked = part.replace(REFERENCE, (_, inside: string) => reference(inside, names))
    return index % 2 === 1 ? linked.replace(/^(`{3}|`)\n?|\n?(`{3}|`)$/g, '') : withoutMarks(linked)
  })
  return decode(plain.join('')).replaceAll('\0', '').toWellFormed().trim()
}

/** The content of angle brackets. Unknown content is shown by its label, or unchanged. */
function reference(inside: string, names: Names): string {
  const bar = inside.indexOf('|')
  const target = bar < 0 ? inside : inside.slice(0, bar)
  const label = bar < 0 ? '' : inside.slice(bar + 1)
  if (target.startsWith('@')) return shield(`@${names.get(target.slice(1)) ?? (label || target.slice(1))}`)
  if (target.startsWith('#')) return shield(`#${names.get(target.slice(1)) ?? (label || target.slice(1))}`)
  if (target.startsWith('!')) return shield(special(target.slice(1), label))
  const bare = target.replace(/^(mailto:|tel:)/, '')
  const shown = label === '' || label === bare || bare.replace(/^https?:\/\//, '').replace(/\/$/, '') === label
  return shown ? shield(bare) : `${label} (${shield(bare)})`
}

/** `here`, `channel`, `everyone`, a group `subteam^S1`, or a date with a fallback text. */
function special(command: string, label: string): string {
  const name = command.split('^')[0] ?? ''
  if (name === 'date') return label || 'a date'
  if (label !== '') return label.startsWith('@') ? label : `@${label}`
  return `@${name === 'subteam' ? 'group' : name}`
}

/** Characters of addresses and names are not markup: private characters replace them until the markup is removed. */
const HIDDEN: Record<string, string> = { '*': '\uE000', _: '\uE001', '~': '\uE002', ':': '\uE003' }
const SHOWN = Object.fromEntries(Object.entries(HIDDEN).map(([shown, hidden]) => [hidden, shown]))
const shield = (text: string) => text.replace(/[*_~:]/g, (mark) => HIDDEN[mark] ?? mark)
const unshield = (text: string) => text.replace(/[\uE000-\uE003]/g, (hidden) => SHOWN[hidden] ?? hidden)

/** Markup counts only at the edge of a word, as in Slack: snake_case and 2*3*4 stay. */
const MARKED = [
  /(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])_(?=\S)([^_\n]*[^_\s])_(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}~])~(?=\S)([^~\n]*[^~\s])~(?![\p{L}\p{N}~])/gu,
]

function withoutMarks(text: string): string {
  const marked = MARKED.reduce((plain, mark) => plain.replace(mark, '$1'), text)
  return emojiIn(marked)
}

const emojiIn = (text: string) =>
  text.replace(/:([a-z0-9_+'-]{1,60}):(?::skin-tone-[2-6]:)?/g, (code, name: string) => emoji(name) ?? code)

/** Slack's plain text, which has emoji codes and escaped characters but no markup. */
export function withEmoji(text: string): string {
  return decode(emojiIn(text))
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

function decode(text: string): string {
  return unshield(text).replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity)
}
