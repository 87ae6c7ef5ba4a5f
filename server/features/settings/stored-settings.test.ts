import { MAX_TAGS, MIN_INPUTS, Settings } from '@groundswell/contract/settings.ts'
import { describe, expect, it } from 'vitest'
import { mergedSettings, settingsOf } from './stored-settings.ts'

const description = 'Which part of the product the feedback is about, one word.'
const area = { name: 'Area', description }
const team = { name: 'Team', description: 'The team that has to answer: billing, mobile or platform.' }
const defaults = { method: 'auto', min_inputs: MIN_INPUTS.default, categories: [] }

describe('stored settings', () => {
  it.each([
    ['a new workspace', { method: 'auto', min_inputs: 3, categories: [] }],
    ['the first release, with tags', { method: 'auto', min_inputs: 5, categories: [area, team] }],
    ['mentions or people counted', { method: 'auto', min_inputs: 2, categories: [area], count_people: true }],
  ])('of every earlier version are read as they are: %s', (_, stored) => {
    expect(settingsOf(stored)).toEqual(stored)
    expect(mergedSettings(stored, settingsOf(stored))).toEqual(stored)
  })

  it.each([
    ['min_inputs', 11, { min_inputs: MIN_INPUTS.default }],
    ['min_inputs', '4', { min_inputs: MIN_INPUTS.default }],
    ['method', 'manual', { method: 'auto' }],
    ['count_people', 'yes', { count_people: undefined }],
    ['categories', { Area: description }, { categories: [] }],
  ])('lose one field to a value that does not fit, and nothing else: %s %j', (field, value, expected) => {
    const stored = { method: 'auto', min_inputs: 5, categories: [area, team], count_people: true, [field]: value }
    const read = { method: 'auto', min_inputs: 5, categories: [area, team], count_people: true, ...expected }
    expect(settingsOf(stored)).toEqual(JSON.parse(JSON.stringify(read)))
    expect(Settings.safeParse(settingsOf(stored)).success).toBe(true)
  })

  it.each([[undefined], [null], ['text'], [[]], [7]])('that are no settings at all are the defaults: %j', (stored) => {
    expect(settingsOf(stored)).toEqual(defaults)
    expect(mergedSettings(stored, { ...settingsOf(stored), categories: [area] })).toEqual({
      ...defaults,
      categories: [area],
    })
  })

  it('lose one tag that cannot be read, and keep the others', () => {
    const categories = [area, { name: 'Short', description: 'too short' }, 'text', null, { name: 'x' }, team]
    expect(settingsOf({ ...defaults, categories }).categories).toEqual([area, team])
  })

  it('show no more tags than the contract allows', () => {
    const categories = Array.from({ length: MAX_TAGS + 2 }, (_, at) => ({ ...area, name: `Area ${at}` }))
    expect(settingsOf({ ...defaults, categories }).categories).toEqual(categories.slice(0, MAX_TAGS))
    expect(mergedSettings({ categories }, { ...settingsOf({ categories }), min_inputs: 4 }).categories).toEqual(
      categories,
    )
  })
})

describe('a save', () => {
  const stored = {
    method: 'later',
    min_inputs: 11,
    categories: [
      { ...area, colour: 'red' },
      { name: 'Short', description: 'too short', colour: 'blue' },
      { ...team, colour: 'green' },
    ],
    count_people: true,
    digest: { weekly: true },
  }

  it('of what was shown changes nothing that is stored', () => {
    expect(mergedSettings(stored, settingsOf(stored))).toEqual({
      ...stored,
      categories: [stored.categories[0], stored.categories[2], stored.categories[1]],
    })
  })

  it('changes the fields that it changes, and keeps those that it leaves out', () => {
    const { count_people: _, ...shown } = settingsOf(stored)
    const saved = mergedSettings(stored, { ...shown, min_inputs: 4 })
    expect(saved).toMatchObject({ min_inputs: 4, method: 'later', count_people: true, digest: { weekly: true } })
    expect(mergedSettings(stored, { ...shown, count_people: false })).toMatchObject({ count_people: false })
  })

  it('of a client that knows customers, or does not, agrees about what is counted', () => {
    const settings: Settings = { method: 'auto', min_inputs: 3, categories: [] }
    const counting: Settings = { ...settings, count_by: 'customers', count_people: false }
    expect(mergedSettings(settings, { ...settings, count_by: 'people' })).toMatchObject({
      count_by: 'people',
      count_people: true,
    })
    expect(mergedSettings({ ...settings, count_people: true }, { ...settings, count_by: 'customers' })).toEqual(
      counting,
    )
    // It sends back what it was shown.
    expect(mergedSettings(counting, { ...settings, count_people: false, min_inputs: 4 })).toEqual({
      ...counting,
      min_inputs: 4,
    })
    expect(mergedSettings(counting, { ...settings, count_people: true })).toMatchObject({
      count_by: 'people',
      count_people: true,
    })
    expect(mergedSettings({ ...settings, count_people: true }, { ...settings, count_people: false })).toEqual({
      ...settings,
      count_people: false,
    })
  })

  it('keeps unknown fields of a tag, even of one that is renamed, moved or described differently', () => {
    const saved = mergedSettings(stored, {
      ...settingsOf(stored),
      categories: [
        { ...team, description: `${team.description} Said again.` },
        { ...area, name: 'Part' },
      ],
    })
    expect(saved.categories).toEqual([
      { name: 'Team', description: `${team.description} Said again.`, colour: 'green' },
      { name: 'Part', description, colour: 'red' },
      stored.categories[1],
    ])
  })

  it('removes the tags that it removes, and a tag that could not be read once there is a new one of its name', () => {
    const shown = settingsOf(stored)
    expect(mergedSettings(stored, { ...shown, categories: [area] }).categories).toEqual(stored.categories.slice(0, 2))
    const again = { name: 'Short', description: `${description} Not too short.` }
    expect(mergedSettings(stored, { ...shown, categories: [again] }).categories).toEqual([again])
  })
})
