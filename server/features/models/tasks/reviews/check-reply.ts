import { parseReply } from '../../parse-reply.ts'
import { oneLine } from '../../plain-text.ts'
import type { AskedReview, Shown } from './question.ts'
import { parseStranger, type RepliedReview, Reviews } from './schema.ts'

/**
 * A mention that does not belong to the insight. `to`: the other insight that it belongs to; 0: none. `part`: strangers with the same one are about
 * one other thing; null: it is alone.
 */
type Stranger = Shown & { to: number; part: number | null }

/**
 * What a review found. `same`: the other insights that are the same problem. `description`: the name and the summary that it gave, which are still to be checked;
 * null: it does not refer to two messages that belong to the insight.
 */
export type Findings = {
  strangers: Stranger[]
  same: number[]
  description: { name: string; summary: string } | null
}

/** A quote has at least this many letters or digits. */
const MIN_QUOTE = 3
/** The fewest messages that a description refers to. */
const MIN_SAID = 2

/** What a reply says about each insight, in their order; null when it is malformed, or has an insight that was not asked about, twice or not at all. */
export function parseReviews(text: string, reviews: readonly AskedReview[]): RepliedReview[] | null {
  const reply = parseReply(text, Reviews)
  const byId = new Map(reply?.reviews.map((one) => [one.id, one]))
  const found = reviews.flatMap(({ id }) => byId.get(id) ?? [])
  return reply && found.length === reviews.length && reply.reviews.length === reviews.length ? found : null
}

/**
 * What the model found in one insight. Null when it is not believed: when it is malformed, has an id twice or one that was not asked about, quotes what that
 * message does not say, takes one of the controls for a part of the insight or for the same problem, or more than half of the messages for
 * strangers: then the model, or the insight, is about something else than the question.
 */
export function checkReview(
  reply: RepliedReview,
  { asked, controls, others, far }: Omit<AskedReview, 'id' | 'typical'>,
): Findings | null {
  const lines = reply.strangers.map(parseStranger)
  const byId = new Map(lines.map((one) => [one?.id, one]))
  if (byId.size !== lines.length || controls.some((id) => !byId.has(id))) return null
  const strangers: Stranger[] = []
  for (const line of lines) {
    if (line === null) return null
    const { id, to, part, quote } = line
    if (controls.includes(id)) continue
    const shown = asked.get(id)
    const target = to === null ? 0 : others.get(to)
    if (!shown || target === undefined || !isQuoted(quote, shown.line)) return null
    strangers.push({ ...shown, to: target, part })
  }
  const same = [...new Set(reply.same)].map((id) => others.get(id))
  if (far !== null && same.includes(far)) return null
  if (!same.every((number) => number !== undefined) || strangers.length * 2 > asked.size) return null
  const { name, summary, said } = reply
  const isSaid = new Set(said).size >= MIN_SAID && said.every((id) => asked.has(id) && !byId.has(id))
  return { strangers, same, description: isSaid ? { name, summary } : null }
}

/**
 * Whether the model answered a control wrong: what it says is not believed, or it takes the mention that surely belongs to the insight for a stranger. The latter may be
 * right now and then, so that it says something about the model and nothing about this insight.
 */
export function isWrong(found: Findings | null, { typical }: Pick<AskedReview, 'typical'>): boolean {
  return found === null || found.strangers.some(({ mention }) => mention === typical?.mention)
}

function isQuoted(quote: string, line: string): boolean {
  const words = oneLine(quote)
  return words.replace(/[^\p{L}\p{N}]/gu, '').length >= MIN_QUOTE && line.toLowerCase().includes(words.toLowerCase())
}
