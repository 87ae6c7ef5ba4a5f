import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { browserTests, MAIN_JOURNEY, nearestTests } from './affected.ts'
import { type Dependents, distancesFrom, filesUsedIn } from './import-graph.ts'
import { staticChecksOf } from './static-checks.ts'

const graph = (edges: Record<string, string[]>): Dependents =>
  new Map(Object.entries(edges).map(([file, users]) => [file, new Map(users.map((user) => [user, 1]))]))

const budget = (seconds: number, durations = {}) => ({ seconds, durations, unknown: 10 })

describe('the graph of imports', () => {
  const known = new Set([
    'server/a/b.ts',
    'server/a/c.ts',
    'engine/index.ts',
    'contract/x.ts',
    'server/cli.ts',
    'docs/a.md',
  ])

  test('has what a file imports in whichever way, and what it names; types alone are no use of a file', () => {
    const text = `
      import type { T } from '@groundswell/contract/x.ts'
      import {
        one,
      } from './b.ts'
      export { two } from '@groundswell/engine'
      const later = () => import('../cli.ts')
      readFileSync(path.join(root, 'docs/a.md'))
      import express from 'express'`
    expect([...filesUsedIn(text, 'server/a/c.ts', known)]).toEqual([
      ['server/a/b.ts', 1],
      ['engine/index.ts', 1],
      ['server/cli.ts', 1],
      ['docs/a.md', 3],
    ])
  })

  test('gives each file its shortest way, also around a circle', () => {
    const circle = graph({ a: ['b', 'd'], b: ['c'], c: ['a', 'd'], d: ['e'] })
    expect([...distancesFrom(['a'], circle)]).toEqual([
      ['a', 0],
      ['b', 1],
      ['d', 1],
      ['c', 2],
      ['e', 2],
    ])
    const named: Dependents = new Map([
      [
        'a',
        new Map([
          ['far', 3],
          ['b', 1],
        ]),
      ],
      ['b', new Map([['far', 1]])],
    ])
    expect(distancesFrom(['a'], named).get('far')).toBe(2)
  })
})

describe('tests near a change', () => {
  const changed = 'server/features/tags/store.ts'
  const dependents = graph({
    [changed]: ['server/features/tags/store.test.ts', 'server/features/tags/direct.test.ts', 'server/app.ts'],
    'server/app.ts': ['server/app.test.ts', 'server/testing.ts'],
    'server/testing.ts': ['server/features/views/views.test.ts', 'server/features/tags/tags.test.ts'],
  })
  const tests = [
    'server/app.test.ts',
    'server/features/tags/direct.test.ts',
    'server/features/tags/store.test.ts',
    'server/features/tags/tags.test.ts',
    'server/features/views/views.test.ts',
    'engine/group.test.ts',
  ]

  test('come in the order of their distance: the namesake, direct users, the same feature, others', () => {
    const { chosen, left } = nearestTests([changed], tests, dependents, budget(1000))
    expect(chosen).toEqual([
      'server/features/tags/store.test.ts',
      'server/features/tags/direct.test.ts',
      'server/features/tags/tags.test.ts',
      'server/app.test.ts',
      'server/features/views/views.test.ts',
    ])
    expect(left).toBe(0)
  })

  test('end with the budget, by the times of earlier runs', () => {
    const durations = { 'server/features/tags/store.test.ts': 2, 'server/features/tags/direct.test.ts': 500 }
    const { chosen, left, seconds } = nearestTests([changed], tests, dependents, budget(25, durations))
    expect(chosen).toEqual([
      'server/features/tags/store.test.ts',
      'server/features/tags/tags.test.ts',
      'server/app.test.ts',
    ])
    expect([left, seconds]).toEqual([2, 22])
  })

  test('are at least one, and every changed test, whatever they take', () => {
    expect(nearestTests([changed], tests, dependents, budget(1)).chosen).toEqual(['server/features/tags/store.test.ts'])
    const edited = ['engine/group.test.ts', 'server/app.test.ts']
    expect(nearestTests(edited, tests, dependents, budget(1)).chosen.toSorted()).toEqual(edited)
  })
})

describe('browser tests of a change', () => {
  const tests = [
    MAIN_JOURNEY,
    'e2e/tags.test.ts',
    'e2e/tag-colours.test.ts',
    'e2e/spec/settings.test.ts',
    'e2e/slack.test.ts',
  ]
  const chosen = (changed: string[], seconds = 1000) => browserTests(changed, tests, budget(seconds)).chosen

  test('are those with the name of the feature, the exact one first', () => {
    for (const file of ['server/features/tags/store.ts', 'web/features/tags/tag-list.tsx', 'contract/insights/tags.ts'])
      expect(chosen([file])).toEqual(['e2e/tags.test.ts', 'e2e/tag-colours.test.ts'])
    expect(browserTests(['contract/insights/tags.ts'], tests, budget(1))).toEqual({
      chosen: ['e2e/tags.test.ts'],
      left: 1,
      seconds: 10,
    })
    expect(chosen(['connectors/slack/client.ts'])).toEqual(['e2e/slack.test.ts'])
  })

  test('are one journey for a change without a namesake, and a changed test itself', () => {
    expect(chosen(['server/platform/db/pool.ts'])).toEqual([MAIN_JOURNEY])
    expect(chosen(['e2e/slack.test.ts'])).toEqual(['e2e/slack.test.ts'])
    expect(existsSync(path.resolve(import.meta.dirname, '../..', MAIN_JOURNEY))).toBe(true)
  })

  test('are none for what no screen shows', () => {
    expect(chosen(['docs/api.md', 'engine/group.ts', 'server/features/tags/tags.test.ts', 'scripts/dev.ts'])).toEqual(
      [],
    )
  })
})

test('a change is linted with the files that import it, and formatted alone; the other checks see everything', () => {
  const dependents = graph({ 'a.ts': ['b.ts', 'c.test.ts'], 'b.ts': ['d.ts'] })
  const checks = staticChecksOf('/cache', ['a.ts', 'a.md'], dependents)
  const argsOf = (name: string) => checks.find((check) => check.name === name)?.args.join(' ')
  expect(argsOf('lint')).toBe('--max-warnings=0 a.ts b.ts c.test.ts')
  expect(argsOf('format')).toBe('check --error-on-warnings --no-errors-on-unmatched a.ts a.md')
  expect(argsOf('dead code')).toBe('--no-progress')
  expect(checks.map(({ name }) => name)).toContain('types of the web app')
})
