import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { requiredChoices, requiredValues } from './required-fields.ts'
import { opened, requestsOf } from './testing.ts'
import { tracker } from './tracker.ts'

const field = { referenceName: 'Custom.Channel', name: 'Channel', alwaysRequired: true }

describe('the fields to choose', () => {
  it.each([
    [{ ...field, defaultValue: null }, 1],
    [{ ...field, defaultValue: '' }, 1],
    [field, 1],
    [{ ...field, defaultValue: 'Mail' }, 0],
    [{ ...field, defaultValue: 0 }, 0],
    [{ ...field, alwaysRequired: false }, 0],
    [{ ...field, alwaysRequired: null }, 0],
    [{ ...field, referenceName: 'System.AreaId' }, 0],
    [{ ...field, referenceName: 'Custom.x/y' }, 0],
    [{ ...field, referenceName: 'NoDot' }, 0],
  ])('of %j are %i', (given, count) => expect(requiredChoices([given])).toHaveLength(count))

  it('have the allowed values, also numbers, or are text', () => {
    const [select] = requiredChoices([{ ...field, allowedValues: [1, 'two', null, {}] }])
    expect(select).toMatchObject({
      options: [
        { value: '1', label: '1' },
        { value: 'two', label: 'two' },
      ],
    })
    expect(select?.kind).toBeUndefined()
    expect(requiredChoices([{ ...field, allowedValues: [] }])).toMatchObject([{ kind: 'text', options: [] }])
    expect(requiredChoices([{ ...field, allowedValues: null }])).toMatchObject([{ kind: 'text', options: [] }])
  })
})

describe('the values of required fields', () => {
  it('become operations, and nothing else does', () => {
    const settings = {
      name: 'fabrikam',
      type: ['Issue'],
      'field-Custom.Channel': ['Mail'],
      'field-Custom.Empty': [],
      'field-Custom.Blank': [''],
      'field-Custom.Wrong': 'text',
      'field-Custom.Number': [7],
      'field-System.Title': ['x'],
      'field-Custom.x/../y': ['x'],
    }
    expect(requiredValues({ settings })).toEqual([{ op: 'add', path: '/fields/Custom.Channel', value: 'Mail' }])
  })
})

describe('a type with required fields', () => {
  const settings = {
    type: ['Customer Problem'],
    'field-Custom.Channel': ['Mail'],
    'field-Custom.Product': ['Reports'],
  }

  it('gets its values with the item', async () => {
    await using run = await opened(settings)
    expect(await tracker.verify(run.context)).toBe('Work items of type Customer Problem may be created in Fernweh')
    await run.create()
    expect(run.account.items).toMatchObject([{ fields: { 'Custom.Channel': 'Mail', 'Custom.Product': 'Reports' } }])
  })

  it.each(['verify', 'create'] as const)('without one says which in %s, finally', async (how) => {
    await using run = await opened({ ...settings, 'field-Custom.Channel': [] })
    const document = documentFor(randomUUID())
    const work =
      how === 'verify' ? tracker.verify(run.context) : tracker.create(run.context, { document, reopen: false })
    const error = await failureFrom(work)
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).toBe(
      'Azure DevOps requires the field “Channel” for this type (TF401320). Choose a value for it, or another type',
    )
    expect(run.account.items).toEqual([])
    expect(requestsOf(run)).toEqual(['GET wit/workitemtypes/{type}/fields', 'POST wit/workitems/${type}'])
  })

  it('with a value that is no longer allowed says so, without repeating it', async () => {
    await using run = await opened({ ...settings, 'field-Custom.Channel': ['Carrier pigeon'] })
    const error = await failureFrom(run.create())
    expect(error).toMatchObject({
      kind: 'rejected',
      message: 'Azure DevOps did not accept the value of the field “Channel” (TF401320). Check what is chosen',
    })
  })
})
