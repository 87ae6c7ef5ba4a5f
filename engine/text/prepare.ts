import type { Kind } from '../kinds/kind.ts'
import { signsOfAll } from '../lexicons/lexicons.ts'
import type { Item, Statement } from '../model.ts'
import { isCourtesy } from './courtesy.ts'
import type { Span } from './span.ts'
import { splitLong } from './split.ts'

/** Characters read of one item: enough for any letter, and a bound for pasted logs. */
const MAX_ITEM_LENGTH = 65_536
/** A message up to this length (UTF-16 units) is one statement. */
const MAX_STATEMENT_LENGTH = 600
const MAX_STATEMENTS = 12
/** At most this many courtesies are cut at either end of a piece, each within `MAX_COURTESY_SPAN` UTF-16 units. */
const MAX_COURTESIES = 4
const MAX_COURTESY_SPAN = 140

const sign = signsOfAll('LETTER_SIGNS')

const REPLY_HEADER = new RegExp(
  `^\\s*(?:-{2,}\\s*${sign('quoteHeading')}|${sign('quoteDate')}\\b.{5,200}\\b${sign('quoteVerb')}\\b.{0,120}:\\s*$|_{10,}\\s*$)`,
  'i',
)
const MAIL_HEADER = new RegExp(`^\\s*${sign('senderHeader')}:\\s.{1,200}$`, 'i')
const MAIL_HEADER_NEXT = new RegExp(`^\\s*${sign('nextHeader')}:\\s`, 'i')
const SIGNATURE = new RegExp(`^\\s*(?:--+|—|_{3,})\\s*$|^\\s*${sign('signature')}\\b`, 'i')
const CLOSING = new RegExp(
  `^\\s*(?:${sign('closingDegree')}\\s+)*${sign('closing')}(?:\\s+${sign('closingTail')})?` +
    "\\s*[,.!–-]*\\s*(?:[\\p{L}.'’-]{1,20}\\s*){0,3}[.!]?\\s*$",
  'iu',
)
const BARE_NAME = /^\s*\p{Lu}[\p{L}'’.-]{1,20}(?:\s+\p{Lu}[\p{L}'’.-]{0,20}){0,2}\s*$/u
const GREETING = new RegExp(
  `^(?:${sign('greeting')}\\b(?:[ ,]+(?:${sign('addressee')}|\\p{Lu}[\\p{L}'’-]{1,20})){0,3}\\s*[,!.:–—-]+\\s*|` +
    `${sign('greetingLine')}(?: ${sign('lineAddressee')})?\\s*\\n\\s*)+`,
  'iu',
)

/** What a language model read in an item: `point`, in English, its kind, and where the item says it. */
export type ReadPoint = Span & { point: string; kind: Kind }

/**
 * An item, and the pieces into which a language model split its long text, or the points that it read in it: none where it says
 * nothing. `formers`: the issues that it was in before, in which its points, or else its statements, may begin, so that an issue whose messages
 * are all grouped again remains the same issue.
 */
export type SplitItem = Item & {
  pieces?: readonly Span[]
  points?: readonly ReadPoint[]
  formers?: readonly number[]
}

/**
 * Splits an item into statements, exact slices of its text. Quoted replies, mail headers, signatures, closings and
 * greetings are left out, and a long text is split where its subject may change. Whitespace alone gives none. At most
 * 12 statements from the first 65,536 characters. Deterministic, ids included. `pieces`, in order and not
 * overlapping, override where long texts are split and what of them is left out; pieces outside long texts are
 * ignored. With `points`, each is a statement, and nothing else is.
 */
export function prepare(item: SplitItem): Statement[] {
  const text = truncated(item)
  if (item.points)
    return statementsOf(
      item,
      item.points.map((point, at) => ({ ...point, ...trim(text, point), former: item.formers?.[at] })),
    )
  const spans: Span[] = []
  for (const span of bodySpans(text)) {
    if (!isLong(span)) spans.push(span)
    else {
      const given = (item.pieces ?? []).filter(({ start, end }) => start >= span.start && end <= span.end)
      for (const piece of given.length > 0 ? given : splitLong(text, span)) spans.push(trim(text, piece))
    }
  }
  return statementsOf(
    item,
    spans.map((span, at) => ({ ...withoutCourtesies(text, span), former: item.formers?.[at] })),
  )
}

function statementsOf(
  item: Item,
  spans: readonly (Span & Partial<ReadPoint> & { former?: number | undefined })[],
): Statement[] {
  const statements: Statement[] = []
  for (const { start, end, point, kind, former } of spans) {
    if (end <= start || statements.length >= MAX_STATEMENTS) continue
    const statement: Statement = {
      id: `${item.id}:${statements.length}`,
      itemId: item.id,
      text: item.text.slice(start, end),
      start,
      end,
      at: item.at,
    }
    if (point !== undefined) statement.point = point
    if (kind !== undefined) statement.kind = kind
    if (former !== undefined) statement.former = former
    if (item.author !== undefined) statement.author = item.author
    if (item.thread !== undefined) statement.thread = item.thread
    statements.push(statement)
  }
  return statements
}

