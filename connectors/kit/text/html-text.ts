import { linkText } from '../documents/link-text.ts'
import { type HtmlHandler, htmlTokens } from './html-tokens.ts'
import { type MailText, QUOTATION_BEGINS, QUOTATION_ENDS, QUOTE_MARK, splitMail } from './mail-parts.ts'
import { createTextSink, type TextSink, withoutInvisible } from './text-sink.ts'

/**
 * The plain text of a mail or chat message in HTML: block elements become lines, lists get dashes or numbers, links their address
 * where the text does not show it. Quoted messages and the signature are returned separately, so nothing is lost; a quotation in the
 * middle of a message is its writer's choice and stays in the text. The result contains no markup, no NUL and no invalid surrogate. Never throws; takes linear time.
 */
export function htmlText(html: string): MailText {
  const reader = createReader()
  htmlTokens(withoutInvisible(html), reader)
  return reader.finish()
}

type Region = 'hidden' | 'quote' | 'quotation' | 'signature' | 'link' | 'list' | 'preformatted'
type Entry = {
  name: string
  region: Region | null
  link: { sink: TextSink; from: number; href: string } | null
  /** An outermost quotation in the message itself, whose end is marked. */
  isMarked: boolean
  items: number
}

const BLOCKS = new Set(
  `address article aside blockquote body center codeblock dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
  h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
)
/** Elements without content, those of chat messages included. */
const VOID = new Set(
  'area attachment base br col customemoji embed emoji hr img input link meta source systemeventmessage track wbr'.split(
    ' ',
  ),
)
const CELLS = new Set(['td', 'th'])
/** Elements whose content is no part of the message. */
const DROPPED = new Set('iframe noembed noframes plaintext script style template textarea title xmp'.split(' '))
/** Elements that end when the next one of the same name begins. */
const SIBLINGS = new Set(['p', 'li', 'tr', 'td', 'th', 'dt', 'dd'])
/** Deeper elements are not tracked: no message is nested so deeply. */
const MAX_DEPTH = 1000

/** Class names and ids with which mail programs mark what the writer did not write. */
const QUOTES =
  /(?:^|[\s_-])(?:gmail_quote|gmail_extra|yahoo_quoted|protonmail_quote|zmail_extra|divrplyfwdmsg|tutanota_quote)/i
const SIGNATURES =
  /(?:^|\s)(?:(?:x_)?gmail_signature|moz-signature|protonmail_signature_block|signature|ms-outlook-mobile-signature)(?:$|\s|-)/i
/** With which chat programs mark a reply to another message. */
const REPLY = /schema\.skype\.com\/reply/i
/** Everything after this element is quoted. */
const REST_IS_QUOTED = /^(?:x_)*(?:appendonsend|divrplyfwdmsg)$/i
const HIDDEN = /(?:^|[;\s])(?:display\s*:\s*none|mso-hide\s*:\s*all)/i
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Component}|\s){1,20}$/u

function createReader(): HtmlHandler & { finish(): MailText } {
  const sinks = { main: createTextSink(), quote: createTextSink(), signature: createTextSink() }
  const stack: Entry[] = []
  const open = new Map<string, number>()
  const inside: Record<Region, number> = {
    hidden: 0,
    quote: 0,
    quotation: 0,
    signature: 0,
    link: 0,
    list: 0,
    preformatted: 0,
  }
  let restIsQuoted = false

  const sink = () => {
    if (restIsQuoted || inside.quote > 0) return sinks.quote
    return inside.signature > 0 ? sinks.signature : sinks.main
  }
  const leave = () => {
    const entry = stack.pop()
    if (!entry) return
    open.set(entry.name, (open.get(entry.name) ?? 1) - 1)
    if (entry.link && entry.link.sink === sink()) {
      const label = entry.link.sink.since(entry.link.from)
      entry.link.sink.write(linkText(label, entry.link.href).slice(label.length))
    }
    const ended = sink()
    if (entry.region) inside[entry.region] -= 1
    if (entry.isMarked) sinks.main.mark(QUOTATION_ENDS)
    if (!BLOCKS.has(entry.name) || CELLS.has(entry.name)) return
    ended.breakLine(1)
    sink().breakLine(1)
  }
  const leaveTo = (name: string) => {
    if ((open.get(name) ?? 0) === 0) return
    while (stack.length > 0 && stack.at(-1)?.name !== name) leave()
    leave()
  }
  const beginItem = () => {
    const list = stack.findLast(({ region }) => region === 'list')
    if (list) list.items += 1
    sink().write(list?.name === 'ol' ? `${list.items}. ` : '- ')
  }

  return {
    open(name, attributes) {
      sink().separate()
      if (name === 'br') sink().breakLine()
      if (name === 'a') leaveTo('a')
      if (SIBLINGS.has(name) && stack.at(-1)?.name === name) leave()
      if (CELLS.has(name)) sink().write(' ')
      else if (BLOCKS.has(name)) sink().breakLine(1)
      if (VOID.has(name)) {
        if (inside.hidden === 0) sink().write(pictureText(name, attributes))
        return
      }
      if (REST_IS_QUOTED.test(attributes.get('id') ?? '')) restIsQuoted = true
      const region = regionOf(name, attributes)
      if (stack.length >= MAX_DEPTH) return
      if (!region && !BLOCKS.has(name) && (open.get(name) ?? 0) === 0 && name !== 'at') return
      const href = region === 'link' ? (attributes.get('href') ?? '') : ''
      if (region === 'quote' && sink() === sinks.main) sinks.main.mark(QUOTE_MARK)
      const isMarked = region === 'quotation' && inside.quotation === 0 && sink() === sinks.main
      if (isMarked) sinks.main.mark(QUOTATION_BEGINS)
      const link = region === 'link' ? { sink: sink(), from: sink().position(), href } : null
      stack.push({ name, region, link, isMarked, items: 0 })
      open.set(name, (open.get(name) ?? 0) + 1)
      if (region) inside[region] += 1
      if (region === 'quote' || region === 'signature') sink().breakLine(1)
      if (inside.hidden > 0) return
      if (name === 'li') beginItem()
      if (name === 'at') sink().write('@')
    },
    close(name) {
      sink().separate()
      leaveTo(name)
    },
    gap: () => sink().separate(),
    text(text) {
      if (inside.hidden === 0) sink().write(text, inside.preformatted > 0)
    },
    finish() {
      while (stack.length > 0) leave()
      return splitMail(sinks.main.text(), sinks.quote.text(), sinks.signature.text())
    },
  }
}

function regionOf(name: string, attributes: ReadonlyMap<string, string>): Region | null {
  if (DROPPED.has(name) || attributes.has('hidden') || HIDDEN.test(attributes.get('style') ?? '')) return 'hidden'
  const marks = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`
  if (QUOTES.test(marks)) return 'quote'
  if (name === 'blockquote') return isReply(attributes) ? 'quote' : 'quotation'
  if (SIGNATURES.test(marks)) return 'signature'
  if (name === 'a') return 'link'
  if (name === 'ul' || name === 'ol') return 'list'
  return name === 'pre' || name === 'codeblock' ? 'preformatted' : null
}

/** Whether a mail or chat program, and not the writer, made a quotation: of the message that is answered. */
const isReply = (attributes: ReadonlyMap<string, string>) =>
  attributes.get('type')?.toLowerCase() === 'cite' || REPLY.test(attributes.get('itemtype') ?? '')

/** The text of an emoji, which chat messages contain as an element or an image; other images have none. */
function pictureText(name: string, attributes: ReadonlyMap<string, string>): string {
  const alt = attributes.get('alt') ?? ''
  if (name === 'emoji' || name === 'customemoji') return alt
  if (name !== 'img') return ''
  return EMOJI.test(alt) || /emoji/i.test(attributes.get('itemtype') ?? '') ? alt : ''
}
