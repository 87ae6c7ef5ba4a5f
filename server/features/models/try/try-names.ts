import { randomUUID } from 'node:crypto'
import type { CallModel } from '../language-model.ts'
import { writeMessage } from '../tasks/names/cases.ts'
import { checkReply, nameKey, refusals } from '../tasks/names/check-reply.ts'
import { countPeople, gatherEvidence, MENTIONS_READ, MIN_PEOPLE } from '../tasks/names/evidence.ts'
import { Reply } from '../tasks/names/schema.ts'
import type { OpenInsight } from './insights-to-review.ts'
import { instructionsOf } from './messages-to-read.ts'
import type { Calls, Surroundings } from './try-reading.ts'

/** How a model named insights. `insights`: those that it was asked about; `first`: names that were taken at once; `second`: after asking once more. */
export type NamingTrial = Calls & { insights: number; first: number; second: number }

/** Has a model name insights, and judges each name as the product does. Names that are taken keep the next ones from being the same. */
export async function tryNames(
  open: readonly OpenInsight[],
  { call, encode, signal, onCall }: Pick<Surroundings, 'call' | 'encode' | 'signal' | 'onCall'>,
): Promise<NamingTrial> {
  const instructions = await instructionsOf('names')
  const trial: NamingTrial = { calls: 0, tokens: 0, refused: 0, insights: 0, first: 0, second: 0 }
  const names = new Map(open.map(({ id, name }) => [id, nameKey(name)]))
  const ask = async (prompt: Parameters<CallModel>[0]): Promise<string> => {
    const { text, tokens } = await call(prompt, signal)
    trial.calls++
    trial.tokens += tokens ?? 0
    onCall?.(trial.calls)
    return text
  }
  for (const { id, name, shown } of open) {
    const said = shown.slice(-MENTIONS_READ).map(({ mention: { text, point } }) => ({ text, author: null, point }))
    const evidence = gatherEvidence(name, said)
    if (countPeople(evidence.quotes) < MIN_PEOPLE) continue
    trial.insights++
    const taken = new Set([...names].flatMap(([other, key]) => (other === id ? [] : [key])))
    let complaint: string | undefined
    for (const tries of ['first', 'second'] as const) {
      const message = writeMessage(evidence, randomUUID(), complaint)
      const verdict = await checkReply(await ask({ instructions, message, schema: Reply }), evidence, taken, encode)
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
