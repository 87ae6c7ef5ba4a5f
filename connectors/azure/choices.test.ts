import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import type { AzureSandbox } from '../sandbox/azure/azure.ts'
import { choices } from './choices.ts'
import { contextFor, openAzure, requestsOf } from './testing.ts'

const NONE = { search: {} }

/** The choices by their field, each as the labels of its options. */
async function labels(azure: AzureSandbox, settings: Record<string, unknown> = {}, search = {}) {
  const all = await choices(contextFor(azure, { settings }), { search })
  return Object.fromEntries(all.map(({ field, options }) => [field, options.map(({ label }) => label)]))
}

describe('choosing where work items go', () => {
  it('starts with the project, which is required and searched', async () => {
    await using azure = await openAzure()
    expect(await choices(contextFor(azure, { settings: { project: [] } }), NONE)).toMatchObject([
      {
        field: 'project',
        single: true,
        required: true,
        searchable: true,
        options: [
          { value: azure.account.project(0).id, label: 'Fernweh' },
          { value: azure.account.project(1).id, label: 'Operations' },
        ],
      },
    ])
  })

  it('starts with the organisation where there are several', async () => {
    await using azure = await openAzure()
    const settings = { organizations: ['fabrikam', 'contoso'] }
    expect(await choices(contextFor(azure, { settings }), NONE)).toMatchObject([
      {
        field: 'in_organization',
        single: true,
        required: true,
        options: [{ value: 'fabrikam' }, { value: 'contoso' }],
      },
    ])
    expect(azure.calls).toEqual([])
    const chosen = await labels(azure, { ...settings, in_organization: ['fabrikam'] })
    expect(Object.keys(chosen)).toEqual(['in_organization', 'project', 'type', 'area', 'assigned_to'])
  })

  it('never asks an organisation that is not one of the connection', async () => {
    await using azure = await openAzure()
    const settings = { organizations: ['fabrikam', 'contoso'], in_organization: ['other'] }
    expect(Object.keys(await labels(azure, settings))).toEqual(['in_organization'])
    expect(azure.calls).toEqual([])
  })

  it('offers the types of the project that are in use, and what depends on the type', async () => {
    await using azure = await openAzure()
    const all = await choices(contextFor(azure), NONE)
    expect(
      all.map(({ field, single = false, required = false, searchable = false, dependsOn }) => [
        field,
        single,
        required,
        searchable,
        dependsOn,
      ]),
    ).toEqual([
      ['project', true, true, true, ['in_organization']],
      ['type', true, true, false, ['in_organization', 'project']],
      ['area', true, false, true, ['in_organization', 'project']],
      ['assigned_to', true, false, true, ['in_organization', 'project']],
    ])
    expect(await labels(azure)).toMatchObject({
      type: ['Issue', 'Customer Problem', 'Bug'],
      area: ['Fernweh', 'Fernweh\\Website', 'Fernweh\\Website\\Search', 'Fernweh\\Mobile'],
    })
  })

  it('offers the type only once a project is chosen, and the rest once a type is', async () => {
    await using azure = await openAzure()
    expect(Object.keys(await labels(azure, { type: [] }))).toEqual(['project', 'type'])
    expect(Object.keys(await labels(azure, { type: ['Old type'] }))).toEqual(['project', 'type'])
    expect(requestsOf(azure).filter((request) => request.includes('fields'))).toEqual([])
  })

  it('has the fields that the type requires and that have no default', async () => {
    await using azure = await openAzure()
    const all = await choices(contextFor(azure, { settings: { type: ['Customer Problem'] } }), NONE)
    expect(all.filter(({ field }) => field.startsWith('field-'))).toEqual([
      {
        field: 'field-Custom.Channel',
        label: 'Channel',
        help: 'The type requires it.',
        single: true,
        required: true,
        dependsOn: ['in_organization', 'project', 'type'],
        options: [
          { value: 'Mail', label: 'Mail' },
          { value: 'Phone', label: 'Phone' },
        ],
      },
      {
        field: 'field-Custom.Product',
        label: 'Product',
        help: 'The type requires it.',
        kind: 'text',
        single: true,
        required: true,
        dependsOn: ['in_organization', 'project', 'type'],
        options: [],
      },
    ])
  })

  it('searches projects, areas and people, and keeps what is chosen', async () => {
    await using azure = await openAzure()
    const settings = { area: ['Fernweh\\Mobile'], assigned_to: ['person-59@fabrikam.example'] }
    expect(await labels(azure, settings, { project: 'OPER', area: 'search', assigned_to: 'acker' })).toMatchObject({
      project: ['Fernweh', 'Operations'],
      area: ['Fernweh\\Mobile', 'Fernweh\\Website\\Search'],
      assigned_to: ['Person 59', 'Ada Acker'],
    })
    const nothing = await labels(azure, {}, { area: 'nothing like it', assigned_to: 'x"}{' })
    expect(nothing).toMatchObject({ area: [], assigned_to: [] })
  })

  it('finds a person by the address that is stored', async () => {
    await using azure = await openAzure()
    const { assigned_to } = await labels(azure, {}, { assigned_to: 'person-58@fabrikam.example' })
    expect(assigned_to).toEqual(['Person 58'])
  })

  it('offers no groups, and nobody whose address is not known', async () => {
    await using azure = await openAzure()
    const { members } = azure.account.project(0)
    members.splice(0, members.length, {
      uniqueName: 'vstfs:///Classification/x',
      displayName: 'A group',
      isContainer: true,
    })
    members.push({ displayName: 'No address' }, { uniqueName: 'no-name@fabrikam.example' }, {})
    expect((await labels(azure)).assigned_to).toEqual(['no-name@fabrikam.example'])
  })

  it('lists every page of projects, and 50 of them at once', async () => {
    await using azure = await openAzure()
    azure.account.addProjects(250)
    const { project } = await labels(azure, { project: [] })
    expect(project).toHaveLength(50)
    expect(requestsOf(azure)).toEqual(['GET projects', 'GET projects', 'GET projects'])
    expect((await labels(azure, { project: [] }, { project: 'Project 249' })).project).toEqual(['Project 249'])
  })

  it('offers the other projects where the chosen one is gone', async () => {
    await using azure = await openAzure()
    const [gone] = azure.account.projects.splice(0, 1)
    expect(await labels(azure, { project: [gone?.id] })).toEqual({ project: ['Operations'] })
  })

  it('ignores settings that are no choices', async () => {
    await using azure = await openAzure()
    for (const project of [null, 'text', [1], {}, ['../x']]) {
      expect(Object.keys(await labels(azure, { project }))).toEqual(['project'])
    }
  })

  it('fails as a whole when Azure DevOps does', async () => {
    await using azure = await openAzure()
    azure.faults.arm('500')
    expect(await failureFrom(labels(azure))).toMatchObject({ kind: 'unavailable' })
    azure.signIns.end()
    expect(await failureFrom(labels(azure))).toMatchObject({ kind: 'auth' })
  })
})
