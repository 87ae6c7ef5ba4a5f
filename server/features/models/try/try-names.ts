import { newMark } from '../prompt.ts'
import { writeMessage } from '../tasks/names/cases.ts'
import { checkDescription, checkReply, nameKey, refusals } from '../tasks/names/check-reply.ts'
import { countPeople, gatherEvidence, isEnglish, MENTIONS_READ, MIN_PEOPLE } from '../tasks/names/evidence.ts'
import { Reply } from '../tasks/names/schema.ts'
import type { OpenInsight } from './insights-to-review.ts'
import { instructionsOf } from './messages-to-read.ts'
import { ask, type Calls, type Surroundings } from './surroundings.ts'

/**
 * How a model named insights. `insights`: those that may be named; `reviewed`: names that reviews gave and that were taken; of the others, `first`: names that
 * were taken at once; `second`: after asking once more.
 */
export type NamingTrial = Calls & { insights: number; reviewed: number; first: number; second: number }

/** The names that reviews gave, by insight, with its mentions then. */
export type Descriptions = Map<number, { mentions: number; name: string; summary: string }>

/** Has a model name insights that have no name of a review or have changed since, and judges each name as the product does. Names that are taken keep the next ones from being the same. */
export async function tryNames(
  open: readonly OpenInsight[],
  descriptions: Readonly<Descriptions>,
  surroundings: Omit<Surroundings, 'encodeAll'>,
): Promise<NamingTrial> {
  const instructions = await instructionsOf('names')
  const trial: NamingTrial = { calls: 0, tokens: 0, refused: 0, insights: 0, reviewed: 0, first: 0, second: 0 }
  const names = new Map(open.map(({ id, name }) => [id, nameKey(name)]))
  for (const { id, name, shown, mentions } of open) {
    const read = shown.slice(-MENTIONS_READ).map(({ mention: { text, point } }) => ({ text, author: null, point }))
    const evidence = gatherEvidence(name, read)
    if (countPeople(evidence.quotes) < MIN_PEOPLE) continue
    trial.insights++
    const taken = new Set([...names].flatMap(([other, key]) => (other === id ? [] : [key])))
    const given = descriptions.get(id)
    if (given?.mentions === mentions && isEnglish(evidence)) {
      const verdict = await checkDescription({ ...given, isQuoted: true }, evidence, taken, surroundings.encode)
      if (verdict.ok) {
        trial.reviewed++
        names.set(id, nameKey(verdict.name))
        continue
      }
    }
    let complaint: string | undefined
    for (const tries of ['first', 'second'] as const) {
      const message = writeMessage(evidence, newMark(), complaint)
      const reply = await ask(surroundings, { instructions, message, schema: Reply }, trial)
      const verdict = await checkReply(reply, evidence, taken, surroundings.encode)
      if (verdict.ok) {
        trial[tries]++
        names.set(id, nameKey(verdict.name))
        break
      }
      trial.refused++
      complaint = refusals[verdict.refusal]
    }
  }
  return trial
}
