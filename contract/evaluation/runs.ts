import * as z from 'zod/mini'
import { route } from '../route.ts'

/** The most messages of one run, in all its windows. */
export const MAX_RUN_MESSAGES = 20_000
/** The most runs that a workspace keeps. */
export const MAX_RUNS = 50

/** The lengths of a window that the screen offers, in days. */
export const WINDOW_DAYS = [7, 14, 30, 90] as const

/** The most messages of a run that a language model reads, and of one window that a single prompt holds. */
export const MAX_MODEL_MESSAGES = 5_000
/** The most messages of one window that a single prompt holds. */
export const MAX_PROMPT_MESSAGES = 500
/** Two, so that their agreement is that of a pair. */
export const MAX_JUDGES = 2
/** The most generators of a run that call a language model. */
export const MAX_MODEL_GENERATORS = 24

/** What a response consists of: each of these is a schema, described in docs/evaluation.md. */
export const RESPONSE_CLASS_NAMES = ['IssueName', 'Issue', 'IssueWithQuotes', 'IssueWithQuotesAndTags'] as const
/** How much a model may reason before it answers, least first; `none`: it does not. */
export const REASONINGS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
/** How long the answers of a model are to be, shortest first. */
export const VERBOSITIES = ['low', 'medium', 'high'] as const

/**
 * A run of the caller's workspace: generators answer windows of its feedback, and evaluators grade the answers. `directory` names it in the calls
 * `/comparison/*`, `sessions` in `/eval/*` once it is graded. `reason`: why it failed or was left incomplete. `done` of `all`: answers, while it is
 * `grading` grades. `removed`: windows that were emptied since a message in them was deleted or edited. `tokens`: used by language models, judges included.
 * `judges`: the models that grade it, or graded it.
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
  judges: z.array(z.string()),
  started_by: z.string(),
  started_at: z.string(),
})
export type EvaluationRun = z.infer<typeof EvaluationRun>

/** A configuration of the built-in engine that a run can use. */
export const OfferedGenerator = z.object({ id: z.string(), label: z.string(), says: z.string() })
export type OfferedGenerator = z.infer<typeof OfferedGenerator>

const ModelName = z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(200))

/**
 * A configuration that calls the language model. `label` names its column; null: made of the rest. `llm_model_name`: at the provider of the server.
 * `system_prompt`: the instructions of `single-prompt`, which needs them; the other method has the product's own. What is null is left to the model.
 */
export const ModelGenerator = z.strictObject({
  label: z.nullable(z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(100))),
  method: z.enum(['read-group-review', 'single-prompt']),
  llm_model_name: ModelName,
  system_prompt: z.nullable(z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(20_000))),
  temperature: z.nullable(z.number().check(z.minimum(0), z.maximum(2))),
  reasoning: z.nullable(z.enum(REASONINGS)),
  verbosity: z.nullable(z.enum(VERBOSITIES)),
  response_class: z.enum(RESPONSE_CLASS_NAMES),
})
export type ModelGenerator = z.infer<typeof ModelGenerator>

/** Whether the person agrees that messages are sent to the language model. A run that would send some needs it. */
const Send = z._default(z.boolean(), false)

const Day = z.iso.date('must be a date such as 2026-09-07')

/**
 * What a run is made of. `generators`: ids of those offered; `model_generators`: those that call the language model. `from`, `to`: the first and the last day, in UTC.
 * `days`: the length of one window; null: all days. `sources`: whether each source has windows of its own. `source_ids`: the sources; null or empty: all.
 * `repeats`: how often each window is answered again, so that stability can be graded.
 */
