import type { LlmSettings } from '../../platform/config/config.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import {
  type Described,
  noteRenamed,
  postponeDescription,
  raiseRevision,
  readDescribed,
  readNames,
  readNewestEvidence,
  readShownNames,
  readUndescribed,
  storeDescription,
  tagInsights,
} from '../insights/index.ts'
import { type Asked, askAbout, type Model } from './ask.ts'
import { nameKey } from './check-reply.ts'
import { countPeople, gatherEvidence, MENTIONS_READ, MIN_PEOPLE } from './evidence.ts'
import { ModelFailure } from './failure.ts'
import { PROMPT_VERSION, readInstructions } from './prompt.ts'
import { clearTrouble, endsRun, isPaused, openOrComplain, RUN_MS, type RunOptions, type RunOutcome } from './run.ts'

const AT_ONCE = 10
/**
 * Asks the model about what is due in one workspace, the largest insights first. Throws what the queue is to try again: a
 * pause that the provider asks for, and a model out of reach. Everything else is settled here, and the engine's names stay.
 */
export async function describeWorkspace(
  services: Services,
  settings: LlmSettings,
  workspaceId: string,
  options: RunOptions,
): Promise<RunOutcome> {
  const outcome: RunOutcome = { asked: 0, more: false }
  const ask = await openOrComplain(services, settings)
  if (!ask) return outcome
  const { model: modelId, tokensPerDay } = settings
  const model: Model = {
    services,
    workspaceId,
    ask,
    instructions: await readInstructions(PROMPT_VERSION),
    tokensPerDay,
  }
  const by = { model: modelId, promptVersion: PROMPT_VERSION }
  const due = await inWorkspace(services.db, workspaceId, (tx) =>
    readUndescribed(tx, workspaceId, { ...by, now: services.now() }, AT_ONCE),
  )
  const endsAt = performance.now() + RUN_MS
  let rejections = 0
  for (const issueNumber of due) {
    options.signal.throwIfAborted()
    if (performance.now() > endsAt) return { ...outcome, more: true }
    if (await isPaused(services)) return outcome
    const found = await inWorkspace(services.db, workspaceId, (tx) => readQuestion(tx, workspaceId, issueNumber))
    if (!found) continue
    const { described, evidence, taken } = found
    try {
      const asked: Asked | null =
        countPeople(evidence.quotes) < MIN_PEOPLE ? null : await askAbout(model, evidence, taken, options.signal)
      if (asked?.kind === 'spent') return outcome
      if (asked) {
        outcome.asked++
        rejections = 0
        await clearTrouble(services)
      }
      await inWorkspace(services.db, workspaceId, (tx) => settle(tx, services, workspaceId, described, asked, by))
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      if (error.kind === 'rejected') rejections++
      if (error.kind === 'rejected' || (error.kind === 'unavailable' && options.lastAttempt)) {
        await inWorkspace(services.db, workspaceId, (tx) =>
          postponeDescription(tx, workspaceId, described, by, services.now()),
        )
      }
      if (await endsRun(services, error, { rejections, lastAttempt: options.lastAttempt })) return outcome
    }
  }
  return { ...outcome, more: due.length === AT_ONCE }
}

type Question = { described: Described; evidence: ReturnType<typeof gatherEvidence>; taken: Set<string> }

async function readQuestion(tx: Tx, workspaceId: string, issueNumber: number): Promise<Question | null> {
  const described = await readDescribed(tx, workspaceId, issueNumber)
  if (!described) return null
  const mentions = await readNewestEvidence(tx, workspaceId, [issueNumber], MENTIONS_READ)
  return {
    described,
    evidence: gatherEvidence(described.name, mentions),
    taken: othersNames(await readShownNames(tx, workspaceId), issueNumber),
  }
}

function othersNames(names: ReadonlyMap<number, string>, issueNumber: number): Set<string> {
  return new Set([...names].filter(([number]) => number !== issueNumber).map(([, name]) => nameKey(name)))
}

/**
 * Writes down what came of asking, unless the engine describes the insight anew by now. The revision is raised first, as
 * grouping does, so that the two wait for each other instead of locking each other out.
 */
async function settle(
  tx: Tx,
  services: Services,
  workspaceId: string,
  { issueNumber, hash, mentions }: Described,
  asked: Exclude<Asked, { kind: 'spent' }> | null,
  by: { model: string; promptVersion: string },
): Promise<void> {
  const now = services.now()
  const revision = asked?.kind === 'answer' ? await raiseRevision(tx, workspaceId) : 0
  const current = await readDescribed(tx, workspaceId, issueNumber)
  if (current?.hash !== hash) return
  const base = { issueNumber, hash, mentions, ...by, tokens: asked?.tokens ?? 0 }
  const names = await readShownNames(tx, workspaceId)
  const taken = asked?.kind === 'answer' && othersNames(names, issueNumber).has(nameKey(asked.name))
  if (asked?.kind !== 'answer' || taken) {
    const refused = taken ? 'taken' : asked?.kind === 'refused' ? asked.refusal : 'people'
    await storeDescription(tx, workspaceId, { ...base, answer: null, refused }, now)
    return
  }
  const { name, summary } = asked
  await storeDescription(tx, workspaceId, { ...base, answer: { name, summary }, refused: null }, now)
  const from = names.get(issueNumber) ?? current.name
  // A person's name stays the shown one.
  const to = (await readNames(tx, workspaceId, [issueNumber])).get(issueNumber) ?? name
  await noteRenamed(tx, workspaceId, issueNumber, { from, to }, { revision, at: now })
  await tagInsights(services)(tx, workspaceId, [issueNumber])
}
