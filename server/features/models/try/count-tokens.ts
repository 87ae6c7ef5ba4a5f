import {
  groupedState,
  type ReadPoint,
  type SentenceEncoder,
  type Span,
  type SplitItem,
  type State,
} from '@groundswell/engine/index.ts'
import { TOKENS_PER_NAME } from '../estimate.ts'
import { writeBatch } from '../tasks/readings/question.ts'
import { type RepliedPoint, writeLine } from '../tasks/readings/schema.ts'
import { sentencesOf } from '../tasks/readings/sentences.ts'
import { REVIEWS_PER_CALL } from '../tasks/reviews/cases.ts'
import { type AskedReview, writeReviews } from '../tasks/reviews/question.ts'
import { openInsights, reviewCalls } from './insights-to-review.ts'
import { batchesToRead, instructionsOf } from './messages-to-read.ts'

export { TOKENS_PER_NAME }

const BYTES_PER_TOKEN = 4
/** An id as a model copies it. */
const ID = 'a1b'
/** Assumed tokens of a reply about a message, where they are not known. */
const REPLY_TOKENS = 16
/** What usual replies about an insight consist of. */
const MENTIONS_PER_STRANGER = 10
const USUAL_QUOTE = 'arrived with a broken wheel'
const USUAL_NAME = 'CSV export of large reports stops with an error'
const USUAL_SUMMARY =
  'The CSV export of large reports stops with an error or gives an incomplete file. Several tried again without success.'

/** The calls and tokens that reading will take, at four bytes a token. */
export async function estimateReading(
  messages: readonly { text: string }[],
): Promise<{ calls: number; tokens: number }> {
  const batches = batchesToRead(messages)
  const replied = batches.reduce((sum, batch) => sum + batch.length * REPLY_TOKENS, 0)
  return { calls: batches.length, tokens: Math.round((await bytesSent(batches)) / BYTES_PER_TOKEN) + replied }
}

/**
 * The calls and tokens that reviewing and naming the insights will take, as the messages are grouped unread: what is read is known only when it is. `insights`: those
 * that are reviewed, once each.
 */
export async function estimateReviews(
  items: readonly SplitItem[],
  encoder: SentenceEncoder | null,
): Promise<{ insights: number; calls: number; tokens: number }> {
  const state = groupedState(items, encoder ? { encoder } : {})
  const due = (await openReviewCount())(state, { items, encoder }, new Map())
  const tokens = due.reduce((sum, one) => sum + one.tokens, 0)
  return { insights: due.length, calls: Math.ceil(due.length / REVIEWS_PER_CALL), tokens }
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

/** A review that is due: its insight, how many mentions that has, its share of the tokens of its call, and the indexes of the messages that it shows. */
type DueReview = { issue: number; mentions: number; tokens: number; messages: number[] }

/**
 * A function that lists the reviews that are due in a state, with their tokens at four bytes each. Each reply names the insight, and takes one mention in
 * `MENTIONS_PER_STRANGER` for a stranger. `items`: all messages of the state; `reviewed`: by insight, its mentions when it was last reviewed.
 */
export async function openReviewCount(): Promise<
  (
    state: State,
    of: { items: readonly SplitItem[]; encoder: SentenceEncoder | null },
    reviewed: ReadonlyMap<number, number>,
  ) => DueReview[]
> {
  const instructions = Buffer.byteLength(await instructionsOf('reviews'))
  return (state, { items, encoder }, reviewed) =>
    reviewCalls(openInsights(state, items, encoder), reviewed).flatMap(({ insights, subjects }) => {
      const { text, reviews } = writeReviews(subjects)
      const bytes = instructions + Buffer.byteLength(text) + Buffer.byteLength(replyOf(reviews))
      const share = Math.round(bytes / BYTES_PER_TOKEN / insights.length)
      return insights.map(({ id, mentions }, at) => {
        const messages = subjects[at]?.shown.map(({ mention }) => mention.itemId) ?? []
        return { issue: id, mentions, tokens: share, messages }
      })
    })
}

/** A usual reply about insights. */
function replyOf(reviews: readonly AskedReview[]): string {
  return JSON.stringify({
    reviews: reviews.map(({ id, asked, controls }) => {
      const found = [...asked.keys()].slice(0, Math.round(asked.size / MENTIONS_PER_STRANGER))
      return {
        id,
        strangers: [...controls, ...found].map((one) => `${one} part 1: ${USUAL_QUOTE}`),
        same: [],
        name: USUAL_NAME,
        summary: USUAL_SUMMARY,
        said: [...asked.keys()].slice(0, 2),
      }
    }),
  })
}

async function bytesSent(batches: ReturnType<typeof batchesToRead>): Promise<number> {
  const instructions = Buffer.byteLength(await instructionsOf('readings'))
  return batches.reduce((sum, batch) => sum + instructions + Buffer.byteLength(writeBatch(batch).text), 0)
}
