import { holdGroups, requestGrouping, storeVerdicts, type Verdict } from '../../../insights/index.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { type JoinCase, readUnchanged } from './join-case.ts'
import { readVerdicts } from './verdicts.ts'

/**
 * Stores the verdicts on a batch. A reply that is not believed is requested again in two halves, so that a single message
 * that spoils replies does not affect the others.
 */
export async function applyReply(
  run: TaskRun,
  batch: JoinCase[],
  { ids, decoys }: { ids: readonly string[]; decoys: readonly string[] },
  reply: TaskReply,
): Promise<Applied<JoinCase[]>> {
  const verdicts = readVerdicts(reply.text, ids, decoys)
  if (verdicts) {
    await storeAnswers(run, batch, (at) => (verdicts[at] ? 'yes' : 'no'))
    return { useful: true }
  }
  if (batch.length === 1) {
    await storeAnswers(run, batch, () => 'none')
    return { useful: false }
  }
  const half = Math.ceil(batch.length / 2)
  return { useful: false, followUps: [batch.slice(0, half), batch.slice(half)] }
}

/** Stores a verdict on each case. A yes requests grouping, which carries it out. */
export async function storeAnswers(
  { services, workspaceId, askedWith, inside }: TaskRun,
  cases: readonly JoinCase[],
  verdictAt: (at: number) => Verdict,
): Promise<void> {
  await inside(async (tx) => {
    await holdGroups(tx, workspaceId)
    const unchanged = await readUnchanged(tx, workspaceId, cases)
    const answers = cases.map((of, at) => ({ of, verdict: verdictAt(at), unchanged: unchanged.has(of) }))
    await storeVerdicts(tx, workspaceId, answers, askedWith, services.now())
    if (answers.some((one) => one.verdict === 'yes')) await requestGrouping(services)(tx, workspaceId)
  })
}
