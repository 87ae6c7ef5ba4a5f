import { expect, test } from 'vitest'
import { viewSession } from '../session-view.ts'
import { placeOf, scoredSession } from './scored-rows.ts'
import { sessionCsv, sessionJsonl } from './session-export.ts'

const session = viewSession({
  evaluators: [{ unique_name: 'Exact' }, { unique_name: '=Covered' }],
  response_evaluations: [
    {
      source_metadata: { source_id: 'tickets' },
      notes: 'Two "responses"',
      issues: ['one', 'two'],
      rubrics_responses_evaluations: [
        {
          avg_score: 0.75,
          rubric_response_evaluations: [{ scores: [1, 0.5], graded_rubrics: [{ rubric: 'is real' }] }],
        },
        {},
      ],
    },
  ],
})
const scored = scoredSession(session, new Map([[placeOf(0, 0), 0.3]]))

test('each score is a line, with the person’s beside the automatic one', () => {
  expect(sessionCsv(session, scored).split('\r\n')).toEqual([
    '"page","about","evaluator","score","automatic","notes","issues"',
    '1,"tickets","Exact",0.3,0.75,"Two ""responses""","one\ntwo"',
    `1,"tickets","'=Covered","","","Two ""responses""","one\ntwo"`,
    '',
  ])
})

test('as JSON it has the rubrics, too', () => {
  const lines = sessionJsonl(session, scored).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { page: 1, evaluator: 'Exact', score: 0.3, automatic: 0.75, rubrics: [{ rubric: 'is real' }] },
    { page: 1, evaluator: '=Covered', score: null, automatic: null, issues: ['one', 'two'], rubrics: [] },
  ])
})
