import { isBlank } from '@groundswell/contract/values/blank-text.ts'
import { htmlText } from './html-text.ts'
import { htmlTokens } from './html-tokens.ts'

/** What a source says of a text. Null: nothing. */
export type TextKind = 'html' | 'plain' | null

/**
 * The text that its reader saw. HTML loses its markup, the message that it answers and the signature, unless it is nothing else. Text of which
 * nothing is known is HTML if it has block elements as mails and editors write them; markup that someone wrote about stays. Linear time.
 */
export function shownText(text: string, kind: TextKind): string {
  if (kind === 'plain' || (kind === null && !BLOCK_TAG.test(text))) return text
  const html = kind === 'html' ? text : typedSigns(text)
  if (kind === null && !isHtml(html)) return text
  const shown = htmlText(html)
  return shown.text || shown.quoted
}

/** Elements that are lines of their own. */
const BLOCKS = new Set(
  `address article aside blockquote body center div dl dt dd figure footer h1 h2 h3 h4 h5 h6 header hr html li main ol p pre
  section table tbody td tfoot th thead tr ul`.split(/\s+/),
)
const BLOCK_TAG = new RegExp(`<(?:br|${[...BLOCKS].join('|')})[\\s/>]`, 'i')
const HIDDEN = new Set(['head', 'script', 'style', 'title', 'template'])
/** Lists and tables are written behind a space too: nobody quotes them in a sentence. */
const LISTS = new Set(['ul', 'ol', 'table'])
const OTHERS = new Set(
  `a abbr acronym area audio b base bdi bdo big br button canvas caption cite code col colgroup data datalist del details dfn dialog em
  embed emoji fieldset figcaption font form frame frameset head i iframe img input ins kbd label legend link map mark meta meter nav nobr
  noframes noscript object optgroup option output param picture progress q rp rt ruby s samp script select small source span strike
  strong style sub summary sup svg template textarea time title track tt u var video wbr at attachment codeblock customemoji
  systemeventmessage`.split(/\s+/),
)
/** A sign that may begin a tag, the name behind it, and what cannot follow a name in a tag. */
const SIGN = /<(?=\/?([a-z][^\s<>/]*)(\s+[^a-z_:@\s/>])?)/gi

/** Text whose `<` before anything but an element of HTML, such as a type or an address, is no longer the beginning of a tag. */
function typedSigns(text: string): string {
  return text.replace(SIGN, (sign, name: string, odd: string | undefined) =>
    odd === undefined && isElement(name.toLowerCase()) ? sign : '&lt;',
  )
}

/** Names with a colon or a dash are those of office programs and of components. */
const isElement = (name: string) =>
  BLOCKS.has(name) ||
  OTHERS.has(name) ||
  (/^[a-z][a-z\d]*[:-][a-z\d-]*$/.test(name) && !/^(https?|mailto|ftp|tel):/.test(name))

/** Characters around a tag that someone wrote about. */
const QUOTE = /["'`“”‘’„«»()[\]{}]/
const WORD = /[\p{L}\p{N}]/u
const SPACE = /\s/
const CERTAIN_PAIRS = 3

/**
 * Whether a text is written in HTML. It is if all of it is inside of block elements, one of them closed. Otherwise places are counted where an element and
 * the text beside it touch, as in HTML, and those where a space or a quotation mark is between them, as in a sentence about HTML.
 */
function isHtml(text: string): boolean {
  const open = new Map<string, number>()
  const stack: string[] = []
  let [pairs, touching, apart, hidden] = [0, 0, 0, 0]
  let hasLoose = false
  /** What is before: text outside of blocks, or the block that ended there. */
  let before: 'text' | 'list' | 'block' | null = null

  const beside = (name: string, at: number) => {
    const last = text[at - 1] ?? ''
    const next = text[text.indexOf('>', at) + 1] ?? ''
    if (QUOTE.test(last)) apart += 1
    else if (!SPACE.test(last)) touching += 1
    else if (name === 'br' && WORD.test(next) && last === ' ') touching += 1
    else if (!(LISTS.has(name) && last === ' ')) apart += 1
  }
  const leave = (name: string) => {
    if ((open.get(name) ?? 0) === 0) return
    for (let last = stack.pop(); last !== undefined; last = stack.pop()) {
      open.set(last, (open.get(last) ?? 1) - 1)
      if (last === name) break
    }
    pairs += 1
    if (stack.length === 0) before = LISTS.has(name) ? 'list' : 'block'
  }
  htmlTokens(text, {
    open(name, _, at) {
      if (HIDDEN.has(name)) hidden += 1
      const isBreak = name === 'br' || name === 'hr'
      if (!isBreak && !BLOCKS.has(name)) return
      if (stack.length === 0 && before === 'text') beside(name, at)
      if (stack.length === 0) before = null
      if (isBreak) return
      stack.push(name)
      open.set(name, (open.get(name) ?? 0) + 1)
    },
    close(name) {
      if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1)
      leave(name)
    },
    gap: () => undefined,
    text(part) {
      if (hidden > 0 || stack.length > 0 || isBlank(part)) return
      hasLoose = true
      if (before === 'block' || before === 'list') {
        if (WORD.test(part[0] ?? '')) touching += 1
        else if (before === 'block' || part[0] !== ' ') apart += 1
      }
      before = 'text'
    },
  })
  if (!hasLoose) return pairs > 0
  return touching > 0 ? touching > apart : apart === 0 && pairs >= CERTAIN_PAIRS
}
