import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import type { ClickUpSandbox } from '../sandbox/clickup/clickup.ts'
import { choices } from './choices.ts'
import { contextFor, openClickUp, requests } from './testing.ts'

const NONE = { search: {} }
const PLACE = ['workspace', 'space', 'folder', 'list']

/** The choices by their field, each as the labels of its options. */
async function labels(clickup: ClickUpSandbox, settings: Record<string, unknown> = {}, search = {}) {
  const all = await choices(contextFor(clickup, { settings }), { search })
  return Object.fromEntries(all.map(({ field, options }) => [field, options.map(({ label }) => label)]))
}

describe('choosing where tasks go', () => {
  it('starts with the workspace, and offers one choice after the other', async () => {
    await using clickup = await openClickUp()
    const empty = { workspace: [], space: [], folder: [], list: [] }
    expect(await labels(clickup, empty)).toEqual({ workspace: ['Fernweh', 'Side project'] })
    expect(requests(clickup.calls)).toEqual(['GET /v2/team'])
    const workspace = [clickup.account.team(0).id]
    expect(await labels(clickup, { ...empty, workspace })).toMatchObject({ space: ['Product', 'Quiet'] })
    expect(await labels(clickup, { ...empty, workspace, space: [clickup.account.space.id] })).toEqual({
      workspace: ['Fernweh', 'Side project'],
      space: ['Product', 'Quiet'],
      folder: ['Roadmap'],
      list: ['Inbox', 'Bugs'],
    })
  })

  it('says what is required, single and dependent', async () => {
    await using clickup = await openClickUp()
    const all = await choices(contextFor(clickup), NONE)
    expect(
      all.map(({ field, single = false, required = false, kind = 'select', dependsOn = [] }) => [
        field,
        single,
        required,
        kind,
        dependsOn,
      ]),
    ).toEqual([
      ['workspace', true, true, 'select', []],
      ['space', true, true, 'select', ['workspace']],
      ['folder', true, false, 'select', ['workspace', 'space']],
      ['list', true, true, 'select', ['workspace', 'space', 'folder']],
      ['status', true, false, 'select', PLACE],
      ['priority', true, false, 'select', PLACE],
      ['assignee', true, false, 'select', PLACE],
      ['tags', false, false, 'text', PLACE],
    ])
  })

  it('lists what is in the folder once one is chosen', async () => {
    await using clickup = await openClickUp()
    const [folder] = clickup.account.space.folders
    const offered = await labels(clickup, { folder: [folder?.id], list: [] })
    expect(offered).toMatchObject({ list: ['Feedback'] })
    expect(Object.keys(offered)).toEqual(PLACE)
  })

  it('marks a space without tags', async () => {
    await using clickup = await openClickUp()
    clickup.account.space.tags = false
    const all = await choices(contextFor(clickup), NONE)
    const space = all.find(({ field }) => field === 'space')
    expect(space?.options.map(({ hint }) => hint)).toEqual(['Tags are switched off', undefined])
  })

  it('offers the open statuses in the order of the list, and four priorities', async () => {
    await using clickup = await openClickUp()
    const all = await choices(contextFor(clickup), NONE)
    const optionsOf = (name: string) => all.find(({ field }) => field === name)?.options
    expect(optionsOf('status')?.map(({ value }) => value)).toEqual(['to do', 'triage', 'in progress'])
    expect(optionsOf('priority')?.[0]).toEqual({ value: '1', label: 'Urgent' })
    expect(optionsOf('priority')).toHaveLength(4)
  })

  it('searches people by name and id, and keeps the chosen one', async () => {
    await using clickup = await openClickUp()
    const { people } = clickup.account
    expect((await labels(clickup)).assignee).toHaveLength(50)
    const chosen = { assignee: [String(people[60]?.id)] }
    expect((await labels(clickup, chosen, { assignee: 'ACKER' })).assignee).toEqual(['Person 59', 'Ada Acker'])
    expect((await labels(clickup, {}, { assignee: String(people[1]?.id) })).assignee).toEqual(['Ada Acker'])
    expect((await labels(clickup, {}, { assignee: 'nobody like it' })).assignee).toEqual([])
  })

  it('ignores what is no longer there, and settings that are no choices', async () => {
    await using clickup = await openClickUp()
    expect(Object.keys(await labels(clickup, { list: ['1'] }))).toEqual(PLACE)
    expect(Object.keys(await labels(clickup, { space: ['1'] }))).toEqual(['workspace', 'space'])
    for (const workspace of [null, 'text', [1], {}]) {
      expect(Object.keys(await labels(clickup, { workspace }))).toEqual(['workspace'])
    }
  })

  it('fails as a whole when ClickUp does', async () => {
    await using clickup = await openClickUp()
    clickup.faults.arm('500')
    expect(await failureFrom(labels(clickup))).toMatchObject({ kind: 'unavailable' })
    clickup.signIns.end()
    expect(await failureFrom(labels(clickup))).toMatchObject({ kind: 'auth' })
  })
})