/** The spans of an item that are too long to be one statement, as `prepare` finds them. */
export function longSpans(item: Item): Span[] {
  const text = truncated(item)
  return bodySpans(text).filter((span) => isLong(span) && splitLong(text, span).length > 1)
}

function truncated({ text }: Item): string {
  return text.length > MAX_ITEM_LENGTH ? text.slice(0, MAX_ITEM_LENGTH) : text
}

function isLong({ start, end }: Span): boolean {
  return end - start > MAX_STATEMENT_LENGTH
}

function bodySpans(text: string): Span[] {
  return unquotedSpans(text)
    .map((span) => trim(text, afterGreeting(text, span)))
    .filter((span) => span.end > span.start)
}

type Line = Span & { content: string }

/** The runs of lines that the author wrote for this item. */
function unquotedSpans(text: string): Span[] {
  const lines = linesOf(text)
  const bodyLines = lines.slice(0, endOfBody(lines))
  const spans: Span[] = []
  let open: Span | null = null
  for (const line of bodyLines) {
    if (/^\s*>/.test(line.content)) {
      open = null
      continue
    }
    if (open) open.end = line.end
    else {
      open = { start: line.start, end: line.end }
      spans.push(open)
    }
  }
  return spans
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    lines.push({ start, end, content: text.slice(start, Math.min(end, start + 400)) })
    start = end + 1
  }
  return lines
}

/** The number of lines before quoted mail, signature and closing. The first line with words is never cut. */
function endOfBody(lines: Line[]): number {
  let end = lines.length
  const first = lines.findIndex((line) => /[\p{L}\p{N}]/u.test(line.content))
  for (let i = Math.max(0, first); i < lines.length; i++) {
    const { content } = lines[i] as Line
    const mail = MAIL_HEADER.test(content) && MAIL_HEADER_NEXT.test(lines[i + 1]?.content ?? '')
    if (REPLY_HEADER.test(content) || mail || (i > first && SIGNATURE.test(content))) {
      end = i
      break
    }
  }
  const last = () => {
    while (end > 0 && (lines[end - 1] as Line).content.trim() === '') end--
    return end - 1
  }
  for (let closing = last(); closing > first && closing >= end - 4; closing--) {
    const line = lines[closing] as Line
    if (line.end - line.start > 60) break
    if (CLOSING.test(line.content)) {
      end = closing
      break
    }
  }
  const name = last()
  if (name > first && BARE_NAME.test((lines[name] as Line).content)) end = name
  return Math.max(end, first + 1)
}

function afterGreeting(text: string, span: Span): Span {
  const head = text.slice(span.start, Math.min(span.end, span.start + 200))
  const lead = head.length - head.trimStart().length
  const greeting = GREETING.exec(head.slice(lead))
  if (!greeting) return span
  const start = span.start + lead + greeting[0].length
  return /[\p{L}\p{N}]/u.test(text.slice(start, span.end)) ? { start, end: span.end } : span
}

/**
 * A span without the courtesies before and after its content (`I hope you are well.`, `Please help!`), which many
 * letters share. A span of nothing but courtesies is kept.
 */
function withoutCourtesies(text: string, span: Span): Span {
  let { start, end } = span
  for (let cut = 0; cut < MAX_COURTESIES; cut++) {
    const next = afterSentence(text, start, end)
    if (next >= end || !isCourtesy(text.slice(start, next))) break
    start = next
  }
  for (let cut = 0; cut < MAX_COURTESIES; cut++) {
    const last = lastSentence(text, start, end)
    if (last <= start || !isCourtesy(text.slice(last, end))) break
    end = last
  }
  return trim(text, { start, end })
}

/** The start of the sentence after the one at `start`, within the length of a courtesy; else `end`. */
function afterSentence(text: string, start: number, end: number): number {
  for (let at = start; at < end && at < start + MAX_COURTESY_SPAN; at++) {
    if (!isEnd(text, at)) continue
    let next = at + 1
    while (next < end && (isEnd(text, next) || isBlank(text, next))) next++
    if (next < end && ((next > at + 1 && isBlank(text, next - 1)) || text[at] === '\n')) return next
  }
  return end
}

/** The start of the last sentence before `end`, within the length of a courtesy; else `start`. */
function lastSentence(text: string, start: number, end: number): number {
  let at = end - 1
  while (at > start && (isEnd(text, at) || isBlank(text, at))) at--
  for (const least = Math.max(start, end - MAX_COURTESY_SPAN); at > least; at--) {
    if (text[at - 1] === '\n' || (isBlank(text, at - 1) && at > start + 1 && isEnd(text, at - 2))) return at
  }
  return start
}

function isEnd(text: string, at: number): boolean {
  const mark = text[at] as string
  return mark === '.' || mark === '!' || mark === '?' || mark === '…' || mark === '\n'
}

function trim(text: string, span: Span): Span {
  let { start, end } = span
  while (start < end && isBlank(text, start)) start++
  while (end > start && isBlank(text, end - 1)) end--
  return { start, end }
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code <= 32 || code === 0xa0 || code === 0xfeff
}
