import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import type { LinearSandbox } from '../sandbox/linear/linear.ts'
import { choices } from './choices.ts'
import { contextFor, openLinear } from './testing.ts'
import { tracker } from './tracker.ts'

const NONE = { search: {} }

/** The choices by their field, each as the labels of its options. */
async function labels(linear: LinearSandbox, settings: Record<string, unknown> = {}, search = {}) {
  const all = await choices(contextFor(linear, { settings }), { search })
  return Object.fromEntries(all.map(({ field, options }) => [field, options.map(({ label }) => label)]))
}

describe('choosing where issues go', () => {
  it('starts with the team, which is required', async () => {
    await using linear = await openLinear()
    const all = await choices(contextFor(linear, { settings: { team: [] } }), NONE)
    expect(all).toMatchObject([
      {
        field: 'team',
        single: true,
        required: true,
        options: [
          { value: linear.workspace.team(0).id, label: 'Product', hint: 'PRD' },
          { value: linear.workspace.team(1).id, label: 'Operations', hint: 'OPS' },
        ],
      },
    ])
  })

  it('offers what the team has', async () => {
    await using linear = await openLinear()
    const all = await choices(contextFor(linear), NONE)
    expect(
      all.map(({ field, single = false, required = false, searchable = false }) => [
        field,
        single,
        required,
        searchable,
      ]),
    ).toEqual([
      ['team', true, true, false],
      ['project', true, false, true],
      ['labels', false, false, false],
      ['assignee', true, false, true],
      ['state', true, false, false],
      ['priority', true, false, false],
      ['customer_requests', true, false, false],
    ])
    const offered = await labels(linear)
    expect(offered).toMatchObject({
      project: ['Faster exports', 'Mobile app'],
      state: ['Backlog', 'Next up', 'Todo', 'In progress'],
      priority: ['Urgent', 'High', 'Medium', 'Low'],
    })
    expect(all.find(({ field }) => field === 'priority')?.options[0]).toEqual({ value: '1', label: 'Urgent' })
  })

  it('offers labels of the workspace and of the team, with the name of their group, and no groups', async () => {
    await using linear = await openLinear()
    const all = await choices(contextFor(linear), NONE)
    const options = all.find(({ field }) => field === 'labels')?.options.map(({ label, hint }) => [label, hint])
    expect(options).toEqual([
      ['Feedback', undefined],
      ['Reports', 'Area'],
      ['Product only', undefined],
    ])
  })

  it('marks labels of one group, also of groups with the same name, as Linear does', async () => {
    await using linear = await openLinear()
    const { workspace } = linear
    const [, area] = workspace.labels
    const other = { id: randomUUID(), name: 'Area' }
    const add = (name: string, parent: { id: string; name: string }) =>
      workspace.labels.push({ id: randomUUID(), name, isGroup: false, parent, team: null })
    add('Exports', { id: area?.id ?? '', name: 'Area' })
    add('Berlin', other)
    const all = await choices(contextFor(linear), NONE)
    const options = all.find(({ field }) => field === 'labels')?.options ?? []
    expect(options.map(({ label, group }) => [label, group])).toEqual([
      ['Feedback', undefined],
      ['Reports', { id: area?.id, label: 'Area' }],
      ['Product only', undefined],
      ['Exports', { id: area?.id, label: 'Area' }],
      ['Berlin', { id: other.id, label: 'Area' }],
    ])
    const idOf = (name: string) => options.find(({ label }) => label === name)?.value ?? ''
    const createWith = (...names: string[]) =>
      tracker.create(contextFor(linear, { settings: { labels: names.map(idOf) } }), {
        document: documentFor(randomUUID()),
        reopen: false,
      })
    expect(await createWith('Reports', 'Berlin', 'Feedback')).toMatchObject({ status: 'open' })
    expect(await failureFrom(createWith('Reports', 'Exports'))).toMatchObject({ kind: 'rejected' })
  })

  it('depends on the team', async () => {
    await using linear = await openLinear()
    const offered = await labels(linear, { team: [linear.workspace.team(1).id] })
    expect(offered).toMatchObject({
      project: [],
      labels: ['Feedback', 'Reports', 'Operations only'],
      assignee: ['Ada Acker'],
    })
  })

  it('searches projects and people, and keeps what is chosen', async () => {
    await using linear = await openLinear()
    const { people } = linear.workspace
    const offered = await labels(
      linear,
      { project: [linear.workspace.team(0).all.projects[0]?.id], assignee: [people[59]?.id] },
      { project: 'MOBILE', assignee: 'acker' },
    )
    expect(offered).toMatchObject({ project: ['Faster exports', 'Mobile app'], assignee: ['Person 59', 'Ada Acker'] })
    expect(await labels(linear, {}, { project: 'nothing like it', assignee: 'x"}{' })).toMatchObject({
      project: [],
      assignee: [],
    })
  })

  it('offers nobody to whom nothing can be assigned', async () => {
    await using linear = await openLinear()
    const { assignee } = await labels(linear)
    expect(assignee).toContain('Person 2')
    expect(assignee).not.toContain('Person 1')
  })

  it('lists every page of teams and labels', async () => {
    await using linear = await openLinear()
    const { workspace } = linear
    const more = Array.from({ length: 150 }, (_, index) => ({
      id: `label-${index}`,
      name: `Label ${index}`,
      isGroup: false,
      parent: null,
      team: null,
    }))
    workspace.labels.push(...more)
    expect((await labels(linear)).labels).toHaveLength(153)
  })

  it('offers the other teams where the chosen one is gone', async () => {
    await using linear = await openLinear()
    const [gone] = linear.workspace.teams.splice(0, 1)
    expect(await labels(linear, { team: [gone?.id] })).toEqual({ team: ['Operations'] })
  })

  it('ignores settings that are no choices', async () => {
    await using linear = await openLinear()
    for (const team of [null, 'text', [1], {}]) expect(Object.keys(await labels(linear, { team }))).toEqual(['team'])
  })

  it('fails as a whole when Linear does', async () => {
    await using linear = await openLinear()
    linear.faults.arm('500')
    expect(await failureFrom(labels(linear))).toMatchObject({ kind: 'unavailable' })
    linear.signIns.end()
    expect(await failureFrom(labels(linear))).toMatchObject({ kind: 'auth' })
  })
})
