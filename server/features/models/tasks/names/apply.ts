import type { Tx } from '../../../../platform/db/tenant.ts'
import {
  type Described,
  noteRenamed,
  raiseRevision,
  readDescribed,
  readNames,
  readShownNames,
  storeDescription,
  tagInsights,
} from '../../../insights/index.ts'
import { encoderFor } from '../../encoder.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { checkDescription, checkReply, nameKey, othersNames, type Refusal } from './check-reply.ts'
import { countPeople, isEnglish, MIN_PEOPLE } from './evidence.ts'
import type { NameCase, Subject } from './name-case.ts'

/** Shows a good answer. After a refused one, the model is asked once more with the reason; then the built-in name stays. */
export async function applyReply(
  run: TaskRun,
  { issueNumber, refused }: NameCase,
  subject: Subject,
  reply: TaskReply,
): Promise<Applied<NameCase>> {
  const verdict = await checkReply(reply.text, subject.evidence, subject.taken, encoderFor(run))
  const tokens = (refused?.tokens ?? 0) + reply.tokens
  if (!verdict.ok && !refused) {
    return { useful: false, followUps: [{ issueNumber, refused: { subject, refusal: verdict.refusal, tokens } }] }
  }
  if (verdict.ok) await storeAnswer(run, subject, verdict, tokens)
  else await storeRefusal(run, subject, verdict.refusal, tokens)
  return { useful: true }
}

/** Records that an insight has no name from the model, and why, unless the engine now describes it differently. */
export async function storeRefusal(
  { services, workspaceId, askedWith, inside }: TaskRun,
  { described }: Pick<Subject, 'described'>,
  refused: Refusal | 'people',
  tokens = 0,
): Promise<void> {
  await inside(async (tx) => {
    if (!(await readCurrent(tx, workspaceId, described))) return
    const outcome = { ...described, ...askedWith, tokens, answer: null, refused }
    await storeDescription(tx, workspaceId, outcome, services.now())
  })
}

/**
 * Shows the name that a review gave, if it may be shown and most of the messages are in English, as what was read in them is. If not, the insight is named
 * in a call of its own afterwards.
 */
export async function applyReviewed(
  run: TaskRun,
  subject: Subject,
  described: { name: string; summary: string },
): Promise<void> {
  const { evidence, taken } = subject
  if (countPeople(evidence.quotes) < MIN_PEOPLE || !isEnglish(evidence)) return
  const verdict = await checkDescription({ ...described, isQuoted: true }, evidence, taken, encoderFor(run))
  if (verdict.ok) await storeAnswer(run, subject, verdict, 0)
}

/**
 * Stores a name and shows it, unless the engine now describes the insight differently or another insight has taken the name meanwhile. The revision is raised first, as grouping does, so that the two cannot deadlock.
 */
async function storeAnswer(
  { services, workspaceId, askedWith, inside }: TaskRun,
  { described }: Subject,
  answer: { name: string; summary: string },
  tokens: number,
): Promise<void> {
  const { issueNumber } = described
  const { name, summary } = answer
  await inside(async (tx) => {
    const now = services.now()
    const revision = await raiseRevision(tx, workspaceId)
    const current = await readCurrent(tx, workspaceId, described)
    if (!current) return
    const names = await readShownNames(tx, workspaceId)
    const outcome = { ...described, ...askedWith, tokens }
    if (othersNames(names, issueNumber).has(nameKey(name))) {
      await storeDescription(tx, workspaceId, { ...outcome, answer: null, refused: 'taken' }, now)
      return
    }
    await storeDescription(tx, workspaceId, { ...outcome, answer: { name, summary }, refused: null }, now)
    const from = names.get(issueNumber) ?? current.name
    // A name given by a person stays the shown one.
    const to = (await readNames(tx, workspaceId, [issueNumber])).get(issueNumber) ?? name
    await noteRenamed(tx, workspaceId, issueNumber, { from, to }, { revision, at: now })
    await tagInsights(services)(tx, workspaceId, [issueNumber])
  })
}

/** The insight as it is described now; null when that has changed since. */
async function readCurrent(tx: Tx, workspaceId: string, before: Described): Promise<Described | null> {
  const current = await readDescribed(tx, workspaceId, before.issueNumber)
  return current?.hash === before.hash ? current : null
}
