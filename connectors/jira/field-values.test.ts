import { describe, expect, it } from 'vitest'
import { fieldValues, kindOf, settingOf, wordsOf } from './field-values.ts'
import type { Field } from './schema.ts'

const CUSTOM = 'com.atlassian.jira.plugin.system.customfieldtypes:'
const values = [{ id: '1', value: 'One' }]

function fieldOf(schema: Field['schema'], allowedValues?: Field['allowedValues']): Field {
  return {
    fieldId: 'customfield_10001',
    name: 'A field',
    required: true,
    schema,
    ...(allowedValues ? { allowedValues } : {}),
  }
}

describe('the kind of a field', () => {
  it.each([
    [{ type: 'string', custom: `${CUSTOM}textfield` }, undefined, 'text'],
    [{ type: 'string', custom: `${CUSTOM}url` }, undefined, 'text'],
    [{ type: 'string', custom: `${CUSTOM}textarea` }, undefined, 'paragraph'],
    [{ type: 'string', system: 'environment' }, undefined, 'paragraph'],
    [{ type: 'number' }, undefined, 'number'],
    [{ type: 'date', system: 'duedate' }, undefined, 'date'],
    [{ type: 'datetime' }, undefined, 'time'],
    [{ type: 'user' }, undefined, 'user'],
    [{ type: 'option' }, values, 'option'],
    [{ type: 'version' }, values, 'option'],
    [{ type: 'securitylevel' }, values, 'option'],
    [{ type: 'array', items: 'option' }, values, 'options'],
    [{ type: 'array', items: 'version' }, values, 'options'],
    [{ type: 'array', items: 'string' }, undefined, 'words'],
    [{ type: 'array', items: 'user' }, undefined, 'users'],
    [{ type: 'option-with-child' }, values, null],
    [{ type: 'array', items: 'option-with-child' }, values, null],
    [{ type: 'array', items: 'attachment' }, undefined, null],
    [{ type: 'issuelink', system: 'parent' }, undefined, null],
    [{ type: 'timetracking' }, undefined, null],
    [{ type: 'team' }, undefined, null],
    [{ type: 'any' }, undefined, null],
  ])('%j is known', (schema, allowed, kind) => {
    expect(kindOf(fieldOf(schema, allowed))).toBe(kind)
  })

  it('is part of the setting’s name, except for fields with their own choice', () => {
    expect(settingOf('option', { fieldId: 'customfield_10001' })).toBe('option-customfield_10001')
    expect(settingOf('options', { fieldId: 'components' })).toBe('components')
  })
})

describe('the values of required fields', () => {
  const read = (settings: Record<string, unknown>) => fieldValues({ settings })

  it.each([
    ['text-customfield_1', ['Europe'], { customfield_1: 'Europe' }],
    ['number-customfield_1', [' 3 '], { customfield_1: 3 }],
    ['date-duedate', ['2026-12-01'], { duedate: '2026-12-01' }],
    ['time-customfield_1', ['2026-12-01'], { customfield_1: '2026-12-01T00:00:00.000+0000' }],
    ['words-customfield_1', ['a, b  c'], { customfield_1: ['a', 'b', 'c'] }],
    ['option-customfield_1', ['10'], { customfield_1: { id: '10' } }],
    ['options-customfield_1', ['10', '11'], { customfield_1: [{ id: '10' }, { id: '11' }] }],
    ['user-customfield_1', ['abc'], { customfield_1: { accountId: 'abc' } }],
    ['users-customfield_1', ['abc', 'd'], { customfield_1: [{ accountId: 'abc' }, { accountId: 'd' }] }],
  ])('%s with %j', (name, stored, fields) => {
    expect(read({ [name]: stored })).toEqual(fields)
  })

  it('are rich text where Jira wants it', () => {
    expect(read({ 'paragraph-customfield_1': ['<b>x</b>'] })).toEqual({
      customfield_1: {
        type: 'doc',
        version: 1,
        content: [{ type: 'paragraph', content: [{ type: 'text', text: '<b>x</b>' }] }],
      },
    })
  })

  const NO_VALUES: { settings: Record<string, unknown> }[] = [
    { settings: { 'text-customfield_1': [] } },
    { settings: { 'text-customfield_1': ['  '] } },
    { settings: { 'text-customfield_1': 'Europe' } },
    { settings: { 'text-customfield_1': [7] } },
    { settings: { 'text-summary': ['Another title'] } },
    { settings: { 'options-labels': ['x'] } },
    { settings: { 'option-project': ['10010'] } },
    { settings: { 'missing-labels': ['x'] } },
    { settings: { 'other-customfield_1': ['x'] } },
    { settings: { 'text-a b': ['x'] } },
    { settings: { project: ['10000'] } },
    { settings: { toString: ['x'] } },
  ]

  it.each(NO_VALUES)('are not read from %j', ({ settings }) => {
    expect(read(settings)).toEqual({})
  })

  it.each(['many', '1,5', '1e999'])('refuse the number %j', (value) => {
    expect(() => read({ 'number-customfield_1': [value] })).toThrow('takes a number')
  })
})

describe('words', () => {
  it.each([
    [
      ['a b', 'b,c;d'],
      ['a', 'b', 'c;d'],
    ],
    [[' ', ','], []],
    [null, []],
    [['x'.repeat(256)], []],
  ])('of %j', (texts, words) => {
    expect(wordsOf(texts)).toEqual(words)
  })
})
