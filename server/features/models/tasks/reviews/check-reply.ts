import { parseReply } from '../../parse-reply.ts'
import { oneLine } from '../../plain-text.ts'
import type { ReviewQuestion, Shown } from './question.ts'
import { Review } from './schema.ts'

/**
 * A mention that does not belong to the insight. `to`: the other insight that it belongs to; 0: none. `part`: strangers with the same one are about
 * one other thing; null: it is alone.
 */
type Stranger = Shown & { to: number; part: number | null }

/** What a review found. `same`: the other insights that are the same problem. */
export type Findings = { strangers: Stranger[]; same: number[] }

/** A quote has at least this many letters or digits. */
const MIN_QUOTE = 3

/**
 * What the model found. Null when the reply is not believed: when it is malformed, has an id twice or one that was not asked about, quotes what that
 * message does not say, takes one of the controls for a part of the insight or for the same problem, or more than half of the messages for
 * strangers: then the model, or the insight, is about something else than the question.
 */
export function checkReply(
  text: string,
  { asked, controls, others, far }: Omit<ReviewQuestion, 'text'>,
): Findings | null {
  const reply = parseReply(text, Review)
  if (!reply) return null
  const byId = new Map(reply.strangers.map((one) => [one.id, one]))
  if (byId.size !== reply.strangers.length || controls.some((id) => !byId.has(id))) return null
  const strangers: Stranger[] = []
  for (const { id, quote, belongs, part } of reply.strangers) {
    if (controls.includes(id)) continue
    const shown = asked.get(id)
    const to = belongs === undefined || belongs === null || belongs === '' ? 0 : others.get(belongs)
    if (!shown || to === undefined || !isQuoted(quote, shown.line)) return null
    strangers.push({ ...shown, to, part: to > 0 ? null : (part ?? null) })
  }
  const same = [...new Set(reply.same)].map((id) => others.get(id))
  if (far !== null && same.includes(far)) return null
  if (!same.every((number) => number !== undefined) || strangers.length * 2 > asked.size) return null
  return { strangers, same }
}

function isQuoted(quote: string, line: string): boolean {
  const words = oneLine(quote)
  return words.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_QUOTE && line.toLowerCase().includes(words.toLowerCase())
}
