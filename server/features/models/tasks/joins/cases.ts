import { holdGroups, readAnswered, readUndecided, requestGrouping, reuseVerdicts } from '../../../insights/index.ts'
import type { Found, Question, TaskRun } from '../../task.ts'
import { applyReply, storeAnswers } from './apply.ts'
import { type JoinCase, prepareCases } from './join-case.ts'
import { writeQuestion } from './question.ts'

/** The number of cases that one run takes up, and that one question contains. */
const CASES_PER_RUN = 40
const CASES_PER_CALL = 10

/**
 * Messages that nearly joined an insight, the nearest first, in batches. Earlier verdicts on the same words are applied, and
 * cases that may not be shown to the model are settled, without a call.
 */
export async function find(run: TaskRun): Promise<Found<JoinCase[]>> {
  const { services, workspaceId, askedWith, inside } = run
  const answered = await inside((tx) => readAnswered(tx, workspaceId, askedWith))
  const { version, cases } = await readUndecided(services, workspaceId, CASES_PER_RUN, answered)
  const open = await inside(async (tx) => {
    await holdGroups(tx, workspaceId)
    const known = await reuseVerdicts(tx, workspaceId, await prepareCases(tx, workspaceId, cases), askedWith)
    if (known.reused > 0) await requestGrouping(services)(tx, workspaceId)
    return known.open
  })
  const withheld = open.filter((one) => one.shown === null)
  if (withheld.length > 0) await storeAnswers(run, withheld, () => 'none')
  const batches = inBatches(open.filter((one) => one.shown !== null))
  return { cases: batches, more: cases.length === CASES_PER_RUN, version }
}

export async function prepare(run: TaskRun, batch: JoinCase[]): Promise<Question<JoinCase[]>> {
  const { message, ids, decoys } = writeQuestion(batch.flatMap((one) => one.shown ?? []))
  return { message, apply: (reply) => applyReply(run, batch, { ids, decoys }, reply) }
}

function inBatches(cases: readonly JoinCase[]): JoinCase[][] {
  return Array.from({ length: Math.ceil(cases.length / CASES_PER_CALL) }, (_, at) =>
    cases.slice(at * CASES_PER_CALL, (at + 1) * CASES_PER_CALL),
  )
}
