import { newMark } from '../prompt.ts'
import { writeMessage } from '../tasks/names/cases.ts'
import { checkReply, nameKey, refusals } from '../tasks/names/check-reply.ts'
import { countPeople, gatherEvidence, MENTIONS_READ, MIN_PEOPLE } from '../tasks/names/evidence.ts'
import { Reply } from '../tasks/names/schema.ts'
import type { OpenInsight } from './insights-to-review.ts'
import { instructionsOf } from './messages-to-read.ts'
import { ask, type Calls, type Surroundings } from './surroundings.ts'

/** How a model named insights. `insights`: those that it was asked about; `first`: names that were taken at once; `second`: after asking once more. */
export type NamingTrial = Calls & { insights: number; first: number; second: number }

/** Has a model name insights, and judges each name as the product does. Names that are taken keep the next ones from being the same. */
export async function tryNames(
  open: readonly OpenInsight[],
  surroundings: Omit<Surroundings, 'encodeAll'>,
): Promise<NamingTrial> {
  const instructions = await instructionsOf('names')
  const trial: NamingTrial = { calls: 0, tokens: 0, refused: 0, insights: 0, first: 0, second: 0 }
  const names = new Map(open.map(({ id, name }) => [id, nameKey(name)]))
  for (const { id, name, shown } of open) {
    const said = shown.slice(-MENTIONS_READ).map(({ mention: { text, point } }) => ({ text, author: null, point }))
    const evidence = gatherEvidence(name, said)
    if (countPeople(evidence.quotes) < MIN_PEOPLE) continue
    trial.insights++
    const taken = new Set([...names].flatMap(([other, key]) => (other === id ? [] : [key])))
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
