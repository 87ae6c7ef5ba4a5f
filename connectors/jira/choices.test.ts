import { describe, expect, it } from 'vitest'
import type { Choice } from '../connector.ts'
import { failureFrom } from '../kit/testing.ts'
import type { JiraSandbox } from '../sandbox/jira/jira.ts'
import { choices } from './choices.ts'
import { contextFor, openJira, signedIn } from './testing.ts'

const NONE = { search: {} }

const ask = (jira: JiraSandbox, settings: Record<string, unknown> = {}, search: Record<string, string> = {}) =>
  choices(contextFor(jira, { settings }), { search })
const fieldsOf = (all: readonly Choice[]) => all.map(({ field }) => field)
const labelsOf = (all: readonly Choice[], field: string) =>
  all.find((choice) => choice.field === field)?.options.map(({ label }) => label)

describe('choosing where issues go', () => {
  it('starts with the project, which is required and searched', async () => {
    await using jira = await openJira()
    expect(await ask(jira, { project: [], issue_type: [] })).toMatchObject([
      {
        field: 'project',
        single: true,
        required: true,
        searchable: true,
        options: [
          { value: '10000', label: 'Growth', hint: 'GROW' },
          { value: '10010', label: 'Operations', hint: 'OPS' },
        ],
      },
    ])
    expect(labelsOf(await ask(jira, { project: [] }, { project: 'oper' }), 'project')).toEqual(['Operations'])
    expect(labelsOf(await ask(jira, { project: [] }, { project: 'GRO' }), 'project')).toEqual(['Growth'])
  })

  it('offers only projects in which issues can be created', async () => {
    await using jira = await openJira()
    jira.sites[0].denied.add('CREATE_ISSUES')
    expect(labelsOf(await ask(jira, { project: [] }), 'project')).toEqual([])
    expect(jira.calls[0]?.query).toMatchObject({ action: 'create' })
  })

  it('goes on with the types of the project, without subtasks', async () => {
    await using jira = await openJira()
    const all = await ask(jira, { issue_type: [] })
    expect(fieldsOf(all)).toEqual(['project', 'issue_type'])
    expect(all[1]).toMatchObject({ single: true, required: true, dependsOn: ['site', 'project'] })
    expect(labelsOf(all, 'issue_type')).toEqual(['Task', 'Bug', 'Incident', 'Visit', 'Note'])
    expect(labelsOf(await ask(jira, { project: ['10010'], issue_type: [] }), 'issue_type')).toEqual(['Task'])
  })

  it('offers what the screen of the type has', async () => {
    await using jira = await openJira()
    const all = await ask(jira)
    expect(
      all
        .slice(2)
        .map(({ field, kind = 'select', single = false, required = false, searchable = false }) => [
          field,
          kind,
          single,
          required,
          searchable,
        ]),
    ).toEqual([
      ['labels', 'text', false, false, false],
      ['components', 'select', false, false, false],
      ['priority', 'select', true, false, false],
      ['assignee', 'select', true, false, true],
    ])
    expect(labelsOf(all, 'components')).toEqual(['Exports', 'App'])
    expect(labelsOf(all, 'priority')).toEqual(['High', 'Medium'])
    expect(labelsOf(all, 'assignee')).toHaveLength(50)
    expect(fieldsOf(await ask(jira, { project: ['10010'] }))).not.toContain('assignee')
  })

  it('searches people, and offers none who is inactive', async () => {
    await using jira = await openJira()
    const found = async (text: string) => labelsOf(await ask(jira, {}, { assignee: text }), 'assignee')
    expect(await found('tally')).toEqual(['Tally Turner'])
    expect(await found('Person 1')).not.toContain('Person 1')
    expect(await found('Person 59')).toEqual(['Person 59'])
    expect(await found('nobody like this')).toEqual([])
  })

  it('offers the other projects and types where the chosen one is gone', async () => {
    await using jira = await openJira()
    const [project] = jira.sites[0].projects
    if (project) project.live = false
    expect(fieldsOf(await ask(jira))).toEqual(['project'])
    expect(fieldsOf(await ask(jira, { project: ['10010'], issue_type: ['10004'] }))).toEqual(['project', 'issue_type'])
  })

  const NO_PROJECTS: { project: unknown }[] = [
    { project: null },
    { project: ['../../myself'] },
    { project: ['10000/x'] },
    { project: ['x'] },
  ]
  it.each(NO_PROJECTS)('takes $project for no project', async ({ project }) => {
    await using jira = await openJira()
    expect(fieldsOf(await ask(jira, { project }))).toEqual(['project'])
    expect(jira.calls.map(({ path }) => path)).toEqual(['/rest/api/3/project/search'])
  })

  const NO_LISTS: { project: unknown }[] = [{ project: 'text' }, { project: [1] }, { project: {} }]
  it.each(NO_LISTS)('refuses settings in which the project is $project', async ({ project }) => {
    await using jira = await openJira()
    expect(await failureFrom(ask(jira, { project }))).toMatchObject({ kind: 'rejected' })
    expect(jira.calls).toEqual([])
  })

  it('lists every page of fields', async () => {
    await using jira = await openJira()
    const task = jira.sites[0].projects[0]?.types[0]
    const component = task?.fields.find(({ fieldId }) => fieldId === 'labels')
    if (!task || !component) throw new Error('There is no field')
    const more = Array.from({ length: 250 }, (_, index) => ({ ...component, fieldId: `customfield_9${index}` }))
    task.fields.unshift(...more)
    expect(fieldsOf(await ask(jira))).toContain('assignee')
  })

  it('fails as a whole when Jira does', async () => {
    await using jira = await openJira()
    jira.faults.arm('500')
    expect(await failureFrom(ask(jira))).toMatchObject({ kind: 'unavailable' })
    jira.signIns.end()
    expect(await failureFrom(ask(jira))).toMatchObject({ kind: 'auth' })
  })
})

describe('with OAuth', () => {
  it('has no choice of a site where there is one', async () => {
    await using jira = await openJira()
    const context = await signedIn(jira)
    expect(fieldsOf(await choices(context, NONE))).not.toContain('site')
    expect(jira.calls.at(-1)?.path).toMatch(new RegExp(`^/ex/jira/${jira.sites[0].id}/rest/api/3/`))
  })

  it('starts with the site where there are several', async () => {
    await using jira = await openJira()
    jira.signIns.sites = jira.sites
    const [first, second] = jira.sites
    const context = await signedIn(jira)
    expect(await choices(context, NONE)).toMatchObject([
      {
        field: 'site',
        single: true,
        required: true,
        options: [
          { value: first.id, label: 'Fernweh', hint: 'fernweh.atlassian.net' },
          { value: second.id, label: 'Fernweh Labs', hint: 'fernweh-labs.atlassian.net' },
        ],
      },
    ])
    second.projects.splice(0, 1)
    const chosen = { ...context, settings: { ...context.settings, site: [second.id], project: [] } }
    const all = await choices(chosen, NONE)
    expect(fieldsOf(all)).toEqual(['site', 'project'])
    expect(labelsOf(all, 'project')).toEqual(['Operations'])
  })

  it.each(['33333333-aaaa-4bbb-8ccc-000000000003', '../../x', '__proto__', 'constructor'])(
    'sends nothing to the site %j, which was not allowed',
    async (site) => {
      await using jira = await openJira()
      jira.signIns.sites = jira.sites
      const context = await signedIn(jira, { site: [site] })
      const before = jira.calls.length
      expect(fieldsOf(await choices(context, NONE))).toEqual(['site'])
      expect(jira.calls).toHaveLength(before)
    },
  )
})
