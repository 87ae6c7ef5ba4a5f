import { randomInt } from 'node:crypto'
import type { ReviewedMention } from '../../../insights/index.ts'
import { DECOYS } from '../../decoys.ts'
import { speaksToModels } from '../../injection.ts'
import { oneLine, withoutAddresses } from '../../plain-text.ts'
import { newMark, writeData } from '../../prompt.ts'
import { RandomIds } from '../../random-ids.ts'

/** A mention as it is shown to the model: the point that was read in it, or else its words. */
export type Shown = { mention: ReviewedMention; line: string }

/** An insight close to the reviewed one. */
type Near = { issueNumber: number; name: string; lines: string[] }

/** An insight to review. `far`: one that is surely another problem; null: there is none. */
export type Subject = { name: string; shown: Shown[]; near: Near[]; far: Near | null }

/**
 * What is sent about an insight. `asked`: the mentions by their ids; `controls`: ids of messages that surely do not belong to it; `others`: other
 * insights by their ids, of which `far` is surely not the same problem.
 */
export type ReviewQuestion = {
  text: string
  asked: ReadonlyMap<string, Shown>
  controls: readonly string[]
  others: ReadonlyMap<string, number>
  far: number | null
}

/** A mention as it may be shown; null: it addresses a model, or nothing of it is left. */
export function shownLine({ text, point }: Pick<ReviewedMention, 'text' | 'point'>): string | null {
  const line = oneLine(withoutAddresses(point ?? text))
  return line === '' || speaksToModels(text) || speaksToModels(line) ? null : line
}

/** Puts an insight into one message, with controls. Everything has a random id and a random place. */
export function writeReview({ name, shown, near, far }: Subject): ReviewQuestion {
  const ids = new RandomIds()
  const controls = [
    { id: ids.of('decoy'), text: DECOYS[randomInt(DECOYS.length)] as string },
    ...(far === null ? [] : [{ id: ids.of('planted'), text: far.lines[0] as string }]),
  ]
  const asked = new Map(shown.map((one) => [ids.of(`m${one.mention.itemId}:${one.mention.number}`), one] as const))
  const messages = [...asked].map(([id, { line }]) => ({ id, text: line }))
  for (const control of controls) messages.splice(randomInt(messages.length + 1), 0, control)
  const beside = [...near]
  // Its first message is among those of the insight.
  if (far !== null) beside.splice(randomInt(beside.length + 1), 0, { ...far, lines: far.lines.slice(1) })
  const others = new Map(beside.map(({ issueNumber }) => [ids.of(`i${issueNumber}`), issueNumber] as const))
  const written = beside.map((one) => ({ id: ids.of(`i${one.issueNumber}`), name: one.name, messages: one.lines }))
  return {
    text: writeData({ name, messages, others: written }, newMark(), { compact: true }),
    asked,
    controls: controls.map(({ id }) => id),
    others,
    far: far?.issueNumber ?? null,
  }
}
