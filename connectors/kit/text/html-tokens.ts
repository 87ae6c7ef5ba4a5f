import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/** What a document consists of, in order. Names are in lower case; of a repeated attribute the first counts. `at`: where a tag begins. */
export type HtmlHandler = {
  open(name: string, attributes: ReadonlyMap<string, string>, at: number): void
  close(name: string): void
  /** Part of a text, with its entities decoded. */
  text(text: string): void
  /** Something that is no text was here, such as a comment. */
  gap(): void
}

/**
 * Splits HTML into tags and texts, in linear time and without building a tree: nothing is balanced, and no input is an error.
 * Comments, declarations and an unfinished tag at the end are omitted; the content of `script` and `style` is text.
 */
export function htmlTokens(html: string, handler: HtmlHandler): void {
  let name = ''
  let at = 0
  let attributes = new Map<string, string>()
  let attribute = ''
  let value = ''
  const gap = () => handler.gap()
  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      at = start - 1
      name = html.slice(start, end).toLowerCase()
      attributes = new Map()
    },
    onattribname(start, end) {
      attribute = html.slice(start, end).toLowerCase()
      value = ''
    },
    onattribdata(start, end) {
      value += html.slice(start, end)
    },
    onattribentity(codepoint) {
      value += String.fromCodePoint(codepoint)
    },
    onattribend() {
      if (!attributes.has(attribute)) attributes.set(attribute, value)
    },
    onopentagend: () => handler.open(name, attributes, at),
    onselfclosingtag: () => handler.open(name, attributes, at),
    onclosetag: (start, end) => handler.close(html.slice(start, end).toLowerCase()),
    ontext: (start, end) => handler.text(html.slice(start, end)),
    ontextentity: (codepoint) => handler.text(String.fromCodePoint(codepoint)),
    oncdata: gap,
    oncomment: gap,
    ondeclaration: gap,
    onprocessinginstruction: gap,
    onend: () => undefined,
  }
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks)
  tokenizer.write(html)
  tokenizer.end()
}
