import * as z from 'zod/mini'
import { route } from '../route.ts'

/** The most messages of one run, in all its windows. */
export const MAX_RUN_MESSAGES = 20_000
/** The most runs that a workspace keeps. */
export const MAX_RUNS = 50

/** The lengths of a window that the screen offers, in days. */
export const WINDOW_DAYS = [7, 14, 30, 90] as const

/**
 * A run of the caller's workspace: generators answer windows of its feedback, and evaluators grade the answers. `directory` names it in the calls
 * `/comparison/*`, `sessions` in `/eval/*` once it is graded. `reason`: why it failed or was left incomplete. `done` of `all`: answers, while it is
 * `grading` grades. `removed`: windows that were emptied since a message in them was deleted or edited.
 */
export const EvaluationRun = z.object({
  run_id: z.string(),
  name: z.string(),
  directory: z.string(),
  sessions: z.array(z.string()),
  generators: z.array(z.string()),
  state: z.enum(['answering', 'answered', 'cancelled', 'failed', 'grading', 'graded']),
  reason: z.nullable(z.string()),
  done: z.int(),
  all: z.int(),
  removed: z.int(),
  tokens: z.number(),
  started_by: z.string(),
  started_at: z.string(),
})
export type EvaluationRun = z.infer<typeof EvaluationRun>

/** A configuration that a run can use. `model`: whether it calls the language model. */
export const OfferedGenerator = z.object({ id: z.string(), label: z.string(), says: z.string(), model: z.boolean() })
export type OfferedGenerator = z.infer<typeof OfferedGenerator>

const Day = z.iso.date('must be a date such as 2026-09-07')

/**
 * What a run is made of. `generators`: ids of those offered. `from`, `to`: the first and the last day, in UTC. `days`: the length of one window; null:
 * one window for each source. `repeats`: how often each window is answered again, so that stability can be graded.
 */
const RunPlan = z.strictObject({
  name: z
    .string()
    .check(
      z.trim(),
      z.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u, 'must be letters, digits, spaces, dots and dashes, at most 80'),
    ),
  generators: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1, 'must not be empty'), z.maxLength(20)),
  from: Day,
  to: Day,
  days: z.nullable(z.int().check(z.minimum(1), z.maximum(3_660))),
  repeats: z.int().check(z.minimum(0), z.maximum(5)),
})
export type RunPlan = z.infer<typeof RunPlan>

const plan: RunPlan = {
  name: 'example',
  generators: ['words'],
  from: '2026-01-01',
  to: '2026-01-31',
  days: 7,
  repeats: 0,
}

const RunParams = z.object({ run_id: z.uuid() })

export const listEvaluationRuns = route({
  name: 'listEvaluationRuns',
  summary: 'The evaluation runs of the workspace, the newest first',
  method: 'GET',
  path: '/api/evaluation-runs',
  access: 'admin',
  reply: z.object({ runs: z.array(EvaluationRun) }),
  errors: [],
})

/** `first_day`, `last_day`: of the workspace's feedback, in UTC; null: there is none. */
export const getEvaluationOptions = route({
  name: 'getEvaluationOptions',
  summary: 'What an evaluation run can be made of: the generators, and the days with feedback',
  method: 'GET',
  path: '/api/evaluation-runs/options',
  access: 'admin',
  reply: z.object({
    offered: z.array(OfferedGenerator),
    first_day: z.nullable(z.string()),
    last_day: z.nullable(z.string()),
  }),
  errors: [],
})

/** `messages`: in all windows. `answers`: one for each generator and window; `made` of them are known from earlier runs. */
export const estimateEvaluationRun = route({
  name: 'estimateEvaluationRun',
  summary: 'What an evaluation run would take; nothing is sent or stored',
  method: 'POST',
  path: '/api/evaluation-runs/estimate',
  access: 'admin',
  audit: 'none',
  body: RunPlan,
  reply: z.object({
    messages: z.int(),
    windows: z.int(),
    answers: z.int(),
    made: z.int(),
    calls: z.int(),
    tokens: z.int(),
  }),
  errors: ['invalid_input'],
  example: () => ({ body: plan }),
})

/** `invalid_input`: also when there are no messages in its windows. `conflict`: there is a run of this name, or there are MAX_RUNS. */
export const startEvaluationRun = route({
  name: 'startEvaluationRun',
  summary: 'Have generators answer windows of the workspace’s feedback, in the background',
  method: 'POST',
  path: '/api/evaluation-runs',
  access: 'admin',
  audit: { action: 'evaluation-run.started', target: 'name' },
  body: RunPlan,
  reply: EvaluationRun,
  errors: ['invalid_input', 'conflict'],
  example: () => ({ body: plan }),
})

/** What was answered is kept. Without effect on a run that has ended. */
export const cancelEvaluationRun = route({
  name: 'cancelEvaluationRun',
  summary: 'Stop an evaluation run, or its grading, before its next window',
  method: 'POST',
  path: '/api/evaluation-runs/{run_id}/cancel',
  access: 'admin',
  audit: { action: 'evaluation-run.cancelled', target: 'run_id' },
  params: RunParams,
  reply: EvaluationRun,
  errors: ['invalid_input', 'not_found'],
  example: ({ evaluationRun }) => ({ params: { run_id: evaluationRun } }),
})

/** Resumes where it stopped. Without effect on a run that has all its answers. */
export const resumeEvaluationRun = route({
  name: 'resumeEvaluationRun',
  summary: 'Continue an evaluation run that was cancelled or has failed',
  method: 'POST',
  path: '/api/evaluation-runs/{run_id}/resume',
  access: 'admin',
  audit: { action: 'evaluation-run.resumed', target: 'run_id' },
  params: RunParams,
  reply: EvaluationRun,
  errors: ['invalid_input', 'not_found'],
  example: ({ evaluationRun }) => ({ params: { run_id: evaluationRun } }),
})

/** Makes one eval session for each generator; those of an earlier grading are replaced. `conflict`: the run has not ended, or has no answers. */
export const gradeEvaluationRun = route({
  name: 'gradeEvaluationRun',
  summary: 'Grade the answers of an evaluation run into eval sessions, in the background',
  method: 'POST',
  path: '/api/evaluation-runs/{run_id}/grade',
  access: 'admin',
  audit: { action: 'evaluation-run.graded', target: 'run_id' },
  params: RunParams,
  reply: EvaluationRun,
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ evaluationRun }) => ({ params: { run_id: evaluationRun } }),
})

/** With its sessions, and the scores that people gave in them. */
export const deleteEvaluationRun = route({
  name: 'deleteEvaluationRun',
  summary: 'Delete an evaluation run and its sessions',
  method: 'DELETE',
  path: '/api/evaluation-runs/{run_id}',
  access: 'admin',
  audit: { action: 'evaluation-run.deleted', target: 'run_id' },
  params: RunParams,
  reply: z.object({ deleted: z.boolean() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ evaluationRun }) => ({ params: { run_id: evaluationRun } }),
})
