import { describe, expect, it } from 'vitest'
import type { Choice } from '../connector.ts'
import type { JiraSandbox } from '../sandbox/jira/jira.ts'
import { choices } from './choices.ts'
import { contextFor, openJira } from './testing.ts'

const ask = (jira: JiraSandbox, settings: Record<string, unknown> = {}, search: Record<string, string> = {}) =>
  choices(contextFor(jira, { settings }), { search })
const fieldsOf = (all: readonly Choice[]) => all.map(({ field }) => field)
const labelsOf = (all: readonly Choice[], field: string) =>
  all.find((choice) => choice.field === field)?.options.map(({ label }) => label)

describe('what a type requires', () => {
  it('is found when it is set up, each field by its kind', async () => {
    await using jira = await openJira()
    const all = await ask(jira, { issue_type: ['10004'] })
    expect(
      all
        .filter(({ field }) => field.includes('-'))
        .map(({ field, label, kind = 'select', single = false, required, options }) => [
          field,
          label,
          kind,
          single,
          required,
          options.length,
        ]),
    ).toEqual([
      ['option-customfield_10001', 'Severity', 'select', true, true, 2],
      ['options-customfield_10002', 'Surfaces', 'select', false, true, 2],
      ['paragraph-customfield_10003', 'Steps', 'text', false, true, 0],
      ['text-customfield_10004', 'Region', 'text', false, true, 0],
      ['number-customfield_10005', 'Cost', 'text', false, true, 0],
      ['date-duedate', 'Due date', 'date', true, true, 0],
      ['time-customfield_10006', 'Reported at', 'date', true, true, 0],
      ['words-customfield_10007', 'Keywords', 'text', false, true, 0],
      ['user-customfield_10008', 'Owner', 'select', true, true, 50],
      ['users-customfield_10009', 'Watch group', 'select', false, true, 50],
    ])
    expect(labelsOf(all, 'option-customfield_10001')).toEqual(['Minor', 'Major'])
    const searched = await ask(jira, { issue_type: ['10004'] }, { 'user-customfield_10008': 'tally' })
    expect(labelsOf(searched, 'user-customfield_10008')).toEqual(['Tally Turner'])
  })

  it('and has a default in Jira is not asked for', async () => {
    await using jira = await openJira()
    expect(fieldsOf(await ask(jira)).join(' ')).not.toContain('reporter')
  })

  it.each([
    [
      '10005',
      'missing-customfield_10020',
      'Place',
      /^Jira requires Place, which cannot be filled here: it is a cascading select\./,
    ],
    ['10006', 'missing-labels', 'Labels', /^The screen of this issue type has no field Labels/],
  ])('and cannot be filled keeps the type %s from being saved, with the reason', async (type, field, label, help) => {
    await using jira = await openJira()
    const all = await ask(jira, { issue_type: [type] })
    const obstacle = all.find((choice) => choice.field === field)
    expect(obstacle).toMatchObject({ label, required: true, options: [], help: expect.stringMatching(help) })
    expect(fieldsOf(all).filter((name) => name.includes('customfield_10020'))).toHaveLength(type === '10005' ? 1 : 0)
  })

  it('and has values of an app, of whatever kind, spoils neither its type nor the other fields', async () => {
    await using jira = await openJira()
    const fields = jira.sites[0].projects[0]?.types[3]?.fields ?? []
    const values: unknown[] = ['plain', 7, null, { id: 7 }, { label: 'without an id' }]
    for (const field of fields) {
      if (field.fieldId === 'customfield_10001') Object.assign(field, { allowedValues: values })
      if (field.fieldId === 'customfield_10002')
        Object.assign(field, { allowedValues: [...values, { id: '1', name: 'A' }] })
    }
    const all = await ask(jira, { issue_type: ['10004'] })
    expect(all.find(({ field }) => field === 'missing-customfield_10001')).toMatchObject({ label: 'Severity' })
    expect(labelsOf(all, 'options-customfield_10002')).toEqual(['A'])
    expect(fieldsOf(all)).toContain('text-customfield_10004')
  })

  it('includes the choices that are usually optional', async () => {
    await using jira = await openJira()
    const fields = jira.sites[0].projects[0]?.types[0]?.fields ?? []
    for (const field of fields) if (field.fieldId === 'components') field.required = true
    const components = (await ask(jira)).filter(({ field }) => field === 'components')
    expect(components).toMatchObject([{ required: true, options: [{ label: 'Exports' }, { label: 'App' }] }])
    for (const field of fields) if (field.fieldId === 'components') field.allowedValues = []
    expect(fieldsOf(await ask(jira))).toContain('missing-components')
  })
})
