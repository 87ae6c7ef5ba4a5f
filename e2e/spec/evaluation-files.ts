/** Evaluation sessions by filename, as both stacks serve them. */
export const evalFiles: Record<string, unknown> = {
  'first.json': {
    evaluators: [{ unique_name: 'Faithful' }, {}],
    response_evaluations: [
      {
        source_metadata: { source_id: 'tickets', datetime_from: '2026-09-14T10:00:00Z', comments: 'a short week' },
        notes: 'Read by hand.',
        issues: ['A quote is not word for word', 'One problem is missing'],
        responses: [{ name: 'one' }],
        rubrics_responses_evaluations: [
          {
            avg_score: 2 / 3,
            rubric_response_evaluations: [
              { avg_score: 2 / 3, scores: [1, 1 / 3], graded_rubrics: [{ Exactness: 'not word for word', Score: 1 }] },
            ],
          },
          { avg_score: 1, rubric_response_evaluations: [{ avg_score: 1, scores: [1], graded_rubrics: [] }] },
        ],
        formatted_user_input: 'We removed 6 people',
      },
      {
        source_metadata: { source_id: 'chat', datetime_from: '2026-09-21T10:00:00Z' },
        issues: [],
        responses: [],
        rubrics_responses_evaluations: [{ avg_score: 0, rubric_response_evaluations: [] }],
        formatted_user_input: 'The export hangs',
      },
      {
        source_metadata: { source_id: 'calls', datetime_from: '2026-09-28T10:00:00Z' },
        issues: ['Too long'],
        responses: [],
        rubrics_responses_evaluations: [],
        formatted_user_input: 'No words',
      },
    ],
  },
  'second.json': {
    evaluators: [{ unique_name: 'Brief' }],
    response_evaluations: [{ rubrics_responses_evaluations: [] }],
  },
}

type Generator = {
  label: string
  llm_model_name: string
  llm_temperature: number
  llm_reasoning: string
  llm_verbosity: string
  method: string
  system_prompt: string
  response_class: string
}

const generator = (label: string, llm_model_name: string, llm_temperature: number, method: string): Generator => ({
  label,
  llm_model_name,
  llm_temperature,
  llm_reasoning: 'low',
  llm_verbosity: 'medium',
  method,
  system_prompt: 'You read customer feedback',
  response_class: 'Issue',
})

const alpha = generator('alpha, one pass', 'alpha', 0.2, 'one-pass')
const beta = generator('beta, two passes', 'beta', 0.7, 'two-pass')

export type Run = {
  generator: Generator
  source_id: string
  datetime_from: string
  datetime_to: string
  formatted_user_input: string
  responses: Record<string, unknown>[]
}

const run = (by: Generator, source_id: string, week: [from: string, to: string], name: string): Run => ({
  generator: by,
  source_id,
  datetime_from: `${week[0]}T00:00:00Z`,
  datetime_to: `${week[1]}T23:59:59Z`,
  formatted_user_input: `What was said in ${source_id} from ${week[0]}`,
  responses: [{ name, evidence: ['first quote', 'second quote'] }],
})

const one: [string, string] = ['2026-09-14', '2026-09-20']
const two: [string, string] = ['2026-10-05', '2026-10-11']

/** The outputs of the generators of each directory, as both stacks serve them. */
export const runsOf: Record<string, Run[]> = {
  weekly: [
    run(alpha, 'tickets', one, 'The export hangs on large reports'),
    run(beta, 'tickets', one, 'The export fails on large reports'),
    run(alpha, 'tickets', two, 'Receipts are lost'),
    run(beta, 'tickets', two, 'Receipts are lost'),
    run(alpha, 'chat', one, 'Logging in fails'),
  ],
  nightly: [run(beta, 'calls', one, 'Nobody answers')],
}
