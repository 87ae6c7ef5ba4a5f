import path from 'node:path'
import {
  agreedMerges,
  describe,
  groupedState,
  isEmerging,
  isReviewDue,
  issues,
  MAX_REVIEWED,
  meanDirection,
  nearestIssues,
  REVIEWED_FROM,
  type ReviewMove,
  review,
  revise,
  type SentenceEncoder,
  type SplitItem,
  type State,
  textsToEncode,
} from '@groundswell/engine/index.ts'
import type { Encode } from '../encoder.ts'
import type { CallModel, Prompt } from '../language-model.ts'
import { readInstructions } from '../prompt.ts'
import { asShown, batchesOf, reasonNotTo } from '../tasks/readings/batches.ts'
import { checkReply as checkReading, type FoundPoint } from '../tasks/readings/check-reply.ts'
import { type ShownMessage, writeBatch } from '../tasks/readings/question.ts'
import { Readings } from '../tasks/readings/schema.ts'
import { MAX_READING_TOKENS } from '../tasks/readings/task.ts'
import { LINES_PER_OTHER, MIN_SHOWN } from '../tasks/reviews/cases.ts'
import { checkReply as checkReview, type Findings } from '../tasks/reviews/check-reply.ts'
import { type Shown, shownLine, writeReview } from '../tasks/reviews/question.ts'
import { Review } from '../tasks/reviews/schema.ts'
import type { LabelledMessage } from './labelled.ts'
import { type Scores, scoreState } from './scores.ts'

/** What one kind of call took. `tokens`: as the provider reported, 0 if it did not; `refused`: replies that were not believed. */
type Calls = { calls: number; tokens: number; refused: number }

/**
 * How a model read and reviewed. `unread`: messages that are grouped by their words; `empty`: those in which it found nothing. `moved`, `parts` and
 * `merged`: mentions that its reviews took out of insights, insights that were made of them, and insights that ended in another one.
 */
export type ReadingTrial = {
  before: Scores
  read: Scores
  reviewed: Scores
  reading: Calls & { unread: number; empty: number }
  reviews: Calls & { moved: number; parts: number; merged: number }
}

/** What a trial needs of its surroundings. `encodeAll`: the vectors to group with; null: words are compared. */
export type Surroundings = {
  call: CallModel
  encode: Encode
  encodeAll: (texts: readonly string[]) => Promise<SentenceEncoder | null>
  signal: AbortSignal
  onCall?: (calls: number) => void
}

/** Later ones change little. */
const ROUNDS = 2

const BYTES_PER_TOKEN = 4
/** Of the reply about a message. */
const REPLY_TOKENS = 40

/** The calls and tokens that reading will take, at four bytes a token. What reviews take depends on what is read. */
export async function estimateReading(
  messages: readonly { text: string }[],
): Promise<{ calls: number; tokens: number }> {
  const batches = batchesOf(shownMessages(messages).filter(({ message }) => reasonNotTo(message) === null))
  const instructions = Buffer.byteLength(await instructionsOf('readings'))
  const sent = batches.reduce((sum, batch) => sum + instructions + Buffer.byteLength(writeBatch(batch).text), 0)
  const replied = batches.reduce((sum, batch) => sum + batch.length * REPLY_TOKENS, 0)
  return { calls: batches.length, tokens: Math.round(sent / BYTES_PER_TOKEN) + replied }
}

/** Has a model read labelled messages, groups what it read, has it review the insights, and compares each step with the labels. Stores nothing. */
export async function tryReading(
  messages: readonly LabelledMessage[],
  surroundings: Surroundings,
): Promise<ReadingTrial> {
  const items = messages.map(({ label: _label, ...item }): SplitItem => item)
  const before = scoreState(await grouped(items, surroundings), messages)
  let read = before
  const { state, reading, reviews } = await readGroupReview(items, surroundings, (asRead) => {
    read = scoreState(asRead, messages)
  })
  return { before, read, reviewed: scoreState(state, messages), reading, reviews }
}

/** Insights of messages that a model read and reviewed. `items`: the messages with what was read in them. */
type ReadGroups = Pick<ReadingTrial, 'reading' | 'reviews'> & { state: State; items: SplitItem[] }

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
  const reviews = { calls: 0, tokens: 0, refused: 0 }
  const done = await reviewAll(state, items, encoder, surroundings, reviews)
  return {
    state,
    items,
    reading: {
      ...reading,
      unread: points.filter((found) => found === null).length,
      empty: points.filter((found) => found?.length === 0).length,
    },
    reviews: { ...reviews, ...done },
  }
}

async function grouped(items: readonly SplitItem[], { encodeAll }: Surroundings): Promise<State> {
  const encoder = await encodeAll(textsToEncode(items))
  return groupedState(items, encoder ? { encoder } : {})
}

const instructionsOf = (task: string) => readInstructions(path.resolve(import.meta.dirname, '../tasks', task))

