import * as z from 'zod/mini'
import { route } from '../route.ts'

const ResponseEvaluation = z.looseObject({
  avg_score: z.nullish(z.number()),
  scores: z.nullish(z.array(z.nullable(z.number()))),
  graded_rubrics: z.nullish(z.array(z.record(z.string(), z.unknown()))),
})

const RubricsEvaluation = z.looseObject({
  avg_score: z.nullish(z.number()),
  rubric_response_evaluations: z.nullish(z.array(ResponseEvaluation)),
})

const SourceMetadata = z.looseObject({
  source_id: z.nullish(z.union([z.string(), z.number()])),
  datetime_from: z.nullish(z.string()),
  comments: z.nullish(z.string()),
})

/** The evaluators of a session, in the order of their columns. */
export const Evaluators = z.array(z.looseObject({ unique_name: z.nullish(z.string()) }))

/** One response evaluation of a session. */
export const EvaluatedResponse = z.looseObject({
  responses: z.nullish(z.array(z.unknown())),
  rubrics_responses_evaluations: z.array(RubricsEvaluation),
  notes: z.nullish(z.string()),
  issues: z.nullish(z.array(z.unknown())),
  source_metadata: z.nullish(SourceMetadata),
  formatted_user_input: z.nullish(z.string()),
})

/**
 * One session of automated evaluation, as its JSON file holds it. `rubrics_responses_evaluations` has one entry per
 * evaluator, in the order of `evaluators`; each of those has one entry per response. Additional fields of a file are retained.
 */
export const EvalSession = z.looseObject({
  evaluators: Evaluators,
  response_evaluations: z.array(EvaluatedResponse),
})
export type EvalSession = z.infer<typeof EvalSession>

/** Files that cannot be used, each with the reason as text. */
export const FileProblems = z.object({
  problems: z.array(z.object({ filename: z.string(), reason: z.string() })),
})

export const listEvals = route({
  name: 'listEvals',
  summary: 'The filenames of the evaluation sessions, broken ones included',
  method: 'GET',
  path: '/eval/list_evals',
  access: 'admin',
  reply: z.array(z.string()),
  errors: [],
})

export const listEvalProblems = route({
  name: 'listEvalProblems',
  summary: 'The evaluation files that cannot be used, and why',
  method: 'GET',
  path: '/eval/problems',
  access: 'admin',
  reply: FileProblems,
  errors: [],
})

/** `filename`: one of `listEvals`. `not_found`: there is no such file. `invalid_input`: it cannot be used; the message says why. */
export const getEval = route({
  name: 'getEval',
  summary: 'One evaluation session. A file that cannot be used is refused with the reason',
  method: 'GET',
  path: '/eval/get_eval',
  access: 'admin',
  query: z.object({ filename: z.string().check(z.minLength(1)) }),
  reply: EvalSession,
  errors: ['invalid_input', 'not_found'],
  example: () => ({ query: { filename: 'none.json' } }),
})

/** The most response evaluations that one call returns. */
const MAX_EVAL_PAGES = 100

/**
 * Some response evaluations of a session: at most `count` from the one at `from` (from 0), and fewer, but at least one, when together they are larger than
 * 8 MiB. `total`: how many the session has. `invalid_input`: the file cannot be used, with the reason, or there is none at `from`.
 */
export const getEvalPages = route({
  name: 'getEvalPages',
  summary: 'Some response evaluations of a session, also of a file that is too large to be returned whole',
  method: 'GET',
  path: '/eval/pages',
  access: 'admin',
  query: z.object({
    filename: z.string().check(z.minLength(1)),
    from: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(2_147_483_647)), 0),
    count: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(MAX_EVAL_PAGES)), 20),
  }),
  reply: z.object({
    total: z.int(),
    evaluators: Evaluators,
    response_evaluations: z.array(EvaluatedResponse),
  }),
  errors: ['invalid_input', 'not_found'],
  example: () => ({ query: { filename: 'none.json' } }),
})

/** The most characters of the reason for a score. */
export const MAX_SCORE_REASON = 2_000

/** The most scores that one person gives in one file. */
export const MAX_SCORES = 10_000

const Place = z.int().check(z.minimum(0), z.maximum(2_147_483_647))
const Filename = z.string().check(z.minLength(1), z.maxLength(1_000))

/**
 * A person's score in place of an evaluator's average. `page`, `evaluator`: the places of the evaluated response and of the evaluator in the lists of
 * the file, from 0. `automatic`: the average in the file when it was scored; null: there was none. `scored_at`: ISO time.
 */
export const EvalScore = z.object({
  page: z.int(),
  evaluator: z.int(),
  score: z.number(),
  reason: z.string(),
  automatic: z.nullable(z.number()),
  scored_at: z.string(),
})
export type EvalScore = z.infer<typeof EvalScore>

/** The caller’s own scores, by page and evaluator. */
export const listEvalScores = route({
  name: 'listEvalScores',
  summary: 'The scores that the signed-in person gave in an evaluation file',
  method: 'GET',
  path: '/eval/scores',
  access: 'admin',
  query: z.object({ filename: Filename }),
  reply: z.object({ scores: z.array(EvalScore) }),
  errors: ['invalid_input'],
  example: () => ({ query: { filename: 'none.json' } }),
})

/** Replaces the caller's earlier score there. The file is not changed. `conflict`: the person has given MAX_SCORES in this file. */
export const setEvalScore = route({
  name: 'setEvalScore',
  summary: 'Give a score, with a reason, in place of an evaluator’s average; for the signed-in person only',
  method: 'PUT',
  path: '/eval/scores',
  access: 'admin',
  audit: { action: 'evaluation.scored' },
  body: z.object({
    filename: Filename,
    page: Place,
    evaluator: Place,
    score: z.number().check(z.minimum(-1_000_000), z.maximum(1_000_000)),
    reason: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'must not be empty'),
        z.maxLength(MAX_SCORE_REASON, `must have at most ${MAX_SCORE_REASON} characters`),
      ),
    automatic: z.nullable(z.number()),
  }),
  reply: EvalScore,
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: () => ({
    body: { filename: 'none.json', page: 0, evaluator: 0, score: 1, reason: 'x', automatic: null },
  }),
})

/** `restored`: whether the caller had a score there. */
export const restoreEvalScore = route({
  name: 'restoreEvalScore',
  summary: 'Remove one’s score, so that the automatic one counts again',
  method: 'DELETE',
  path: '/eval/scores',
  access: 'admin',
  audit: { action: 'evaluation.score-restored' },
  body: z.object({ filename: Filename, page: Place, evaluator: Place }),
  reply: z.object({ restored: z.boolean() }),
  errors: ['invalid_input'],
  example: () => ({ body: { filename: 'none.json', page: 0, evaluator: 0 } }),
})
