import { isWebAddress } from '@groundswell/contract/values/web-address.ts'

/**
 * An insight as a tracker shows it, independent of the tracker. Title, summary, tags, authors and quotes may contain anything that
 * customers wrote. `marker` is the insight's uuid, by which its item is found again; `link` leads back to the insight.
 */
export type InsightDocument = {
  title: string
  summary: string
  counts: { mentions: number; people: number }
  tags: readonly { name: string; value: string }[]
  quotes: readonly Quote[]
  /** The companies of those who wrote, as their sources name them: each once, at most `MAX_COMPANIES`. */
  companies: readonly string[]
  /** How many customers are behind it, and the largest of them. Absent: none is known. */
  customers?: { total: number; largest: readonly { name: string; plan: string | null }[] } | undefined
  link: string | null
  marker: string
  updated: Date
}

/** One mention. `source` is where it was written, such as the name of the source; `link` leads there. */
export type Quote = { text: string; author: string | null; at: Date; source: string; link: string | null }

/** `maxLength` in characters of the result, at least 2,000. */
export type DocumentOptions = { maxLength?: number; maxQuotes?: number }

/** A piece of a line. Texts are safe against automatic links and mentions, but not escaped for any format. */
export type Span = { text: string; strong?: boolean; code?: boolean; href?: string }
/** The pieces of one line, in order. */
export type Line = readonly Span[]
/** A block of a document, without any markup of a provider. */
export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; lines: readonly Line[] }
  | { kind: 'quote'; lines: readonly Line[] }

/** The most companies that a document names. */
export const MAX_COMPANIES = 50
/** The attributes of an item that name the company of who wrote it. */
export const COMPANY_ATTRIBUTES: readonly string[] = ['organisation', 'company']

const MAX_TITLE = 200
const MAX_SUMMARY = 4000
const MAX_QUOTE = 1000
const MAX_NAME = 100
const MAX_TAGS = 20
const MAX_CUSTOMERS = 10
const MAX_ADDRESS = 1000
const MIN_LENGTH = 2000
const JOINER = '\u2060'

/** The title for the tracker's own field: one line, without control characters, at most `maxLength` characters. */
export function documentTitle({ title }: Pick<InsightDocument, 'title'>, maxLength = MAX_TITLE): string {
  return shorten(oneLine(title), maxLength) || 'Untitled insight'
}

/**
 * Renders a document within `maxLength`: the last quotes are omitted first, and the text says how many; then the tags, then the names of customers, then the
 * end of the summary. Marker and link always stay. `measure` returns the length of a result.
 */
export function fitDocument<T>(
  document: InsightDocument,
  { maxLength = 30_000, maxQuotes = 20 }: DocumentOptions,
  render: (blocks: readonly Block[]) => T,
  measure: (rendered: T) => number,
): T {
  const limit = Math.max(maxLength, MIN_LENGTH)
  let quotes = Math.min(document.quotes.length, Math.max(maxQuotes, 0))
  let tags = Math.min(document.tags.length, MAX_TAGS)
  let customers = MAX_CUSTOMERS
  let summary = MAX_SUMMARY
  for (;;) {
    const rendered = render(blocksOf(document, { quotes, tags, customers, summary }))
    if (measure(rendered) <= limit || summary === 0) return rendered
    if (quotes > 0) quotes -= 1
    else if (tags > 0) tags = 0
    else if (customers > 0) customers = 0
    else summary = summary > 100 ? Math.floor(summary / 2) : 0
  }
}

type Shown = { quotes: number; tags: number; customers: number; summary: number }