export const RunPlan = z.strictObject({
  name: z
    .string()
    .check(
      z.trim(),
      z.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u, 'must be letters, digits, spaces, dots and dashes, at most 80'),
    ),
  generators: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)),
  model_generators: z._default(z.array(ModelGenerator).check(z.maxLength(MAX_MODEL_GENERATORS)), []),
  send: Send,
  from: Day,
  to: Day,
  days: z.nullable(z.int().check(z.minimum(1), z.maximum(3_660))),
  sources: z._default(z.enum(['each', 'together']), 'each'),
  source_ids: z._default(z.nullable(z.array(z.string().check(z.maxLength(500))).check(z.maxLength(1_000))), null),
  repeats: z.int().check(z.minimum(0), z.maximum(5)),
})
export type RunPlan = z.infer<typeof RunPlan>

const plan: RunPlan = {
  name: 'example',
  generators: ['words'],
  model_generators: [],
  send: false,
  from: '2026-01-01',
  to: '2026-01-31',
  days: 7,
  sources: 'each',
  source_ids: null,
  repeats: 0,
}

/** What judges are asked: `judges` are names of models, which differ; `repeats`: how often each is asked about an answer. */
export const Grading = z.strictObject({
  judges: z._default(z.array(ModelName).check(z.maxLength(MAX_JUDGES)), []),
  repeats: z._default(z.int().check(z.minimum(1), z.maximum(5)), 1),
  send: Send,
})
export type Grading = z.infer<typeof Grading>

/** About, before anything is sent. `tokens_left`: of today's budget for evaluation; null: no language model is called. */
const modelUse = { calls: z.int(), tokens: z.int(), tokens_left: z.nullable(z.int()) }

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

/**
 * `first_day`, `last_day`: of the workspace's feedback, in UTC; null: there is none. `source_ids`: the sources of its windows. `model`: the language model of the
 * server, and where messages are sent; null: there is none.
 */
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
    source_ids: z.array(z.string()),
    model: z.nullable(z.object({ name: z.string(), where: z.string() })),
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
    ...modelUse,
  }),
  errors: ['invalid_input'],
  example: () => ({ body: plan }),
})

/** `invalid_input`: also when there are no messages in its windows, or messages would be sent without `send`. `conflict`: there is a run of this name, or there are MAX_RUNS. */
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
  summary: 'Stop an evaluation run, or its grading, before its next window or call of a model',
  method: 'POST',
  path: '/api/evaluation-runs/{run_id}/cancel',
  access: 'admin',
  audit: { action: 'evaluation-run.cancelled', target: 'run_id' },
  params: RunParams,
  reply: EvaluationRun,
  errors: ['invalid_input', 'not_found'],
  example: ({ evaluationRun }) => ({ params: { run_id: evaluationRun } }),
})

/** Resumes where it stopped, and tries answers that failed again. Without effect on a run that has all its answers. */
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

/** `answers`: those that would be graded. `calls` and `tokens` are those of the judges. */
export const estimateEvaluationGrading = route({
  name: 'estimateEvaluationGrading',
  summary: 'What grading an evaluation run would take; nothing is sent or stored',
  method: 'POST',
  path: '/api/evaluation-runs/{run_id}/grade/estimate',
  access: 'admin',
  audit: 'none',
  params: RunParams,
  body: Grading,
  reply: z.object({ answers: z.int(), ...modelUse }),
  errors: ['invalid_input', 'not_found'],
  example: ({ evaluationRun }) => ({ params: { run_id: evaluationRun }, body: {} }),
})

/**
 * Makes one eval session for each generator; those of an earlier grading are replaced. Grading that was interrupted resumes, if its judges are the same.
 * `conflict`: the run has not ended, or has no answers.
 */
export const gradeEvaluationRun = route({
  name: 'gradeEvaluationRun',
  summary: 'Grade the answers of an evaluation run into eval sessions, in the background',
  method: 'POST',
  path: '/api/evaluation-runs/{run_id}/grade',
  access: 'admin',
  audit: { action: 'evaluation-run.graded', target: 'run_id' },
  params: RunParams,
  body: Grading,
  reply: EvaluationRun,
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ evaluationRun }) => ({ params: { run_id: evaluationRun }, body: {} }),
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
