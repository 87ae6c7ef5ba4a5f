import * as z from 'zod/mini'
import { route } from './route.ts'

/** What a rubric was graded with: any keys, plain values. */
export const GradedRubric = z.record(z.string(), z.unknown())

const ResponseEvaluation = z.looseObject({
  avg_score: z.nullable(z.number()),
  scores: z.array(z.number()),
  graded_rubrics: z.array(GradedRubric),
})

const RubricsEvaluation = z.looseObject({
  avg_score: z.nullable(z.number()),
  rubric_response_evaluations: z.array(ResponseEvaluation),
})

/** One session of automated evaluation, as its JSON file holds it. One rubrics evaluation an evaluator, in their order. */
export const EvalSession = z.looseObject({
  evaluators: z.array(z.looseObject({ unique_name: z.optional(z.nullable(z.string())) })),
  response_evaluations: z.array(
    z.looseObject({
      responses: z.array(z.unknown()),
      rubrics_responses_evaluations: z.array(RubricsEvaluation),
      notes: z.optional(z.nullable(z.string())),
      issues: z.array(z.string()),
      source_metadata: z.looseObject({
        source_id: z.string(),
        datetime_from: z.string(),
        comments: z.optional(z.nullable(z.string())),
      }),
      formatted_user_input: z.string(),
    }),
  ),
})
export type EvalSession = z.infer<typeof EvalSession>

export const listEvals = route({
  name: 'listEvals',
  summary: 'The filenames of the evaluation sessions',
  method: 'GET',
  path: '/eval/list_evals',
  access: 'admin',
  reply: z.array(z.string()),
  errors: [],
})

export const getEval = route({
  name: 'getEval',
  summary: 'One evaluation session',
  method: 'GET',
  path: '/eval/get_eval',
  access: 'admin',
  query: z.object({ filename: z.string().check(z.minLength(1), z.maxLength(255)) }),
  reply: EvalSession,
  errors: ['invalid_input', 'not_found'],
})
