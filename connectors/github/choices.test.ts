import { describe, expect, it } from 'vitest'
import { choices } from './choices.ts'
import { github } from './index.ts'
import { asked, installed, opened } from './testing.ts'

const fields = async (...given: Parameters<typeof choices>) => (await choices(...given)).map(({ field }) => field)
const valuesOf = async (field: string, ...given: Parameters<typeof choices>) =>
  (await choices(...given)).find((choice) => choice.field === field)?.options.map(({ value }) => value)
const NONE = { search: {} }

describe('the repository', () => {
  it('is required, and alone until it is chosen', async () => {
    await using run = await opened({ settings: { repository: [] } })
    expect(github.choicesRequired).toBe(true)
    expect(await choices(run.context, NONE)).toEqual([
      expect.objectContaining({
        field: 'repository',
        single: true,
        required: true,
        searchable: true,
        options: [
          { value: 'acme/support', label: 'acme/support' },
          { value: 'acme/website', label: 'acme/website' },
        ],
      }),
    ])
    expect(asked(run)).toEqual(['GET /user/repos'])
  })

  it('is one of those that the installation was given', async () => {
    await using run = await installed({ settings: { repository: [] } })
    run.calls.splice(0)
    expect(await valuesOf('repository', run.context, NONE)).toEqual(['acme/support', 'acme/website'])
    expect(asked(run)).toEqual(['GET /installation/repositories'])
  })

  it('is not one that takes no issues', async () => {
    await using run = await opened()
    Object.assign(run.hub.addRepository('acme', 'old'), { archived: true })
    Object.assign(run.hub.addRepository('acme', 'mirror'), { hasIssues: false })
    run.hide()
    expect(await valuesOf('repository', run.context, NONE)).toEqual(['acme/support', 'acme/website'])
    expect(await valuesOf('repository', run.context, { search: { repository: 'acme/old' } })).toEqual([])
  })

  it('is searched by a part of its name, in any case, behind the ones that are listed', async () => {
    await using run = await opened()
    for (let at = 0; at < 230; at += 1) run.hub.addRepository('acme', `service-${String(at).padStart(3, '0')}`)
    expect(await valuesOf('repository', run.context, NONE)).toHaveLength(100)
    expect(await valuesOf('repository', run.context, { search: { repository: 'ICE-22' } })).toEqual(
      Array.from({ length: 10 }, (_, at) => `acme/service-22${at}`),
    )
    expect(await valuesOf('repository', run.context, { search: { repository: 'nothing' } })).toEqual([])
  })

  it('is found by its full name behind any number of others', async () => {
    await using run = await opened({ settings: { repository: [] } })
    for (let at = 0; at < 1100; at += 1) run.hub.addRepository('acme', `a-${at}`)
    run.calls.splice(0)
    expect(await valuesOf('repository', run.context, { search: { repository: 'acme/website' } })).toEqual([
      'acme/website',
    ])
    expect(asked(run).at(-1)).toBe('GET /repos/acme/website')
    expect(run.calls).toHaveLength(11)
  })

  it.each(['acme/../user', '../user', 'nobody/nothing'])('is not “%s”', async (repository) => {
    await using run = await opened()
    expect(await valuesOf('repository', run.context, { search: { repository } })).toEqual([])
    expect(asked(run).some((call) => call.includes('..'))).toBe(false)
  })
})

describe('what depends on the repository', () => {
  it('is its labels, with their descriptions', async () => {
    await using run = await opened()
    expect((await choices(run.context, NONE))[1]).toMatchObject({
      field: 'labels',
      dependsOn: ['repository'],
      options: [
        { value: 'feedback', label: 'feedback', hint: 'From customers' },
        { value: 'bug', label: 'bug' },
      ],
    })
  })

  it('is every label: they are not searched', async () => {
    await using run = await opened()
    for (let id = 1; id <= 230; id += 1) run.support.labels.push({ id, name: `area-${id}`, description: null })
    expect(await valuesOf('labels', run.context, NONE)).toHaveLength(232)
  })

  it('is one of its people at most, searched by name', async () => {
    await using run = await opened()
    expect((await choices(run.context, NONE))[2]).toMatchObject({
      field: 'assignee',
      single: true,
      searchable: true,
      dependsOn: ['repository'],
      options: [{ value: 'ann' }, { value: 'ben' }],
    })
    for (let at = 0; at < 150; at += 1) run.support.assignees.push(`person-${at}`)
    expect(await valuesOf('assignee', run.context, NONE)).toHaveLength(100)
    expect(await valuesOf('assignee', run.context, { search: { assignee: 'SON-149' } })).toEqual(['person-149'])
  })

  it('is that of the repository in the draft', async () => {
    await using run = await opened({ settings: { repository: ['acme/website'] } })
    expect(await valuesOf('labels', run.context, NONE)).toEqual([])
  })

  it.each([
    [undefined, ['repository']],
    [['acme/unknown'], ['repository']],
    [['../user'], ['repository']],
    [['acme/support'], ['repository', 'labels', 'assignee']],
  ])('for the repository %j it is %j', async (repository, expected) => {
    await using run = await opened({ settings: { repository } })
    expect(await fields(run.context, NONE)).toEqual(expected)
  })

  it('follows a repository that was renamed', async () => {
    await using run = await opened()
    run.hub.rename(run.support, 'helpdesk')
    expect(await valuesOf('labels', run.context, NONE)).toEqual(['feedback', 'bug'])
  })
})
