import { randomInt } from 'node:crypto'
import { DECOYS } from '../../decoys.ts'
import { newMark, writeData } from '../../prompt.ts'
import { RandomIds } from '../../random-ids.ts'
import type { JudgeCase, Shown } from './judge-case.ts'

/** What is sent about several cases. `asked`: for each case the id of its subject and those of its candidates, in their order. */
export type CasesMessage = { message: string; asked: { of: string; candidates: string[] }[]; decoys: string[] }

const CASES_PER_DECOY = 5
/**
 * Puts cases into one message, with decoys. What several cases have in common is written once. Everything has a random id and a random
 * place, so that no message can refer to another; only the candidates of a case are in order, with the control at a random place.
 */
export function writeQuestion(cases: readonly JudgeCase[]): CasesMessage {
  const ids = new RandomIds()
  const shown = new Map<string, Shown>()
  const idOf = ({ ref, shown: one }: JudgeCase['of']): string => {
    const id = ids.of(`${ref}`)
    if (one) shown.set(id, one)
    return id
  }
  const asked = cases.map(({ of, candidates }) => ({ of: idOf(of), candidates: candidates.map(idOf) }))
  const start = randomInt(DECOYS.length)
  const decoys = Array.from({ length: Math.ceil(cases.length / CASES_PER_DECOY) }, (_, at) => {
    const id = ids.of(`decoy ${at}`)
    shown.set(id, { message: DECOYS[(start + at) % DECOYS.length] as string })
    return { of: id, candidates: (asked[randomInt(asked.length)] as { candidates: string[] }).candidates }
  })
  const entries = [...shown].sort(([a], [b]) => a.localeCompare(b))
  const data = {
    insights: entries.flatMap(([id, one]) =>
      'title' in one ? [{ id, title: one.title, messages: [...one.messages] }] : [],
    ),
    messages: entries.flatMap(([id, one]) => ('message' in one ? [{ id, text: one.message }] : [])),
    questions: [
      ...asked.map((one, at) => ({ ...one, candidates: spread(one.candidates, cases[at] as JudgeCase) })),
      ...decoys,
    ]
      .map(({ of, candidates }) => ({ of, candidates }))
      .sort((a, b) => a.of.localeCompare(b.of)),
  }
  return { message: writeData(data, newMark()), asked, decoys: decoys.map(({ of }) => of) }
}

/** Moves each control to a random place. */
function spread(ids: readonly string[], { candidates }: JudgeCase): string[] {
  const order = ids.filter((_, at) => !candidates[at]?.isControl)
  ids.forEach((id, at) => {
    if (candidates[at]?.isControl) order.splice(randomInt(order.length + 1), 0, id)
  })
  return order
}
