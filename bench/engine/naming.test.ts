import { expect, test } from 'vitest'
import { scoreNames } from './naming.ts'

test('a name that finds a member first has rank one; a name that finds another group’s first has rank two', () => {
  const good = { name: 'Export fails', texts: ['Export fails', 'the export stops halfway'] }
  const poor = { name: 'Export slow', texts: ['Export slow', 'my export stops', 'slow dashboard'] }
  const scores = scoreNames([good, { ...poor, texts: ['Export slow', 'dashboard takes ages, slow'] }])
  expect(scores.mrr).toBe(100)
  const misnamed = scoreNames([
    { name: 'Invoice', texts: ['dashboard takes ages'] },
    { name: 'Dashboard', texts: ['invoice is wrong'] },
  ])
  expect(misnamed.mrr).toBe(0)
})

test('equal names are not distinct, names without a shared word are', () => {
  expect(
    scoreNames([
      { name: 'Export fails', texts: [] },
      { name: 'export FAILS', texts: [] },
    ]).distinct,
  ).toBeCloseTo(0, 6)
  expect(
    scoreNames([
      { name: 'Export fails', texts: [] },
      { name: 'Slow page', texts: [] },
    ]).distinct,
  ).toBe(100)
})

test('the sentence a name was taken from is never searched for', () => {
  expect(scoreNames([{ name: 'Export fails', texts: ['Export fails', 'the export fails again'] }]).mrr).toBe(0)
})
