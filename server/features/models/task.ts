import type { z } from 'zod'
import type { LlmSettings } from '../../platform/config/model-settings.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { AskedWith } from '../insights/index.ts'

/** One run of a task in one workspace. */
export type TaskRun = {
  services: Services
  workspaceId: string
  askedWith: AskedWith
  inside: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** `tokens`: what the call is counted as. */
export type TaskReply = { text: string; tokens: number }

/** `useful`: the reply could be used. `followUps` are asked about next, before the other cases. */
export type Applied<Case> = { useful: boolean; followUps?: readonly Case[] }

/** What is sent to the model, and what to do with its reply. */
export type Question<Case> = { message: string; apply(reply: TaskReply): Promise<Applied<Case>> }

/** `more`: there may be cases after these. `version`: of the groups that the cases were found in. */
export type Found<Case> = { cases: readonly Case[]; more: boolean; version: number }

/**
 * Why a case is left for later: the model rejected the request, it was unavailable in all attempts, the day's budget is used
 * up, or no reply of the whole run could be used.
 */
type Reason = 'rejected' | 'unavailable' | 'budget' | 'useless'

/** What a task has left to do, and what has to wait. */
export type Backlog<Case> = {
  isDue(tx: Tx, workspaceId: string, askedWith: AskedWith, now: Date): Promise<boolean>
  /** Every case of `version` is settled. */
  finish(run: TaskRun, version: number): Promise<void>
  /** Leaves a case alone for a while (`next`: the others continue), or the whole workspace (`stop`). */
  postpone(run: TaskRun, one: Case | null, reason: Reason): Promise<'next' | 'stop'>
}

/**
 * What a language model is asked to do. A task is a folder: `prompt.md`, the schema of a reply, how cases are found, and how
 * a reply is applied. A changed prompt gets the next version, since stored answers name the version that they were given to.
 */
export type TaskDefinition<Case> = {
  folder: string
  promptVersion: string
  schema: z.ZodType
  /** Share of the day's budget that the task may draw on. */
  budgetShare: number
  maxCallsPerRun: number
  /** The longest reply; by default `MAX_OUTPUT_TOKENS`. */
  maxOutputTokens?: number
  backlog: Backlog<Case>
  find(run: TaskRun): Promise<Found<Case>>
  /** Null: there is nothing to ask about this case, and what there was to settle is settled. */
  prepare(run: TaskRun, one: Case): Promise<Question<Case> | null>
}

/** `lastAttempt`: the queue will not retry this run, so an unavailable model is left alone for a while. */
export type RunOptions = { signal: AbortSignal; lastAttempt: boolean }

/** `more`: the run ended although there is more to do now. */
export type RunOutcome = { calls: number; more: boolean }

/** A task as jobs and the sweep see it. */
export type ModelTask = {
  promptVersion: string
  isDue(tx: Tx, workspaceId: string, settings: LlmSettings, now: Date): Promise<boolean>
  run(services: Services, settings: LlmSettings, workspaceId: string, options: RunOptions): Promise<RunOutcome>
}
