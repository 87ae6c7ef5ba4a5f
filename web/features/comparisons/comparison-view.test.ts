import { NO_OPTIONS } from '@groundswell/contract/evaluation/comparisons.ts'
import { expect, test } from 'vitest'
import { NO_SESSIONS, toggleOption, viewOptions, viewSessions, viewSources } from './comparison-view.ts'

const dates = {
  datetime_from: '2026-09-14T00:00:00Z',
  datetime_to: '2026-09-20T23:59:59Z',
  formatted_user_input: 'said',
}
const one = [['name', 'one']]
const two = [['name', 'two']]

test('responses are in rows, with a column for each generator', () => {
  const responses = [[{ name: 'one' }, { name: 'two' }], [{ name: 'one' }], []]
  expect(viewSessions({ generators: ['a', 'b', 'c'], comparisons: [{ ...dates, responses }] })).toEqual({
    generators: ['a', 'b', 'c'],
    comparisons: [
      {
        from: '2026-09-14',
        to: '2026-09-20',
        rows: [
          [one, one, null],
          [two, null, null],
        ],
        input: 'said',
      },
    ],
  })
})

test('responses keyed by the labels of their generators are read too', () => {
  const responses = { b: [{ name: 'two' }], a: [{ name: 'one' }] }
  const view = viewSessions({ generators: ['a', 'b'], comparisons: [{ ...dates, responses }] })
  expect(view.comparisons[0]?.rows).toEqual([[one, two]])
})

test.each([null, 'text', [], {}, { generators: 1, comparisons: [null, 7] }])(
  'what is no answer breaks nothing: %j',
  (it) => {
    expect(viewSessions(it)).toEqual(NO_SESSIONS)
    expect(viewOptions(it)).toEqual(NO_OPTIONS)
    expect(viewSources(it)).toEqual([])
  },
)

test('options keep numbers as numbers, and ticking twice unticks', () => {
  const options = viewOptions({ llm_temperatures: [0, '0.5', null], methods: ['a', {}] })
  expect(options).toEqual({ ...NO_OPTIONS, llm_temperatures: [0, '0.5'], methods: ['a'] })
  const ticked = toggleOption(NO_OPTIONS, 'llm_temperatures', 0)
  expect(ticked.llm_temperatures).toEqual([0])
  expect(toggleOption(ticked, 'llm_temperatures', 0)).toEqual(NO_OPTIONS)
})
