import { describe, expect, it } from 'vitest'
import { type MatrixCell, notApplicable } from '../kit/matrix-row.ts'
import { judgeCell, judgeCore, type MatrixColumn, type Outcome, type Outcomes } from './matrix.ts'
import { type MatrixCase, matrixCases } from './matrix-cases.ts'
import { matrixText } from './matrix-text.ts'

const one: MatrixCase = {
  number: 1,
  text: 'a case',
  suite: { source: ['reads'], push: [] },
  core: ['server/a: is stored'],
}
const column = (cell: MatrixCell | undefined, kind: MatrixColumn['kind'] = 'source'): MatrixColumn => ({
  id: 'acme',
  label: 'Acme',
  kind,
  row: cell === undefined ? {} : { 1: cell },
})
const test = (name: string, state: Outcome['state'] = 'passed', note: string | null = null) => ({ name, state, note })
const SUITE = 'connectors/conformance-sources.test.ts'
const OWN = 'connectors/acme/pull.test.ts'
const ran = (own: Outcome[], suite = [test('acme pulls > reads all'), test('other pulls > reads all')]): Outcomes =>
  new Map([
    [OWN, own],
    [SUITE, suite],
  ])
const OWN_TESTS = ['pull: a round', 'pull: a round > ends']

describe('a cell', () => {
  it('passes with the tests of the connector and of the suite, each counted once', () => {
    const outcomes = ran([test('a round > ends'), test('a round > is short'), test('another')])
    expect(judgeCell(one, column(OWN_TESTS), outcomes)).toEqual({ state: 'passed', passed: 3, reasons: [] })
  })

  it('may be proven by the suite alone, or by nothing', () => {
    expect(judgeCell(one, column(undefined), ran([]))).toMatchObject({ state: 'passed', passed: 1 })
    expect(judgeCell(one, column([], 'push'), ran([]))).toMatchObject({
      state: 'failed',
      reasons: ['no test proves it'],
    })
  })

  it.each([
    ['failed', [test('a round > ends', 'failed')], `${OWN}: a round > ends`],
    ['does not exist', [test('the round')], `${OWN} has no test “a round”`],
    ['was skipped', [test('a round > ends', 'skipped', 'why')], `${OWN}: a round > ends (skipped)`],
  ])('fails where a test %s', (_, own, reason) => {
    const result = judgeCell(one, column(['pull: a round']), ran(own))
    expect(result).toMatchObject({ state: 'failed', reasons: [reason] })
  })

  it('does without checks of the suite that do not apply, but not without any test', () => {
    const skipped = [test('acme pulls > reads all', 'skipped', 'it has no list')]
    expect(judgeCell(one, column(['pull: a round']), ran([test('a round')], skipped)).state).toBe('passed')
    expect(judgeCell(one, column([]), ran([], skipped))).toMatchObject({
      state: 'failed',
      reasons: ['no test proves it', 'it has no list'],
    })
    expect(judgeCell({ ...one, skips: true }, column([]), ran([], skipped))).toMatchObject({
      state: 'skipped',
      reasons: ['it has no list'],
    })
  })

  it('is open where a test was not part of the run', () => {
    const open = { state: 'not run', reasons: [] }
    expect(judgeCell(one, column(['pull: a round']), new Map([[OWN, [test('a round')]]]))).toMatchObject(open)
    expect(judgeCell(one, column(['pull: a round']), ran([test('a round', 'not run')]))).toMatchObject(open)
    expect(judgeCore(one, ran([]))).toMatchObject(open)
  })

  it('does not apply for a reason, or because the case is about other connectors', () => {
    expect(judgeCell(one, column(notApplicable('it cannot')), ran([]))).toMatchObject({ reasons: ['it cannot'] })
    expect(judgeCell(one, column([], 'tracker'), ran([]))).toEqual({ state: 'n/a', passed: 0, reasons: [] })
  })
})

describe('the matrix', () => {
  const core = (number: number) => matrixCases.find((known) => known.number === number)

  it('has 25 cases, in order', () => {
    expect(matrixCases.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
  })

  it('fails only where every test should have run', () => {
    expect(matrixText([], new Map(), { complete: false }).failed).toBe(0)
    const { text, failed } = matrixText([], new Map(), { complete: true })
    expect(failed).toBe(matrixCases.filter((known) => known.core.length > 0).length)
    expect(text).toContain('1 core: a test of it did not run')
    expect(core(24)?.core).toEqual([])
  })

  it('prints what passed, what does not apply and why, and what failed', () => {
    const acme = { ...column(notApplicable('it has no sign-in')), row: { 1: notApplicable('it has no sign-in') } }
    const { text } = matrixText([acme], ran([], [test('acme pulls > every item once')]), { complete: false })
    expect(text).toMatch(/^ +acme +core$/m)
    expect(text).toMatch(/^ +1 +n\/a +\? {3}by token and by OAuth/m)
    expect(text).toMatch(/^ +17 +- +\? {3}20 updates/m)
    expect(text).toContain('\nNot applicable:\n  1 acme: it has no sign-in\n')
    expect(text).toMatch(/FAILED:\n(.+\n)* {2}5 acme: no test proves it\n/)
  })
})
