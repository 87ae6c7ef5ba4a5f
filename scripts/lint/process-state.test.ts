import { expect, test } from 'vitest'
import { isChecked } from './process-state.ts'
import { linesWith } from './testing.ts'

/** The lines of a file of a feature at which the linter finds state. */
const found = (text: string) => linesWith('process(state)', 'server/features/settings/state-under-test.ts', text)

test('the linter refuses state of a module, in whatever form', async () => {
  const lines = await found(`import { listed } from './listed.ts'
export let count = 0
export const seen = new Map<string, number>()
const weak = new WeakMap<object, number>()
const names: string[] = []
const options = { deep: { on: false } }
const grid = [[0]]
const client = new Client()
class Counter {
  static total = 0
}
export function use(key: string) {
  count += 1
  seen.set(key, 1)
  names.push(key)
  options.deep.on = true
  delete options[key]
  grid[0][0]++
  listed.push(key)
  return [weak.get({}), client, Counter]
}
`)
  expect(lines).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10])
})

test('and allows tables that are complete once the module is loaded, and what a function holds', async () => {
  const lines = await found(`const NAMES = ['a', 'b']
const BY_NAME = new Map(NAMES.map((name, at) => [name, at]))
const SET: ReadonlySet<string> = new Set(NAMES)
const table = new Map<string, number>()
for (const name of NAMES) table.set(name, name.length)
const PATTERN = /x/
const ENCODER = new TextEncoder()
const FORMAT = new Intl.NumberFormat('en')
const ORDER = { a: 1 }
export function use(names: string[]) {
  const seen = new Map<string, number>()
  for (const name of names) seen.set(name, table.get(name) ?? 0)
  const sorted = names.toSorted((a, b) => ORDER[a] - ORDER[b])
  sorted.push(FORMAT.format(BY_NAME.get('a') ?? 0))
  return { seen, sorted, in: (table: Set<string>) => table.add('x'), is: PATTERN.test('x') && SET.has('x'), ENCODER }
}
`)
  expect(lines).toEqual([])
})

test('product code of the server and of connectors is checked', () => {
  expect(isChecked('server/features/syncs/jobs.ts')).toBe(true)
  expect(isChecked('connectors/slack/directory.ts')).toBe(true)
  expect(isChecked('server/features/syncs/syncs.test.ts')).toBe(false)
  expect(isChecked('engine/naming/details.ts')).toBe(false)
})