function blocksOf(document: InsightDocument, shows: Shown): Block[] {
  const { quotes, tags, customers, summary: maxSummary } = shows
  const { counts, link, marker, updated } = document
  const blocks: Block[] = []
  const summary = linesOf(document.summary, maxSummary)
  if (summary.length > 0) blocks.push({ kind: 'paragraph', lines: summary })
  const numbers: Line = [
    { text: amount(counts.mentions, 'mention', 'mentions'), strong: true },
    { text: ' from ' },
    { text: amount(counts.people, 'person', 'people'), strong: true },
  ]
  const tagLines = document.tags
    .slice(0, tags)
    .map(({ name, value }): Line => [{ text: `${nameOf(name)}: ${nameOf(value)}` }])
  blocks.push({ kind: 'paragraph', lines: [numbers, ...customerLines(document, customers), ...tagLines] })
  const shown = document.quotes.slice(0, quotes)
  if (shown.length > 0) blocks.push({ kind: 'heading', text: 'What customers wrote' })
  for (const quote of shown)
    blocks.push({ kind: 'quote', lines: [...linesOf(quote.text, MAX_QUOTE), attribution(quote)] })
  // The quotes are the first of the mentions. Without any, the insight is withdrawn.
  const all = document.quotes.length === 0 ? 0 : Math.max(document.quotes.length, counts.mentions)
  const hidden = all - shown.length
  if (hidden > 0) {
    const more = shown.length > 0 ? ' more' : ''
    blocks.push({
      kind: 'paragraph',
      lines: [[{ text: `${hidden}${more} ${hidden === 1 ? 'quote is' : 'quotes are'} not shown.` }]],
    })
  }
  const back = safeAddress(link)
  const footer: Line[] = back ? [[{ text: 'Open the insight in Groundswell', href: back }]] : []
  const time = `${updated.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  footer.push([{ text: `Updated ${time}. Insight ` }, { text: marker.replace(/[^\w-]/g, '').slice(0, 64), code: true }])
  blocks.push({ kind: 'paragraph', lines: footer })
  return blocks
}

/** One line: `Customers: Acme (Enterprise), Globex and 9 more`. */
function customerLines({ customers }: InsightDocument, most: number): Line[] {
  if (!customers || customers.total === 0) return []
  const shown = customers.largest.slice(0, most).map(({ name, plan }) => {
    const inBrackets = nameOf(plan ?? '')
    return inBrackets === '' ? nameOf(name) : `${nameOf(name)} (${inBrackets})`
  })
  if (shown.length === 0) return [[{ text: `Customers: ${customers.total}` }]]
  const more = customers.total - shown.length
  return [[{ text: `Customers: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}` }]]
}

const amount = (count: number, one: string, many: string) =>
  `${Math.max(0, Math.trunc(count))} ${count === 1 ? one : many}`
const nameOf = (text: string) => inert(shorten(oneLine(text), MAX_NAME))

function attribution({ author, at, source, link }: Quote): Line {
  const words = [nameOf(author ?? '') || 'Unknown author', at.toISOString().slice(0, 10), nameOf(source)]
  const href = safeAddress(link)
  const line: Span[] = [{ text: `— ${words.filter((word) => word !== '').join(', ')}` }]
  if (href) line.push({ text: ' (' }, { text: 'original message', href }, { text: ')' })
  return line
}

/** The lines of a text without control characters; the last one ends with … where the text is cut. */
function linesOf(text: string, maxLength: number): Line[] {
  const clean = shorten(
    withoutControls(text)
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    maxLength,
  )
  return clean === '' ? [] : clean.split('\n').map((line) => (line.trim() === '' ? [] : [{ text: inert(line.trim()) }]))
}

const oneLine = (text: string) => withoutControls(text).replace(/\s+/g, ' ').trim()

/**
 * Without control characters, and without the invisible ones that reorder or hide text. Line breaks become `\n`, tabs spaces.
 * The joiners of emoji and of some scripts stay.
 */
function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(
      /(?!\n)[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
      '',
    )
}

/** A text cut to a number of UTF-16 units, between characters. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  if (maxLength <= 1) return ''
  const cut = text.slice(0, maxLength - 1)
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}…`
}

/**
 * A text in which trackers find nothing to link: an invisible joiner interrupts mentions, references to items, commits and keys,
 * and addresses. Trackers look for them in the rendered text, so that no escape of a format prevents it.
 */
function inert(text: string): string {
  return text
    .replace(/@(?=\S)/g, `@${JOINER}`)
    .replace(/([#!])(?=[\p{L}\p{N}])/gu, `$1${JOINER}`)
    .replace(/:(?=\/\/)/g, `:${JOINER}`)
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, `${JOINER}.`)
    .replace(/(?<=[A-Za-z][A-Za-z0-9_]{0,30})-(?=\d)/g, `${JOINER}-`)
    .replace(/\b([0-9a-f])(?=[0-9a-f]{6,63}\b)/gi, `$1${JOINER}`)
}

/** The normalised address, if it is one of the web; null for any other, and for one that is too long to be shown. */
function safeAddress(link: string | null): string | null {
  if (!isWebAddress(link)) return null
  // Closing characters of every format we render.
  const href = new URL(link).href.replace(
    /[()[\]<>"'`|*_~\\]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return href.length <= MAX_ADDRESS && URL.canParse(href) ? href : null
}
