import { expect, test } from 'vitest'
import { chosenSets, dataSets, isPresent } from './data-sets.ts'

const SETS = dataSets('/nowhere')
const namesOf = (name: string | undefined) => chosenSets(SETS, name).map((set) => set.name)

test('a set is chosen by its name, or by a part of it', () => {
  expect(namesOf('clinc150')).toEqual(['CLINC150'])
  expect(namesOf('demo')).toEqual(['demo company'])
  expect(namesOf('CLINC150,')).toEqual(['CLINC150, lines around'])
  expect(namesOf(undefined)).toHaveLength(SETS.length)
  expect(namesOf('no such set')).toEqual([])
})

test('our own sets are there, and the public ones where their folder is', () => {
  expect(SETS.filter(isPresent).map((set) => set.name)).toEqual([
    'demo company',
    'hotel software, letters',
    'developer tool, chat',
    'fitness app, reviews',
    'web shops, support chat',
    'five languages',
  ])
  const demo = SETS[0]?.rowsOf(1) ?? []
  expect(demo.length).toBeGreaterThan(700)
  expect(demo.some(({ label }) => label === null)).toBe(true)
})
