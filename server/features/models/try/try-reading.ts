import type { ErrorRate } from '@groundswell/contract/models/error-rate.ts'
import {
  agreedMerges,
  groupedState,
  type ReviewMove,
  review,
  revise,
  type SentenceEncoder,
  type SplitItem,
  type State,
  textsToEncode,
} from '@groundswell/engine/index.ts'
import type { ControlCounts } from '../../insights/index.ts'
import { rateOf } from '../error-rates.ts'
import { checkReply as checkReading, type FoundPoint } from '../tasks/readings/check-reply.ts'
import { writeBatch } from '../tasks/readings/question.ts'
import { Readings } from '../tasks/readings/schema.ts'
import { MAX_READING_TOKENS } from '../tasks/readings/task.ts'
import { checkReview, type Findings, isWrong, parseReviews } from '../tasks/reviews/check-reply.ts'
import { type AskedReview, type Subject, writeReviews } from '../tasks/reviews/question.ts'
import { Reviews } from '../tasks/reviews/schema.ts'
import { MAX_REVIEW_TOKENS } from '../tasks/reviews/task.ts'
import { openInsights, reviewCalls } from './insights-to-review.ts'
import type { LabelledMessage } from './labelled.ts'
import { batchesToRead, instructionsOf } from './messages-to-read.ts'
import { type Scores, scoreState } from './scores.ts'
import { ask, type Calls, type Surroundings } from './surroundings.ts'
import { type Descriptions, type NamingTrial, tryNames } from './try-names.ts'

/**
 * How a model read and reviewed. `unread`: messages that are grouped by their words; `empty`: those in which it found nothing. `moved`, `parts` and
 * `merged`: mentions that its reviews took out of insights, insights that were made of them, and insights that ended in another one; `errors`: by the answers to
 * controls. An installation would stop reviews by a model that errs too often; this does not.
 */
export type ReadingTrial = {
  before: Scores
  read: Scores
  reviewed: Scores
  reading: Calls & { unread: number; empty: number }
  reviews: Calls & { moved: number; parts: number; merged: number; errors: ErrorRate }
  names: NamingTrial
}

/** Later ones change little. */
const ROUNDS = 2

/** Has a model read labelled messages, groups what it read, has it review and name the insights, and compares each step with the labels. Stores nothing. */
export async function tryReading(
  messages: readonly LabelledMessage[],
  surroundings: Surroundings,
): Promise<ReadingTrial> {
  const items = messages.map(({ label: _label, ...item }): SplitItem => item)
  const before = scoreState(await grouped(items, surroundings), messages)
  let read = before
  const {
    state,
    items: asRead,
    reading,
    reviews,
    descriptions,
  } = await readGroupReview(items, surroundings, (grouping) => {
    read = scoreState(grouping, messages)
  })
  const names = await tryNames(openInsights(state, asRead, null), descriptions, surroundings)
  return { before, read, reviewed: scoreState(state, messages), reading, reviews, names }
}

/** Insights of messages that a model read and reviewed. `items`: the messages with what was read in them. */
type ReadGroups = Pick<ReadingTrial, 'reading' | 'reviews'> & {
  state: State
  items: SplitItem[]
  descriptions: Descriptions
}

/** Has a model read messages, groups what it read, and has it review the insights. `onRead` sees the groups before the reviews. Stores nothing. */
export async function readGroupReview(
  messages: readonly SplitItem[],
  surroundings: Surroundings,
  onRead: (state: State) => void = () => undefined,
): Promise<ReadGroups> {
  const reading = { calls: 0, tokens: 0, refused: 0 }
  const points = await readAll(messages, surroundings, reading)
  const items = messages.map((item, at): SplitItem => {
    const found = points[at]
    return found ? { ...item, points: found } : item
  })
  const encoder = await surroundings.encodeAll(textsToEncode(items))
  const state = groupedState(items, encoder ? { encoder } : {})
  onRead(state)
  const reviews = { calls: 0, tokens: 0, refused: 0, asked: 0, wrong: 0 }
  const { descriptions, ...done } = await reviewAll(state, items, encoder, surroundings, reviews)
  return {
    state,
    items,
    descriptions,
    reading: {
      ...reading,
      unread: points.filter((found) => found === null).length,
      empty: points.filter((found) => found?.length === 0).length,
    },
    reviews: { ...madeOf(reviews), ...done, errors: rateOf(reviews) },
  }
}

