import { randomInt } from 'node:crypto'
import type { ReviewedMention } from '../../../insights/index.ts'
import { contentWords, sameWord } from '../../content-words.ts'
import { DECOYS } from '../../decoys.ts'
import { speaksToModels } from '../../injection.ts'
import { oneLine, withoutAddresses } from '../../plain-text.ts'
import { newMark, writeData } from '../../prompt.ts'
import { RandomIds } from '../../random-ids.ts'

/** A mention as it is shown to the model: the point that was read in it, or else its words. */
export type Shown = { mention: ReviewedMention; line: string }

/** An insight close to the reviewed one. */
type Near = { issueNumber: number; name: string; lines: string[] }

/**
 * An insight to review. `far`: one that is surely another problem; null: there is none. `again`: it was reviewed before, so that the insights beside it have names
 * by then, which are shown without a message.
 */
export type Subject = {
  issueNumber: number
  name: string
  shown: Shown[]
  near: Near[]
  far: Near | null
  again: boolean
}

/**
 * What was asked about an insight, which has the id `id`. `asked`: its mentions by their ids; `controls`: ids of messages that surely do not belong to it;
 * `others`: other insights by their ids; `far` is surely not the same problem. `typical`: the mention that surely belongs to it; null: none does.
 */
export type AskedReview = {
  id: string
  asked: ReadonlyMap<string, Shown>
  controls: readonly string[]
  others: ReadonlyMap<string, number>
  far: number | null
  typical: Shown | null
}

/** What is sent about some insights. `reviews`: in their order. */
export type ReviewQuestion = { text: string; reviews: AskedReview[] }

type Written = { name: string; messages: Record<string, string>; others: Record<string, string[]> }

/** A mention as it may be shown; null: it addresses a model, or nothing of it is left. */
export function shownLine({ text, point }: Pick<ReviewedMention, 'text' | 'point'>): string | null {
  const line = oneLine(withoutAddresses(point ?? text))
  return line === '' || speaksToModels(text) || speaksToModels(line) ? null : line
}

/**
 * The mention that has the most words in common with the others; null: none has any. Of 274 insights of the labelled companies, it was about something else than
 * most in four.
 */
export function typicalOf(shown: readonly Shown[]): Shown | null {
  const words = shown.map(({ line }) => contentWords(line))
  let most = 0
  let typical: Shown | null = null
  for (const [at, own] of words.entries()) {
    const others = words.filter((_, other) => other !== at).flat()
    const shared = others.filter((word) => own.some((one) => sameWord(one, word))).length
    if (shared <= most) continue
    most = shared
    typical = shown[at] as Shown
  }
  return typical
}

/** Puts insights into one message, each with controls of its own. Everything has a random id and a random place. */
export function writeReviews(subjects: readonly Subject[]): ReviewQuestion {
  const ids = new RandomIds()
  const written = subjects.map((subject) => writeReview(subject, ids))
  const insights = Object.fromEntries(written.map(({ review, data }) => [review.id, data]))
  return {
    text: writeData({ insights }, newMark(), { compact: true }),
    reviews: written.map(({ review }) => review),
  }
}

function writeReview(
  { issueNumber, name, shown, near, far, again }: Subject,
  ids: RandomIds,
): { review: AskedReview; data: Written } {
  const idOf = (what: string) => ids.of(`${issueNumber} ${what}`)
  const controls: [string, string][] = [
    [idOf('decoy'), DECOYS[randomInt(DECOYS.length)] as string],
    ...(far === null ? [] : [[idOf('planted'), far.lines[0] as string] satisfies [string, string]]),
  ]
  const asked = new Map(shown.map((one) => [idOf(`m${one.mention.itemId}:${one.mention.number}`), one] as const))
  const messages = [...asked].map(([id, { line }]): [string, string] => [id, line])
  for (const control of controls) messages.splice(randomInt(messages.length + 1), 0, control)
  const beside = near.map((one) => ({ ...one, line: one.lines[0] }))
  // Its first message is among those of the insight.
  if (far !== null) beside.splice(randomInt(beside.length + 1), 0, { ...far, line: far.lines[1] })
  const others = new Map(beside.map((one) => [idOf(`i${one.issueNumber}`), one.issueNumber] as const))
  const writtenOthers = beside.map((one): [string, string[]] => [
    idOf(`i${one.issueNumber}`),
    [one.name, ...(again || one.line === undefined ? [] : [one.line])],
  ])
  return {
    review: {
      id: idOf(''),
      asked,
      controls: controls.map(([id]) => id),
      others,
      far: far?.issueNumber ?? null,
      typical: typicalOf(shown),
    },
    data: { name, messages: Object.fromEntries(messages), others: Object.fromEntries(writtenOthers) },
  }
}
