import { expect, test } from 'vitest'
import { BrokenCases, Case, parseCases, writeCases } from './case.ts'
import { gradeCase } from './grade-case.ts'

const messages = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, at) => ({ id, text: `message ${id}`, author: null, at }))
const merge = Case.parse({ id: '1', kind: 'merge', messages, about: ['a', 'b'], with: ['c', 'd'] })
const split = Case.parse({ id: '2', kind: 'split', messages, about: ['a', 'b'], apart: ['c', 'd'] })
const move = Case.parse({ id: '3', kind: 'move', messages, about: ['a'], with: ['b', 'c'], apart: ['d', 'e'] })

const answerOf = (members: number[][], names: string[] = []) => ({
  members,
  responses: members.map((_own, at) => ({ issue: names[at] ?? 'A name' })),
})

test.each([
  ['merged as asked', merge, [[0, 1, 2, 3]], true],
  ['most of both are in one', merge, [[0, 1, 2], [3]], true],
  [
    'still two',
    merge,
    [
      [0, 1],
      [2, 3],
    ],
    false,
  ],
  ['in none', merge, [[4, 5]], false],
  [
    'split as asked',
    split,
    [
      [0, 1],
      [2, 3],
    ],
    true,
  ],
  ['still one', split, [[0, 1, 2, 3]], false],
  ['in none, so not in one either', split, [], true],
  [
    'moved',
    move,
    [
      [0, 1, 2],
      [3, 4],
    ],
    true,
  ],
  ['moved, but everything is one', move, [[0, 1, 2, 3, 4]], false],
  [
    'where it was',
    move,
    [
      [0, 3, 4],
      [1, 2],
    ],
    false,
  ],
])('%s', (_what, one, members, passed) => {
  expect(gradeCase(one, answerOf(members))).toMatchObject({ passed })
})

const renamed = (name: string) => Case.parse({ id: '4', kind: 'rename', messages, about: ['a', 'b'], name })

test.each([
  ['Search does not find old projects', 'Search does not find projects older than a year', true, 'as'],
  ['Search finds old projects', 'Search does not find projects older than a year', false, 'drops a negation'],
  ['Exports never fail', 'Exports fail for large reports', false, 'adds a negation'],
  ['Dark mode', 'Search does not find old projects', false, 'too few words'],
])('the name “%s” for “%s”: %s', (name, expected, passed, reason) => {
  const graded = gradeCase(
    renamed(expected),
    answerOf(
      [
        [4, 5],
        [0, 1, 3],
      ],
      ['Other', name],
    ),
  )
  expect(graded).toEqual({ passed, reason: expect.stringContaining(reason) })
})

test('a reading is graded by what a model read in the message, and not by an answer without readings', () => {
  const point = Case.parse({ id: '5', kind: 'point', messages, about: ['b'], name: 'Login with single sign-on fails' })
  const read = (text: string) => ({ ...answerOf([]), read: [[], [text], [], [], [], []] })
  expect(gradeCase(point, read('login with single sign-on fails today'))?.passed).toBe(true)
  expect(gradeCase(point, read('login with single sign-on does not fail'))?.passed).toBe(false)
  expect(gradeCase(point, answerOf([[1]], ['Login with single sign-on fails']))).toBeNull()
})

test('a file of cases is read as it was written; a broken one names its line', () => {
  const cases = [merge, split, move, renamed('A name')]
  expect(parseCases(writeCases(cases))).toEqual(cases)
  const lines = writeCases(cases).split('\n')
  const broken: [string, string][] = [
    ['no JSON', 'Line 2 is not JSON'],
    [JSON.stringify({ ...split, about: ['x'] }), 'Line 2: about: names a message'],
    [JSON.stringify({ ...split, apart: [] }), 'Line 2: with: a split needs'],
    [JSON.stringify({ ...split, kind: 'rename' }), 'Line 2: name: a rename needs one'],
    [JSON.stringify({ ...split, kind: 'other' }), 'Line 2: kind:'],
    [JSON.stringify(merge), 'an earlier case has the id 1'],
    [JSON.stringify({ ...split, messages: [...messages, messages[0]] }), 'two messages have the same id'],
  ]
  for (const [line, reason] of broken) {
    const content = [lines[0], line].join('\n')
    expect(() => parseCases(content)).toThrow(BrokenCases)
    expect(() => parseCases(content)).toThrow(reason)
  }
})
