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

/**
 * One session of automated evaluation, as its JSON file holds it. `rubrics_responses_evaluations` has one entry per
 * evaluator, in the order of `evaluators`; each of those has one entry per response. Additional fields of a file are retained.
 */
export const EvalSession = z.looseObject({
  evaluators: z.array(z.looseObject({ unique_name: z.nullish(z.string()) })),
  response_evaluations: z.array(
    z.looseObject({
      responses: z.nullish(z.array(z.unknown())),
      rubrics_responses_evaluations: z.array(RubricsEvaluation),
      notes: z.nullish(z.string()),
      issues: z.nullish(z.array(z.unknown())),
      source_metadata: z.nullish(SourceMetadata),
      formatted_user_input: z.nullish(z.string()),
    }),
  ),
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

export const getEval = route({
  name: 'getEval',
  summary: 'One evaluation session. A file that cannot be used is refused with the reason',
  method: 'GET',
  path: '/eval/get_eval',
  access: 'admin',
  query: z.object({ filename: z.string().check(z.minLength(1)) }),
  reply: EvalSession,
  errors: ['invalid_input', 'not_found'],
})
