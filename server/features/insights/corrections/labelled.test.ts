import { beforeEach, expect, test } from 'vitest'
import { withWorld, world } from '../testing.ts'
import { countLabelled, readLabelled } from './labelled-store.ts'
import { CorrectedWorkspace } from './testing.ts'

let one: CorrectedWorkspace
let csv: number
let dark: number

withWorld()
beforeEach(async () => {
  one = await CorrectedWorkspace.create(world, 40)
  csv = (await one.issueOf('m0')) ?? 0
  dark = (await one.issueOf('m2')) ?? 0
  if (csv === 0 || dark === 0 || csv === dark) throw new Error('grouped otherwise')
})

const labelled = () => world.inside(one.workspace, (tx) => readLabelled(tx, one.workspace, 100))
const count = () => world.inside(one.workspace, (tx) => countLabelled(tx, one.workspace))
const sorted = (ids: readonly string[]) => ids.toSorted()

test('nobody corrected anything: there are none', async () => {
  expect([await labelled(), await count()]).toEqual([[], 0])
})

test('a merge says what belongs together, until it is undone', async () => {
  const [from, into] = [await one.mentions(csv), await one.mentions(dark)]
  const { correction_id } = await one.apply(csv, { kind: 'merge', into: dark })
  expect(await labelled()).toEqual([
    {
      id: correction_id,
      kind: 'merge',
      touched: [csv, dark],
      name: null,
      about: expect.toSatisfy((ids: string[]) => sorted(ids).join() === sorted(from).join()),
      with: expect.toSatisfy((ids: string[]) => sorted(ids).join() === sorted(into).join()),
      apart: [],
    },
  ])
  await one.undo(correction_id)
  await one.group()
  expect([await labelled(), await count()]).toEqual([[], 0])
})

test('a split and “not this” say what does not belong together, and a later correction of the same mentions replaces them', async () => {
  const mentions = await one.mentions(csv)
  const picked = mentions.slice(0, 3)
  await one.apply(csv, { kind: 'split', mentions: picked })
  const [split] = await labelled()
  expect(split).toMatchObject({ kind: 'split', with: [], name: null })
  expect(sorted(split?.about ?? [])).toEqual(sorted(picked))
  expect(sorted(split?.apart ?? [])).toEqual(sorted(mentions.slice(3)))
  const [rejected = ''] = mentions.slice(3)
  await one.apply(csv, { kind: 'reject', mentions: [rejected] })
  const [reject, stillSplit] = await labelled()
  expect(reject).toMatchObject({ kind: 'reject', about: [rejected], with: [] })
  expect(sorted(reject?.apart ?? [])).toEqual(sorted(mentions.slice(4)))
  expect(stillSplit?.apart).not.toContain(rejected)
})

test('a move says both', async () => {
  const [moved = '', ...rest] = await one.mentions(csv)
  const there = await one.mentions(dark)
  await one.apply(csv, { kind: 'move', mentions: [moved], to: dark })
  const [move] = await labelled()
  expect(move).toMatchObject({ kind: 'move', about: [moved] })
  expect(sorted(move?.with ?? [])).toEqual(sorted(there))
  expect(sorted(move?.apart ?? [])).toEqual(sorted(rest))
})

test('the newest name that a person gave counts, and a lock says nothing', async () => {
  await one.request(csv, { kind: 'rename', name: 'Export stops' })
  await one.request(csv, { kind: 'rename', name: 'Export does not finish' })
  await one.apply(dark, { kind: 'lock', locked: true })
  const found = await labelled()
  expect(found.map(({ kind, name }) => [kind, name])).toEqual([['rename', 'Export does not finish']])
  expect(sorted(found[0]?.about ?? [])).toEqual(sorted(await one.mentions(csv)))
  expect(await count()).toBe(1)
  await one.request(csv, { kind: 'rename', name: null })
  expect(await labelled()).toEqual([])
})
