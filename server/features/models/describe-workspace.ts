import type { LlmSettings } from '../../platform/config/config.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import {
  noteRenamed,
  raiseRevision,
  readNames,
  readNewestEvidence,
  readShownNames,
  tagInsights,
} from '../insights/index.ts'
import { type Asked, askAbout, type Model } from './ask.ts'
import { nameKey } from './check-reply.ts'
import { countPeople, gatherEvidence, LEAST_PEOPLE, MENTIONS_READ } from './evidence.ts'
import { ModelFailure } from './failure.ts'
import { PROMPT_VERSION, readInstructions } from './prompt.ts'
import { type Ask, openModel, ProviderMissing } from './provider.ts'
import * as store from './store.ts'

export type RunOptions = {
  signal: AbortSignal
  /** No further try follows this one: a model that is out of reach is then left alone for a while. */
  lastAttempt: boolean
}

/** `more`: this run gave way although there is more to do. */
export type RunOutcome = { asked: number; more: boolean }

const AT_ONCE = 10
/** A run gives way after so long, well within the time that one run of a job may take. */
const RUN_MS = 5 * 60_000
const PAUSE_MS = 10 * 60_000
/** After so many refusals of the request itself, one after the other, it is not about the insights. */
const REJECTIONS = 3

const opened = new WeakMap<LlmSettings, Promise<Ask>>()

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
  if (await isPaused(services)) return outcome
  const ask = await openOrComplain(services, settings)
  if (!ask) return outcome
  const { model: modelId, tokensPerDay } = settings
  const model: Model = { services, workspaceId, ask, instructions: await readInstructions(), tokensPerDay }
  const by = { model: modelId, promptVersion: PROMPT_VERSION }
  const due = await inWorkspace(services.db, workspaceId, (tx) =>
    store.readDue(tx, workspaceId, { ...by, now: services.now() }, AT_ONCE),
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
        countPeople(evidence.quotes) < LEAST_PEOPLE ? null : await askAbout(model, evidence, taken, options.signal)
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
          store.setAside(tx, workspaceId, described, by, services.now()),
        )
      }
      if (await endsRun(services, error, { rejections, lastAttempt: options.lastAttempt })) return outcome
    }
  }
  return { ...outcome, more: due.length === AT_ONCE }
}

/** True while no call may be made. */
export async function isPaused(services: Services): Promise<boolean> {
  const trouble = await withoutWorkspace(services.db, store.readTrouble)
  return trouble?.pausedUntil ? trouble.pausedUntil > services.now() : false
}

type Question = { described: store.Described; evidence: ReturnType<typeof gatherEvidence>; taken: Set<string> }

async function readQuestion(tx: Tx, workspaceId: string, issueNumber: number): Promise<Question | null> {
  const described = await store.readDescribed(tx, workspaceId, issueNumber)
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
  { issueNumber, hash, mentions }: store.Described,
  asked: Exclude<Asked, { kind: 'spent' }> | null,
  by: { model: string; promptVersion: string },
): Promise<void> {
  const now = services.now()
  const revision = asked?.kind === 'answer' ? await raiseRevision(tx, workspaceId) : 0
  const current = await store.readDescribed(tx, workspaceId, issueNumber)
  if (current?.hash !== hash) return
  const base = { issueNumber, hash, mentions, ...by, tokens: asked?.tokens ?? 0 }
  const names = await readShownNames(tx, workspaceId)
  const taken = asked?.kind === 'answer' && othersNames(names, issueNumber).has(nameKey(asked.name))
  if (asked?.kind !== 'answer' || taken) {
    const refused = taken ? 'taken' : asked?.kind === 'refused' ? asked.refusal : 'people'
    await store.storeOutcome(tx, workspaceId, { ...base, answer: null, refused }, now)
    return
  }
  const { name, summary } = asked
  await store.storeOutcome(tx, workspaceId, { ...base, answer: { name, summary }, refused: null }, now)
  const from = names.get(issueNumber) ?? current.name
  // A person's name stays the shown one.
  const to = (await readNames(tx, workspaceId, [issueNumber])).get(issueNumber) ?? name
  await noteRenamed(tx, workspaceId, issueNumber, { from, to }, { revision, at: now })
  await tagInsights(services)(tx, workspaceId, [issueNumber])
}

async function openOrComplain(services: Services, settings: LlmSettings): Promise<Ask | null> {
  const opening = opened.get(settings) ?? openModel(settings, { now: services.now })
  opened.set(settings, opening)
  try {
    return await opening
  } catch (error) {
    opened.delete(settings)
    if (!(error instanceof ProviderMissing)) throw error
    await complain(services, error.message, PAUSE_MS)
    return null
  }
}

/** Tells operators of a failure and decides whether the run goes on. Throws what the queue is to try again. */
async function endsRun(
  services: Services,
  failure: ModelFailure,
  { rejections, lastAttempt }: { rejections: number; lastAttempt: boolean },
): Promise<boolean> {
  switch (failure.kind) {
    case 'auth':
      await complain(services, failure.message, PAUSE_MS)
      return true
    case 'rate-limited':
      await complain(services, failure.message, (failure.retryAfter ?? 0) * 1000)
      throw failure
    case 'unavailable':
      if (!lastAttempt) throw failure
      await complain(services, failure.message, PAUSE_MS)
      return true
    case 'rejected':
      await complain(services, failure.message, rejections >= REJECTIONS ? PAUSE_MS : null)
      return rejections >= REJECTIONS
  }
}

/** Says what is wrong once, in the log, and until it is over to `groundswell doctor`. */
async function complain(services: Services, what: string, pauseMs: number | null): Promise<void> {
  const now = services.now()
  const until = pauseMs === null ? null : new Date(now.getTime() + pauseMs)
  const news = await withoutWorkspace(services.db, (tx) => store.noteTrouble(tx, what, until, now))
  if (news) services.log.warn({ err: what }, 'the language model names nothing for now: the built-in names stay')
}

async function clearTrouble(services: Services): Promise<void> {
  if (await withoutWorkspace(services.db, store.clearTrouble)) services.log.info('the language model answers again')
}