/** The messages as they are sent; their item ids are their places. */
function shownMessages(messages: readonly { text: string }[]): ShownMessage[] {
  return messages.map(({ text }, at) => asShown({ itemId: at, text, hash: '', before: null }))
}

/** Calls the model and counts. */
async function ask({ call, signal, onCall }: Surroundings, prompt: Prompt, count: Calls): Promise<string> {
  const { text, tokens } = await call(prompt, signal)
  count.calls++
  count.tokens += tokens ?? 0
  onCall?.(count.calls)
  return text
}

/** What was read in each message; null where nothing could be. A batch whose reply is not believed is asked about again in halves. */
async function readAll(
  messages: readonly { text: string }[],
  surroundings: Surroundings,
  count: Calls,
): Promise<(FoundPoint[] | null)[]> {
  const instructions = await instructionsOf('readings')
  const read = messages.map((): FoundPoint[] | null => null)
  const open = batchesOf(shownMessages(messages).filter(({ message }) => reasonNotTo(message) === null))
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

type Insight = { id: number; name: string; shown: Shown[]; mentions: number; mean: Float32Array | null }

async function reviewAll(
  state: State,
  items: readonly SplitItem[],
  encoder: SentenceEncoder | null,
  surroundings: Surroundings,
  count: Calls,
): Promise<{ moved: number; parts: number; merged: number }> {
  const instructions = await instructionsOf('reviews')
  const places = new Map(items.map((item, place) => [item.id, place]))
  const done = { moved: 0, parts: 0, merged: 0 }
  const reviewed = new Map<number, number>()
  const same = new Map<number, readonly number[]>()
  for (let round = 0; round < ROUNDS; round++) {
    const open = openInsights(state, { items, places, encoder })
    const due = open.filter(
      ({ id, mentions, shown }) => isReviewDue(mentions, reviewed.get(id) ?? 0) && shown.length >= MIN_SHOWN,
    )
    const moves: ReviewMove[] = []
    for (const insight of due) {
      reviewed.set(insight.id, insight.mentions)
      const near = nearestIssues(insight, open)
      const far = open.find((other) => other !== insight && !near.includes(other))
      const question = writeReview({
        name: insight.name,
        shown: insight.shown,
        near: near.map(asOther),
        far: far ? asOther(far) : null,
      })
      const prompt = { instructions, message: question.text, schema: Review }
      const found = checkReview(await ask(surroundings, prompt, count), question)
      if (!found) count.refused++
      moves.push(...movesOf(insight.id, items, found))
      same.set(insight.id, found?.same ?? [])
    }
    const changes = review(state, { moves, merges: agreedMerges(open, same) })
    for (const { into, statementIds } of changes.merged)
      reviewed.set(into, (reviewed.get(into) ?? 0) + statementIds.length)
    done.moved += changes.taken.length
    done.parts += changes.events.filter(({ kind }) => kind === 'born').length
    done.merged += changes.merged.length
    revise(state)
  }
  return done
}

type Sources = {
  items: readonly SplitItem[]
  places: ReadonlyMap<string, number>
  encoder: SentenceEncoder | null
}

/** Regular insights with enough mentions, the largest first. Mentions that address models are not shown. */
function openInsights(state: State, { items, places, encoder }: Sources): Insight[] {
  return issues(state)
    .filter(({ issueId, visible, mentions }) => visible && !isEmerging(issueId) && mentions >= REVIEWED_FROM)
    .map(({ issueId, mentions, statementIds }) => {
      const shown = statementIds.slice(-MAX_REVIEWED).flatMap((id) => shownOf(id, items, places))
      const vectors = shown.flatMap(({ line }) => encoder?.vectors.get(line) ?? [])
      return { id: issueId, name: describe(state, issueId).name, shown, mentions, mean: meanDirection(vectors) }
    })
    .sort((a, b) => b.mentions - a.mentions || a.id - b.id)
}

/** A statement as a review shows it. Its item id is the place of its message. */
function shownOf(statementId: string, items: readonly SplitItem[], places: ReadonlyMap<string, number>): Shown[] {
  const at = statementId.lastIndexOf(':')
  const itemId = places.get(statementId.slice(0, at)) as number
  const number = Number(statementId.slice(at + 1))
  const { text: message, points } = items[itemId] as SplitItem
  const read = points?.[number]
  const text = read ? message.slice(read.start, read.end) : message
  const point = read?.point ?? null
  const line = shownLine({ text, point })
  return line === null
    ? []
    : [{ line, mention: { itemId, number, start: read?.start ?? 0, message, text, point, hash: '' } }]
}

const asOther = ({ id, name, shown }: Insight) => ({
  issueNumber: id,
  name,
  lines: shown.slice(-LINES_PER_OTHER).map(({ line }) => line),
})

function movesOf(from: number, items: readonly SplitItem[], found: Findings | null): ReviewMove[] {
  return (found?.strangers ?? []).map(({ mention: { itemId, number }, to, part }) => ({
    statementId: `${(items[itemId] as SplitItem).id}:${number}`,
    from,
    to,
    ...(part === null ? {} : { part }),
  }))
}
