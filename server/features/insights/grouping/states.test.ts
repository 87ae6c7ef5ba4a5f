import { expect, test } from 'vitest'
import type { Step, StepResult } from './protocol.ts'
import { GroupingStates } from './states.ts'

const WORKSPACE = 'workspace'
const SUBJECTS = ['The CSV export stops after a thousand rows', 'The password mail never arrives in the inbox']

/** A group state with a clock that only the test advances. */
function begin() {
  const clock = { ms: 0 }
  const states = new GroupingStates(undefined, () => clock.ms)
  states.open(WORKSPACE, null, null)
  states.ready(WORKSPACE, 0, [], [])
  let version = 0
  let said = 0
  const step = (texts: readonly string[], more: Partial<Step> = {}): StepResult => {
    const items = texts.map((text) => ({ id: String((said += 1)), text, at: said, author: `person ${said % 5}` }))
    const result = states.step(WORKSPACE, {
      version,
      space: null,
      late: null,
      kinds: [],
      keptKinds: [],
      taught: null,
      items,
      forget: [],
      remove: [],
      restore: [],
      correction: null,
      advice: [],
      founded: [],
      reviewed: { moves: [], merges: [] },
      settled: [],
      idle: true,
      settle: false,
      ...more,
    })
    if (!result) throw new Error('the state is not there')
    version = result.version
    return result
  }
  return { clock, step }
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `${SUBJECTS[n % 2]} ${'again '.repeat(n % 4)}`)

const pair = (text: string) => [text, `${text} again`]

test('feedback right after a revision of a small workspace is revised again within seconds', () => {
  const { clock, step } = begin()
  expect(step(many(40)).settlesIn).toBeNull()
  expect(step(pair('Kilometre allowance rounds to whole euros'))).toMatchObject({ settlesIn: 2, events: [] })
  const settled = step([], { settle: true })
  expect(settled.settlesIn).toBeNull()
  expect(settled.events).toContainEqual(expect.objectContaining({ kind: 'born' }))
  clock.ms += 60_000
  expect(step(pair('The espresso timer forgets its settings')).settlesIn).toBeNull()
})