function madeOf({ calls, tokens, refused }: Calls): Calls {
  return { calls, tokens, refused }
}

async function grouped(items: readonly SplitItem[], { encodeAll }: Surroundings): Promise<State> {
  const encoder = await encodeAll(textsToEncode(items))
  return groupedState(items, encoder ? { encoder } : {})
}

/** What was read in each message; null where nothing could be. A batch whose reply is not believed is asked about again in halves. */
async function readAll(
  messages: readonly { text: string }[],
  surroundings: Surroundings,
  count: Calls,
): Promise<(FoundPoint[] | null)[]> {
  const instructions = await instructionsOf('readings')
  const read = messages.map((): FoundPoint[] | null => null)
  const open = batchesToRead(messages)
  for (let batch = open.shift(); batch; batch = open.shift()) {
    const { text: message, ...asked } = writeBatch(batch)
    const prompt = { instructions, message, schema: Readings, maxOutputTokens: MAX_READING_TOKENS }
    const found = await checkReading(await ask(surroundings, prompt, count), batch, asked, surroundings.encode)
    if (found) for (const [at, one] of batch.entries()) read[one.message.itemId] = found[at] ?? null
    else {
      count.refused++
      const half = Math.ceil(batch.length / 2)
      if (batch.length > 1) open.unshift(batch.slice(0, half), batch.slice(half))
    }
  }
  return read
}

async function reviewAll(
  state: State,
  items: readonly SplitItem[],
  encoder: SentenceEncoder | null,
  surroundings: Surroundings,
  count: Calls & ControlCounts,
): Promise<{ moved: number; parts: number; merged: number; descriptions: Descriptions }> {
  const descriptions: Descriptions = new Map()
  const done = { moved: 0, parts: 0, merged: 0 }
  const reviewed = new Map<number, number>()
  const same = new Map<number, readonly number[]>()
  for (let round = 0; round < ROUNDS; round++) {
    const open = openInsights(state, items, encoder)
    const moves: ReviewMove[] = []
    for (const call of reviewCalls(open, reviewed)) {
      const found = await findingsOf(call.subjects, surroundings, count)
      for (const [at, { id, mentions }] of call.insights.entries()) {
        const one = found[at] ?? null
        reviewed.set(id, mentions)
        moves.push(...movesOf(id, items, one))
        same.set(id, one?.same ?? [])
        if (one?.description) descriptions.set(id, { mentions, ...one.description })
      }
    }
    const changes = review(state, { moves, merges: agreedMerges(open, same) })
    for (const { into, statementIds } of changes.merged)
      reviewed.set(into, (reviewed.get(into) ?? 0) + statementIds.length)
    done.moved += changes.taken.length
    done.parts += changes.events.filter(({ kind }) => kind === 'born').length
    done.merged += changes.merged.length
    revise(state)
  }
  return { ...done, descriptions }
}

/** What a model finds in some insights, in their order; null where it is not believed. A reply that cannot be read is asked for again in halves. */
async function findingsOf(
  subjects: readonly Subject[],
  surroundings: Surroundings,
  count: Calls & ControlCounts,
): Promise<(Findings | null)[]> {
  const { text: message, reviews } = writeReviews(subjects)
  const instructions = await instructionsOf('reviews')
  const prompt = { instructions, message, schema: Reviews, maxOutputTokens: MAX_REVIEW_TOKENS }
  const replies = parseReviews(await ask(surroundings, prompt, count), reviews)
  const found = reviews.map((asked, at) => (replies?.[at] ? checkReview(replies[at], asked) : null))
  if (found.includes(null)) count.refused++
  if (replies || subjects.length === 1) {
    count.asked += found.length
    count.wrong += found.filter((one, at) => isWrong(one, reviews[at] as AskedReview)).length
    return found
  }
  const half = Math.ceil(subjects.length / 2)
  return [
    ...(await findingsOf(subjects.slice(0, half), surroundings, count)),
    ...(await findingsOf(subjects.slice(half), surroundings, count)),
  ]
}

function movesOf(from: number, items: readonly SplitItem[], found: Findings | null): ReviewMove[] {
  return (found?.strangers ?? []).map(({ mention: { itemId, number }, to, part }) => ({
    statementId: `${(items[itemId] as SplitItem).id}:${number}`,
    from,
    to,
    ...(part === null ? {} : { part }),
  }))
}
