import type { AnswerSentence } from '@groundswell/contract/feedback/feedback-search.ts'
import { oneLine, withoutAddresses } from '../plain-text.ts'
import type { ModelAnswer } from './schema.ts'

const MAX_SENTENCES = 6
const MAX_SENTENCE = 400
/** A shorter quote supports nothing, unless it is the whole text. */
const MIN_QUOTE = 10

/** What was sent of one message: its id in this request, its position in the reply, and its text on one line; `original`: with links and addresses. */
export type SentText = { id: string; position: number; text: string; original: string }

/**
 * Removes tags, replaces markdown links by their words, and drops addresses whose schemes run code or carry data: a program that shows a sentence may
 * render them. Each expression takes time linear in the text.
 */
function withoutMarkup(text: string): string {
  return text
    .replace(/<[a-z!/?][^<>]*>/gi, ' ')
    .replace(/<(?=[a-z!/?])/gi, ' ')
    .replace(/!?\[([^[\]]*)\]\([^\s)]*\)*/g, '$1')
    .replaceAll('](', '] (')
    .replace(/\b(?:javascript|vbscript|data|blob|file):\S+/gi, '…')
    .replace(/(^|\s)\/\/\S+/g, '$1…')
}

/**
 * The sentences whose citations are all of texts that were sent, and whose quotes all occur there word for word. A sentence with one invalid citation
 * is dropped: it may say more than the others support.
 */
export function supportedSentences({ sentences }: ModelAnswer, sent: readonly SentText[]): AnswerSentence[] {
  const texts = new Map(sent.map((one) => [one.id, one]))
  return sentences
    .flatMap(({ text, support }) => {
      const sentence = oneLine(withoutAddresses(withoutMarkup(text)), MAX_SENTENCE)
      const quotes = support.flatMap(({ id, quote }) => {
        const source = texts.get(id)
        const words = oneLine(quote, Number.POSITIVE_INFINITY)
        if (!source?.text.includes(words) || !source.original.includes(words)) return []
        if (words.length < Math.min(MIN_QUOTE, source.text.length)) return []
        return [{ feedback: source.position, quote: words }]
      })
      if (sentence === '' || quotes.length === 0 || quotes.length < support.length) return []
      const different = new Map(quotes.map((one) => [`${one.feedback} ${one.quote}`, one]))
      return [{ text: sentence, quotes: [...different.values()] }]
    })
    .slice(0, MAX_SENTENCES)
}
