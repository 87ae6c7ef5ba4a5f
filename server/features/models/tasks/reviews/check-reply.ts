import { parseReply } from '../../parse-reply.ts'
import { oneLine } from '../../plain-text.ts'
import type { ReviewQuestion, Shown } from './question.ts'
import { Strangers } from './schema.ts'

/** A mention that does not belong to the insight. `to`: the near insight that it belongs to; 0: none. */
export type Stranger = Shown & { to: number }

/** A quote has at least this many letters or digits. */
const MIN_QUOTE = 3

/**
 * What the model took out of an insight. Null when the reply is not believed: when it is malformed, has an id twice or one that was not
 * asked about, quotes what that message does not say, takes one of the controls for a part of the insight, or more than half of the messages for
 * strangers: then the model, or the insight, is about something else than the question.
 */
export function checkReply(text: string, { asked, controls, others }: Omit<ReviewQuestion, 'text'>): Stranger[] | null {
  const reply = parseReply(text, Strangers)
  if (!reply) return null
  const byId = new Map(reply.strangers.map((one) => [one.id, one]))
  if (byId.size !== reply.strangers.length || controls.some((id) => !byId.has(id))) return null
  const found: Stranger[] = []
  for (const { id, quote, belongs } of reply.strangers) {
    if (controls.includes(id)) continue
    const shown = asked.get(id)
    const to = belongs === undefined || belongs === null || belongs === '' ? 0 : others.get(belongs)
    if (!shown || to === undefined || !isQuoted(quote, shown.line)) return null
    found.push({ ...shown, to })
  }
  return found.length * 2 > asked.size ? null : found
}

function isQuoted(quote: string, line: string): boolean {
  const words = oneLine(quote)
  return words.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_QUOTE && line.toLowerCase().includes(words.toLowerCase())
}
