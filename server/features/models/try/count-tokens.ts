import type { ReadPoint, SentenceEncoder, Span, SplitItem, State } from '@groundswell/engine/index.ts'
import { TOKENS_PER_NAME } from '../estimate.ts'
import { writeBatch } from '../tasks/readings/question.ts'
import { type RepliedPoint, writeLine } from '../tasks/readings/schema.ts'
import { sentencesOf } from '../tasks/readings/sentences.ts'
import { dueInsights, openInsights, reviewOf } from './insights-to-review.ts'
import { batchesToRead, instructionsOf } from './messages-to-read.ts'

export { TOKENS_PER_NAME }

const BYTES_PER_TOKEN = 4
/** An id as a model copies it. */
const ID = 'a1b'
/** Of a reply about a message, where it is not known. */
const REPLY_TOKENS = 16
/** Of a reply about an insight. */
const REVIEW_REPLY_TOKENS = 200

/** The calls and tokens that reading will take, at four bytes a token. What reviews take depends on what is read. */
export async function estimateReading(
  messages: readonly { text: string }[],
): Promise<{ calls: number; tokens: number }> {
  const batches = batchesToRead(messages)
  const replied = batches.reduce((sum, batch) => sum + batch.length * REPLY_TOKENS, 0)
  return { calls: batches.length, tokens: Math.round((await bytesSent(batches)) / BYTES_PER_TOKEN) + replied }
}

/** The tokens that reading took where these points were read: instructions, messages and replies, at four bytes a token. */
export async function tokensOfReading(
  messages: readonly { text: string; points: readonly ReadPoint[] }[],
): Promise<{ instructions: number; messages: number; replies: number }> {
  const batches = batchesToRead(messages)
  const instructions = batches.length * Buffer.byteLength(await instructionsOf('readings'))
  const replies = batches.map((batch) => {
    const lines = batch.flatMap(({ message: { itemId, text } }) => {
      const points = messages[itemId]?.points ?? []
      return points.length === 0 ? [ID] : points.map((point) => lineOf(text, point))
    })
    return Buffer.byteLength(JSON.stringify({ readings: [...lines, ID] }))
  })
  const inTokens = (bytes: number) => Math.round(bytes / BYTES_PER_TOKEN)
  return {
    instructions: inTokens(instructions),
    messages: inTokens((await bytesSent(batches)) - instructions),
    replies: inTokens(replies.reduce((sum, bytes) => sum + bytes, 0)),
  }
}

/** A point as a model writes it. */
function lineOf(text: string, { kind, point, start, end }: ReadPoint): string {
  const sentences = sentencesOf(text)
  const isSaid = (one: Span) => one.start < end && one.end > start
  const [first, last] = [sentences.findIndex(isSaid) + 1, sentences.findLastIndex(isSaid) + 1]
  const isWhole = last - first + 1 === sentences.length
  return writeLine(ID, {
    kind: kind as RepliedPoint['kind'],
    point,
    first: isWhole ? null : first,
    last: isWhole ? null : last,
  })
}

/** A review that is due: its insight, with so many mentions, and its tokens. */
type DueReview = { issue: number; mentions: number; tokens: number }

/**
 * A function that lists the reviews that are due in a state, with their tokens at four bytes each and 200 for the reply. `items`: all messages of the
 * state; `reviewed`: by insight, its mentions when it was last reviewed.
 */
export async function openReviewCount(): Promise<
  (
    state: State,
    of: { items: readonly SplitItem[]; encoder: SentenceEncoder | null },
    reviewed: ReadonlyMap<number, number>,
  ) => DueReview[]
> {
  const instructions = Buffer.byteLength(await instructionsOf('reviews'))
  return (state, { items, encoder }, reviewed) => {
    const open = openInsights(state, items, encoder)
    return dueInsights(open, reviewed).map((insight) => ({
      issue: insight.id,
      mentions: insight.mentions,
      tokens:
        Math.round((instructions + Buffer.byteLength(reviewOf(insight, open).text)) / BYTES_PER_TOKEN) +
        REVIEW_REPLY_TOKENS,
    }))
  }
}

async function bytesSent(batches: ReturnType<typeof batchesToRead>): Promise<number> {
  const instructions = Buffer.byteLength(await instructionsOf('readings'))
  return batches.reduce((sum, batch) => sum + instructions + Buffer.byteLength(writeBatch(batch).text), 0)
}
