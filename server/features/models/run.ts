import type { LlmSettings } from '../../platform/config/config.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { ModelFailure } from './failure.ts'
import { type Ask, openModel, ProviderMissing } from './provider.ts'
import * as store from './store.ts'

export type RunOptions = {
  signal: AbortSignal
  /** No further try follows this one: a model that is out of reach is then left alone for a while. */
  lastAttempt: boolean
}

/** `more`: this run gave way although there is more to do. */
export type RunOutcome = { asked: number; more: boolean }

/** A run gives way after so long, well within the time that one run of a job may take. */
export const RUN_MS = 5 * 60_000
const PAUSE_MS = 10 * 60_000
/** After so many refusals of the request itself, one after the other, it is not about the insights. */
const REJECTIONS = 3

const opened = new WeakMap<LlmSettings, Promise<Ask>>()

/** True while no call may be made. */
export async function isPaused(services: Services): Promise<boolean> {
  const trouble = await withoutWorkspace(services.db, store.readTrouble)
  return trouble?.pausedUntil ? trouble.pausedUntil > services.now() : false
}

/** The model, ready to be asked; null while no call may be made, and when its provider is not installed, which operators are told. */
export async function openOrComplain(services: Services, settings: LlmSettings): Promise<Ask | null> {
  if (await isPaused(services)) return null
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
export async function endsRun(
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
  if (news)
    services.log.warn({ err: what }, 'the language model is not asked for now: everything stays as the engine makes it')
}

/** To be called when the model has answered. */
export async function clearTrouble(services: Services): Promise<void> {
  if (await withoutWorkspace(services.db, store.clearTrouble)) services.log.info('the language model answers again')
}
