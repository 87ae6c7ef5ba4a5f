import { readDescribed, readNewestEvidence, readShownNames, readUndescribed } from '../../../insights/index.ts'
import { newMark, writeData } from '../../prompt.ts'
import type { Found, Question, TaskRun } from '../../task.ts'
import { applyReply, storeRefusal } from './apply.ts'
import { othersNames, refusals } from './check-reply.ts'
import { countPeople, type Evidence, gatherEvidence, MENTIONS_READ, MIN_PEOPLE } from './evidence.ts'
import type { NameCase, Subject } from './name-case.ts'

const CASES_PER_RUN = 10

/** Insights that are new, described differently by the engine, or much larger than when the model was asked; the largest first. */
export async function find({ services, workspaceId, askedWith, inside }: TaskRun): Promise<Found<NameCase>> {
  const by = { ...askedWith, now: services.now() }
  const due = await inside((tx) => readUndescribed(tx, workspaceId, by, CASES_PER_RUN))
  return { cases: due.map((issueNumber) => ({ issueNumber })), more: due.length === CASES_PER_RUN, version: 0 }
}

/** Too few people in an insight are recorded as a refusal without a call. */
export async function prepare(run: TaskRun, one: NameCase): Promise<Question<NameCase> | null> {
  const { refused } = one
  const subject = refused?.subject ?? (await readSubject(run, one.issueNumber))
  if (!subject) return null
  if (countPeople(subject.evidence.quotes) < MIN_PEOPLE) {
    await storeRefusal(run, subject, 'people')
    return null
  }
  const message = writeMessage(subject.evidence, newMark(), refused && refusals[refused.refusal])
  return { message, apply: (reply) => applyReply(run, one, subject, reply) }
}

/** The message about an insight: the built-in name, which consists of customers' words too, and the quotes. */
export function writeMessage(
  { title, quotes }: Pick<Evidence, 'title' | 'quotes'>,
  mark: string,
  complaint?: string,
): string {
  return writeData({ title, messages: quotes.map(({ text }) => text) }, mark, { complaint })
}

/** What an insight is named by, as it is now; null when it is no longer shown. */
export function readSubject({ workspaceId, inside }: TaskRun, issueNumber: number): Promise<Subject | null> {
  return inside(async (tx) => {
    const described = await readDescribed(tx, workspaceId, issueNumber)
    if (!described) return null
    const mentions = await readNewestEvidence(tx, workspaceId, [issueNumber], MENTIONS_READ)
    const names = await readShownNames(tx, workspaceId)
    return {
      described,
      evidence: gatherEvidence(described.name, mentions),
      taken: othersNames(names, issueNumber),
    }
  })
}
