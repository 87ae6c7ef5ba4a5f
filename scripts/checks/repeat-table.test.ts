import { expect, test } from 'vitest'
import { tableHead, tableRow } from './repeat-table.ts'

test('a run is a row with the time of each suite, and the names of what failed or was flaky', () => {
  const calm = { passed: 1, failed: 0, failures: [], flaky: [] }
  const run = {
    number: 2,
    asked: 8,
    nice: 0,
    measured: 10.26,
    seconds: 901.4,
    checksSeconds: 41.7,
    parts: [
      { ...calm, name: 'types', seconds: 22.2 },
      { ...calm, name: 'lint', failed: 1, passed: 0, seconds: 30 },
      { name: 'unit and PostgreSQL tests', passed: 9000, failed: 0, seconds: 350, failures: [], flaky: [] },
      {
        name: 'browser tests',
        passed: 800,
        failed: 1,
        seconds: 440,
        failures: ['e2e/a.test.ts > b | c'],
        flaky: ['e2e/d.test.ts > e'],
      },
    ],
    passed: 9801,
    failed: 2,
    commit: '12345678',
    machine: 'two cores',
  }
  expect(tableHead(run).split('\n')).toEqual([
    '| run | load asked | measured | all | static checks | unit and PostgreSQL tests | browser tests | passed | failed | flaky | commit | machine |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ])
  expect(tableRow(run)).toBe(
    '| 2 | 8 | 10.3 | 901 s | 42 s | 350 s | 440 s | 9801 | 2<br>lint<br>e2e/a.test.ts > b \\| c | 1<br>e2e/d.test.ts > e | 12345678 | two cores |',
  )
  expect(tableRow({ ...run, nice: 10 })).toMatch(/^\| 2 \| 8 \(nice 10\) \| 10\.3 \|/)
})
