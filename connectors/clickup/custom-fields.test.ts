import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { failureFrom } from '../kit/testing.ts'
import type { CustomField } from '../sandbox/clickup/account.ts'
import { choices } from './choices.ts'
import { fieldValues } from './custom-fields.ts'
import { opened } from './testing.ts'
import { tracker } from './tracker.ts'

const field = (type: string, name: string, given: Partial<CustomField> = {}): CustomField => ({
  id: randomUUID(),
  name,
  type,
  required: true,
  ...given,
})
const severity = field('drop_down', 'Severity', {
  options: [
    { id: 'low', name: 'Low' },
    { id: 'high', name: 'High' },
  ],
})
const areas = field('labels', 'Areas', {
  options: [
    { id: 'a', label: 'Reports' },
    { id: 'b', label: 'Mobile' },
  ],
})
const team = field('short_text', 'Team')
const due = field('date', 'Seen on')
const effort = field('number', 'Effort')
const owner = field('users', 'Owner')
const empty = field('drop_down', 'Nothing to choose', { options: [] })

describe('required custom fields of a list', () => {
  it('are offered by their kind; optional ones and those of other types of tasks are not', async () => {
    await using run = await openedWith(
      severity,
      areas,
      team,
      due,
      effort,
      field('text', 'Optional', { required: false }),
      field('text', 'For bugs only', { taskTypes: [1001] }),
      field('text', 'For tasks too', { taskTypes: [1001, 0] }),
    )
    const offered = await fieldsOf(run.context)
    expect(
      offered.map(({ label, kind = 'select', single = false, required }) => [label, kind, single, required]),
    ).toEqual([
      ['Severity', 'select', true, true],
      ['Areas', 'select', false, true],
      ['Team', 'text', false, true],
      ['Seen on', 'date', false, true],
      ['Effort', 'text', false, true],
      ['For tasks too', 'text', false, true],
    ])
    expect(offered[0]?.options).toEqual([
      { value: 'low', label: 'Low' },
      { value: 'high', label: 'High' },
    ])
    expect(offered[1]?.options.map(({ label }) => label)).toEqual(['Reports', 'Mobile'])
  })

  it('that cannot be filled here say so, and do not stop anything', async () => {
    await using run = await openedWith(owner, empty)
    const offered = await fieldsOf(run.context)
    expect(offered.map(({ label, required = false, options }) => [label, required, options])).toEqual([
      ['Owner', false, []],
      ['Nothing to choose', false, []],
    ])
    expect(offered[0]?.help).toBe(
      'The list requires Owner, which cannot be filled here. ClickUp creates the tasks without it.',
    )
    expect(await tracker.verify(run.context)).toBe(
      'Tally Turner may create tasks in Inbox, without the required Owner, Nothing to choose, which cannot be filled here',
    )
    expect(await run.create()).toMatchObject({ status: 'open' })
  })

  it('without a value are named when verifying', async () => {
    await using run = await openedWith(severity, team)
    const offered = await fieldsOf(run.context)
    run.context.settings[offered[0]?.field ?? ''] = ['high']
    const error = await failureFrom(tracker.verify(run.context))
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Error).message).toBe('The list Inbox requires Team: choose a value')
    run.context.settings[offered[1]?.field ?? ''] = ['Exports']
    expect(await tracker.verify(run.context)).toBe('Tally Turner may create tasks in Inbox')
  })

  it('are sent as ClickUp expects them', async () => {
    await using run = await openedWith(severity, areas, team, due, effort)
    const values = [['high'], ['a', 'b'], ['Exports'], ['2026-03-01'], ['3.5']]
    const offered = await fieldsOf(run.context)
    offered.forEach(({ field: name }, at) => {
      run.context.settings[name] = values[at]
    })
    await run.create()
    expect(run.account.tasks[0]?.customFields).toEqual([
      { id: severity.id, value: 'high' },
      { id: areas.id, value: ['a', 'b'] },
      { id: team.id, value: 'Exports' },
      { id: due.id, value: Date.parse('2026-03-01T12:00:00Z') },
      { id: effort.id, value: 3.5 },
    ])
  })

  it('are left out where nothing is stored, and a number that is none is named', async () => {
    expect(
      fieldValues({ settings: { 'field-text-a': [], 'field-text-b': null, tags: ['x'], 'field-x-c': ['1'] } }),
    ).toEqual([])
    for (const text of ['many', ' ', 'Infinity']) {
      expect(() => fieldValues({ settings: { 'field-number-a': [text] } })).toThrow('is no number')
    }
  })

  it('that no longer exist are named without a second attempt to create the task', async () => {
    await using run = await opened({ [`field-text-${randomUUID()}`]: ['customer words'] })
    const error = await failureFrom(run.create())
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Error).message).toBe('ClickUp did not accept a custom field. Check what is chosen for ClickUp')
    expect(run.calls).toHaveLength(1)
  })
})

async function openedWith(...fields: CustomField[]) {
  const run = await opened()
  run.account.list.fields.push(...fields)
  return run
}

async function fieldsOf(context: Parameters<typeof choices>[0]) {
  const all = await choices(context, { search: {} })
  return all.filter(({ field: name }) => /^(field|unfillable)-/.test(name))
}
