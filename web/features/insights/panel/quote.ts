import type { Mention } from '@groundswell/contract/insights.ts'

/** A mention within its message. `cutBefore`, `cutAfter`: text of the message is left out there. */
export type Quote = { before: string; quote: string; after: string; cutBefore: boolean; cutAfter: boolean }

/** Characters of the message shown on either side of the quote before it is cut. */
const AROUND = 240

/**
 * A mention's quote within its message. The offsets are used only if the quote is there; otherwise it is searched for, and
 * without the message the quote is shown alone. Unless `whole`, a long message is cut at a word.
 */
export function placeQuote(mention: Mention, whole: boolean): Quote {
  const { text, message = '' } = mention
  const start = quoteStart(mention)
  if (start === null) return { before: '', quote: text, after: '', cutBefore: false, cutAfter: false }
  const before = message.slice(0, start)
  const after = message.slice(start + text.length)
  if (whole) return { before, quote: text, after, cutBefore: false, cutAfter: false }
  const near = before.length > AROUND ? before.slice(-AROUND).replace(/^\S*\s/, '') : before
  const next = after.length > AROUND ? after.slice(0, AROUND).replace(/\s\S*$/, '') : after
  return { before: near, quote: text, after: next, cutBefore: near !== before, cutAfter: next !== after }
}

function quoteStart({ text, message, start }: Mention): number | null {
  if (!message || text === '') return null
  if (start !== undefined && message.startsWith(text, start)) return start
  const found = message.indexOf(text)
  return found < 0 ? null : found
}
