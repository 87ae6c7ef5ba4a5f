import { expect, test } from 'vitest'
import { formatScore, viewSession } from './session-view.ts'

test('a session as the page shows it', () => {
  const view = viewSession({
    evaluators: [{ unique_name: 'Faithful' }, { unique_name: ' ' }, {}],
    response_evaluations: [
      {
        source_metadata: { source_id: 'tickets', datetime_from: '2026-09-14T23:30:00+02:00', comments: 'short week' },
        notes: 'By hand.',
        issues: ['one', { missed: 'two' }],
        rubrics_responses_evaluations: [
          {
            avg_score: 0.756,
            rubric_response_evaluations: [
              { scores: [1, 0.5], graded_rubrics: [{ exact: 'no', why: ['a', 'b'] }] },
              { scores: [], graded_rubrics: [] },
              { scores: [0.3], graded_rubrics: [{ exact: 'yes' }] },
            ],
          },
        ],
        formatted_user_input: 'said',
      },
    ],
  })
  expect(view).toEqual({
    evaluators: ['Faithful', 'Evaluator 2', 'Evaluator 3'],
    judges: null,
    pages: [
      {
        subject: '["tickets","2026-09-14T23:30:00+02:00","said"]',
        about: ['tickets', '2026-09-14', 'short week'],
        notes: 'By hand.',
        issues: ['one', '{"missed":"two"}'],
        cells: [
          {
            value: 0.756,
            average: '0.76',
            scores: [['1.00', '0.50'], ['0.30']],
            rubrics: [
              [
                ['exact', 'no'],
                ['why', ['a', 'b']],
              ],
              [['exact', 'yes']],
            ],
          },
          { value: null, average: '–', scores: [], rubrics: [] },
          { value: null, average: '–', scores: [], rubrics: [] },
        ],
        input: 'said',
      },
    ],
  })
})

test('evaluations without a named evaluator get a column too', () => {
  const view = viewSession({
    response_evaluations: [{ rubrics_responses_evaluations: [{ avg_score: 1 }, { avg_score: 0 }] }],
  })
  expect(view.evaluators).toEqual(['Evaluator 1', 'Evaluator 2'])
  expect(view.pages[0]?.cells.map((cell) => cell.average)).toEqual(['1.00', '0.00'])
})

test.each([null, 'text', [], {}, { evaluators: 1, response_evaluations: [null, 'x', { issues: 'x' }] }])(
  'what is no session breaks nothing: %j',
  (session) => {
    expect(viewSession(session).evaluators).toEqual([])
  },
)

test.each([
  [1, '1.00'],
  [0, '0.00'],
  [0.005, '0.01'],
  [-0.125, '-0.13'],
  ['0.5', '0.50'],
  ['', '–'],
  ['good', '–'],
  [null, '–'],
  [Number.NaN, '–'],
])('%j is shown as %s', (score, text) => {
  expect(formatScore(score)).toBe(text)
})

test('the agreement of two judges is shown where the file has it whole', () => {
  const agreement = { judges: ['a', 'b'], kappa: 0.61, low: 0.41, high: 0.8, observed: 0.9, items: 24 }
  expect(viewSession({ agreement }).judges).toEqual({ names: ['a', 'b'], kappa: 0.61, low: 0.41, high: 0.8, items: 24 })
  for (const broken of [null, {}, { ...agreement, kappa: null }, { ...agreement, low: 'x' }])
    expect(viewSession({ agreement: broken }).judges).toBeNull()
})
