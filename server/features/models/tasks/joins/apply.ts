import { type GivenAnswer, holdGroups, type NamedStatement, storeAnswers } from '../../../insights/index.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { type Candidate, type JudgeCase, readNamed } from './judge-case.ts'
import type { CasesMessage } from './question.ts'
import { readVerdicts } from './verdicts.ts'

/**
 * Stores the answers to a batch. A reply that is not believed is requested again in two halves, so that a single message
 * that spoils replies does not affect the others.
 */
export async function applyReply(
  run: TaskRun,
  batch: JudgeCase[],
  asked: Pick<CasesMessage, 'asked' | 'decoys'>,
  reply: TaskReply,
): Promise<Applied<JudgeCase[]>> {
  const verdicts = readVerdicts(reply.text, asked)
  if (verdicts) {
    await storeGiven(run, batch, (at, candidate) => verdicts[at]?.[candidate] === true)
    return { useful: true }
  }
  const followUps = parts(batch)
  if (followUps.length === 0) await storeGiven(run, batch, () => null)
  return { useful: false, followUps }
}

/** The halves of a batch; of a single case its candidates that are insights, and those that are messages, which may be what spoils it. */
function parts(batch: JudgeCase[]): JudgeCase[][] {
  const [one] = batch
  if (batch.length > 1 || !one) {
    const half = Math.ceil(batch.length / 2)
    return [batch.slice(0, half), batch.slice(half)]
  }
  const byKind = [true, false].map((isInsight) => ({
    of: one.of,
    candidates: one.candidates.filter(({ ref }) => (typeof ref === 'number') === isInsight),
  }))
  return byKind.every(({ candidates }) => candidates.length > 0) ? byKind.map((part) => [part]) : []
}

/** Stores an answer about each candidate of each case. */
export async function storeGiven(
  { services, workspaceId, askedWith, inside }: TaskRun,
  cases: readonly JudgeCase[],
  yesAt: (at: number, candidate: number) => boolean | null,
): Promise<void> {
  await inside(async (tx) => {
    await holdGroups(tx, workspaceId)
    const refs = cases.flatMap(({ of, candidates }) => [of.ref, ...candidates.map(({ ref }) => ref)])
    const now = await readNamed(
      tx,
      workspaceId,
      refs.filter((ref) => typeof ref === 'string'),
    )
    /** The statement, detached if its words have changed since it was read. */
    const named = ({ ref, statement }: JudgeCase['of']): NamedStatement | null =>
      statement && (now.get(`${ref}`)?.statement.hash === statement.hash ? statement : { ...statement, number: null })
    const answers = cases.flatMap(({ of, candidates }, at) =>
      candidates.flatMap((one, candidate) => answerOf(of.ref, named(of), one, named(one), yesAt(at, candidate)) ?? []),
    )
    await storeAnswers(tx, workspaceId, answers, askedWith, services.now())
  })
}

function answerOf(
  of: JudgeCase['of']['ref'],
  subject: NamedStatement | null,
  { ref, score, isControl }: Candidate,
  candidate: NamedStatement | null,
  yes: boolean | null,
): GivenAnswer | null {
  const [statement, other, askedBack] =
    subject === null ? [candidate, Number(of), true] : [subject, candidate ?? Number(ref), false]
  return statement && { statement, other, askedBack, score, yes, isControl }
}
