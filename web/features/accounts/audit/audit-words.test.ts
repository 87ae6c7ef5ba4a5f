import { readFileSync } from 'node:fs'
import { routes } from '@groundswell/contract/routes.ts'
import { expect, test } from 'vitest'
import { ACTIONS, actionInWords, detailInWords } from './audit-words.ts'

test('a known action has a label, another is shown by its name', () => {
  expect(actionInWords('session.started')).toBe('Signed in')
  expect(actionInWords('signing-key.rotated')).toBe('Signing key rotated')
  expect(actionInWords('')).toBe('')
})

test('details are shown in one line', () => {
  expect(detailInWords({ method: 'password', session_id: '4fc6ea17-7081-4667-aae5-fa3df79be78e', tries: 2 })).toBe(
    'method: password, tries: 2',
  )
  expect(detailInWords({ why: 'wrong_password', email: 'a_b@c.example', before: null })).toBe(
    'why: wrong password, email: a_b@c.example',
  )
  expect(detailInWords({})).toBe('')
})

test('the actions to filter by are ordered by label, each once', () => {
  const words = ACTIONS.map(([, text]) => text)
  expect(words).toEqual([...words].sort((a, b) => a.localeCompare(b)))
  expect(new Set(words).size).toBe(words.length)
})

test('every action of a call, an account or an operator has a label, and can be filtered by', () => {
  const known = new Set(ACTIONS.map(([action]) => action))
  const ofCalls = routes.flatMap(({ audit }) => (audit === undefined || audit === 'none' ? [] : [audit.action]))
  const actionsIn = (file: string, pattern: RegExp) => {
    const text = readFileSync(new URL(`../../../../server/${file}`, import.meta.url), 'utf8')
    return [...text.matchAll(pattern)].map(([, action]) => action ?? '')
  }
  const ofAccounts = actionsIn('auth/record-audit.ts', /^ {2}\| '([a-z_.]+)'$/gm)
  const ofOperators = ['backup', 'eval-cases', 'eval-generate'].flatMap((command) =>
    actionsIn(`cli/${command}.ts`, /action: '([a-z_.-]+)'/g),
  )
  expect([ofCalls.length > 60, ofAccounts.length > 40, ofOperators.length > 3]).toEqual([true, true, true])
  expect([...ofCalls, ...ofAccounts, ...ofOperators].filter((action) => !known.has(action))).toEqual([])
})
