import type { LlmSettings } from '../../../platform/config/config.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import {
  holdGroups,
  readAnswered,
  readUndecided,
  requestGrouping,
  reuseVerdicts,
  storeVerdicts,
} from '../../insights/index.ts'
import { callPaid, shareOf } from '../ask.ts'
import { isDue, Look, type Looking } from '../look.ts'
import { clearTrouble, isPaused, openOrComplain, RUN_MS, type RunOptions, type RunOutcome } from '../run.ts'
import { type Case, prepareCases, readStanding } from './cases.ts'
import { JOINS_PROMPT, writeQuestion } from './question.ts'
import { readVerdicts } from './verdicts.ts'

/** So many cases are taken up in one run, and so many go into one question. */
const CASES_A_RUN = 40
const CASES_A_CALL = 10
/** A run makes no more calls than these, however many answers cannot be believed. */
const CALLS_A_RUN = 12

const LOOKING: Looking = { task: 'joins', prompt: JOINS_PROMPT }

/** True when there may be cases in a workspace. */
export function areJoinsDue(tx: Tx, workspaceId: string, settings: LlmSettings, now: Date): Promise<boolean> {
  return isDue(tx, workspaceId, LOOKING, settings, now)
}

/**
 * Asks the model about messages that an insight nearly took, the nearest first. A yes waits for the next grouping, which is
 * asked for; a no is remembered. An answer that cannot be believed is asked for again in two halves, so that one message
 * costs the others nothing. Throws what the queue is to try again; everything else is settled here, and nothing changes.
 */
export async function judgeJoins(
  services: Services,
  settings: LlmSettings,
  workspaceId: string,
  { signal, lastAttempt }: RunOptions,
): Promise<RunOutcome> {
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const outcome: RunOutcome = { asked: 0, more: false }
  const ask = await openOrComplain(services, settings)
  if (!ask) return outcome
  const by = { model: settings.model, promptVersion: JOINS_PROMPT }
  const look = new Look(services, workspaceId, LOOKING, settings)
  const settle = (answers: { of: Case; verdict: 'yes' | 'no' | 'none' }[]) =>
    inside(async (tx) => {
      await holdGroups(tx, workspaceId)
      const cases = answers.map((one) => one.of)
      const standing = await readStanding(tx, workspaceId, cases)
      const found = answers.map((one) => ({ ...one, unchanged: standing.has(one.of) }))
      await storeVerdicts(tx, workspaceId, found, by, services.now())
      if (answers.some((one) => one.verdict === 'yes')) await requestGrouping(services)(tx, workspaceId)
    })

  const asked = await inside((tx) => readAnswered(tx, workspaceId, by))
  const { version, cases: found } = await readUndecided(services, workspaceId, CASES_A_RUN, asked)
  const { open } = await inside(async (tx) => {
    await holdGroups(tx, workspaceId)
    const known = await reuseVerdicts(tx, workspaceId, await prepareCases(tx, workspaceId, found), by)
    if (known.reused > 0) await requestGrouping(services)(tx, workspaceId)
    return known
  })
  const held = open.filter((one) => one.shown === null)
  if (held.length > 0) await settle(held.map((of) => ({ of, verdict: 'none' as const })))

  const batches = inBatches(open.filter((one) => one.shown !== null))
  const model = { services, workspaceId, ask, tokensPerDay: shareOf(settings) }
  const endsAt = performance.now() + RUN_MS
  let believed = 0
  for (let calls = 0; batches.length > 0; calls++) {
    signal.throwIfAborted()
    if (calls === CALLS_A_RUN || performance.now() > endsAt) {
      if (believed === 0) await look.rest()
      return { ...outcome, more: believed > 0 }
    }
    if (await isPaused(services)) return outcome
    const batch = batches.shift() as Case[]
    try {
      const verdicts = await askOnce(model, batch, signal)
      if (verdicts === 'spent') {
        await look.budgetSpent()
        return outcome
      }
      outcome.asked += batch.length
      await clearTrouble(services)
      if (verdicts) {
        believed++
        await settle(batch.map((of, at) => ({ of, verdict: verdicts[at] ? 'yes' : 'no' })))
      } else if (batch.length === 1) {
        await settle(batch.map((of) => ({ of, verdict: 'none' })))
      } else {
        const half = Math.ceil(batch.length / 2)
        batches.unshift(batch.slice(0, half), batch.slice(half))
      }
    } catch (error) {
      await look.fail(error, lastAttempt)
      return outcome
    }
  }
  if (found.length === CASES_A_RUN) return { ...outcome, more: true }
  await look.finish(version)
  return outcome
}

async function askOnce(
  model: Parameters<typeof callPaid>[0],
  batch: readonly Case[],
  signal: AbortSignal,
): Promise<boolean[] | null | 'spent'> {
  const { question, ids, decoys } = await writeQuestion(batch.flatMap((one) => one.shown ?? []))
  const answer = await callPaid(model, question, signal)
  return answer ? readVerdicts(answer.text, ids, decoys) : 'spent'
}

function inBatches(cases: readonly Case[]): Case[][] {
  return Array.from({ length: Math.ceil(cases.length / CASES_A_CALL) }, (_, at) =>
    cases.slice(at * CASES_A_CALL, (at + 1) * CASES_A_CALL),
  )
}
