import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import type { RemoteItem } from '../tracker.ts'
import { opened, requestsOf } from './testing.ts'
import { tracker } from './tracker.ts'

async function withIssues(count: number) {
  const run = await opened()
  const remotes: RemoteItem[] = []
  for (let at = 0; at < count; at += 1) {
    remotes.push(await tracker.create(run.context, { document: documentFor(randomUUID()), reopen: false }))
  }
  run.calls.splice(0)
  return { ...run, remotes }
}

describe('reading states', () => {
  it('goes by the category of a status, and names the status', async () => {
    await using run = await withIssues(4)
    const [, progressing, closed, declined] = run.remotes.map(({ id }) => id)
    run.reopen(progressing ?? '')
    run.close(closed ?? '', 'Done')
    run.close(declined ?? '', 'Won’t do')
    const statuses = await tracker.readStatus(run.context, run.remotes)
    expect(statuses.map(({ state, name }) => [state, name])).toEqual([
      ['open', 'To Do'],
      ['open', 'In Progress'],
      ['closed', 'Done'],
      ['closed', 'Won’t do'],
    ])
  })

  it.each([
    ['by its resolution, also where the status says nothing', { id: '10001', name: "Won't Do" }, 'Done', "Won't Do"],
    ['in the language of the site', { id: '10230', name: 'Kann nicht reproduziert werden' }, 'Done', null],
    ['by the id of Jira’s own resolution', { id: '3', name: 'Kettős bejegyzés' }, 'Done', null],
    ['by the status, where the project has no resolutions', null, 'Won’t do', 'Won’t do'],
    ['by the status, where every closed issue gets the same', { id: '10000', name: 'Done' }, 'Won’t do', 'Won’t do'],
  ])('tells that an issue was declined %s', async (_, resolution, status, name) => {
    await using run = await withIssues(1)
    const [remote] = run.remotes
    run.resolve(remote?.id ?? '', resolution, status)
    expect(await tracker.readStatus(run.context, run.remotes)).toEqual([
      { id: remote?.id, state: 'closed', name: name ?? resolution?.name, declined: true },
    ])
  })

  it.each([
    ['with a resolution', { id: '10000', name: 'Done' }],
    ['with one of its own', { id: '10340', name: 'Released to customers' }],
    ['without one', null],
  ])('takes an issue that is done %s for done', async (_, resolution) => {
    await using run = await withIssues(1)
    run.resolve(run.remotes[0]?.id ?? '', resolution)
    expect(await tracker.readStatus(run.context, run.remotes)).toEqual([
      { id: run.remotes[0]?.id, state: 'closed', name: 'Done' },
    ])
  })

  it('does not need a field of its own that the site hides', async () => {
    await using run = await withIssues(1)
    run.resolve(run.remotes[0]?.id ?? '', null)
    const { http } = run.context
    const context: typeof run.context = {
      ...run.context,
      http: {
        async request(request) {
          const response = await http.request(request)
          return { ...response, body: response.body.replace(',"resolution":null', '') }
        },
      },
    }
    expect(await tracker.readStatus(context, run.remotes)).toMatchObject([{ state: 'closed', name: 'Done' }])
  })

  it('takes one request for fifty, and none for none', async () => {
    await using run = await withIssues(50)
    expect(await tracker.readStatus(run.context, run.remotes)).toHaveLength(50)
    expect(requestsOf(run)).toEqual(['POST /issue/bulkfetch'])
    expect(await tracker.readStatus(run.context, [])).toEqual([])
    expect(run.calls).toHaveLength(1)
  })

  it('sees what is new to the search, and what was moved to another project', async () => {
    await using run = await withIssues(1)
    const [{ id } = { id: '' }] = run.remotes
    Object.assign(run.site.known(id), { searchable: false, key: 'OPS-1', project: run.site.projects[1] })
    expect(await tracker.readStatus(run.context, run.remotes)).toMatchObject([{ id, state: 'open' }])
  })

  it('takes what Jira does not return for gone', async () => {
    await using run = await withIssues(3)
    const [removed, hidden, left] = run.remotes.map(({ id }) => id)
    run.remove(removed ?? '')
    run.hide(hidden ?? '')
    expect(await tracker.readStatus(run.context, run.remotes)).toEqual([
      { id: removed, state: 'gone', name: null },
      { id: hidden, state: 'gone', name: null },
      { id: left, state: 'open', name: 'To Do' },
    ])
  })

  it('leaves an issue as it was that Jira could not read', async () => {
    await using run = await withIssues(2)
    const [first, second] = run.remotes.map(({ id }) => id)
    const { http } = run.context
    const context: typeof run.context = {
      ...run.context,
      http: {
        async request(request) {
          const response = await http.request(request)
          const { issues } = JSON.parse(response.body) as { issues: { id: string }[] }
          const body = {
            issues: issues.filter(({ id }) => id !== first),
            issueErrors: [{ id: first, errorMessage: 'Try again' }],
          }
          return { ...response, body: JSON.stringify(body) }
        },
      },
    }
    expect(await tracker.readStatus(context, run.remotes)).toEqual([{ id: second, state: 'open', name: 'To Do' }])
  })

  it('takes nothing for gone when Jira fails', async () => {
    await using run = await withIssues(1)
    run.faults.arm('html')
    expect(await failureFrom(tracker.readStatus(run.context, run.remotes))).toMatchObject({ kind: 'unavailable' })
    run.signIns.end()
    expect(await failureFrom(tracker.readStatus(run.context, run.remotes))).toMatchObject({ kind: 'auth' })
  })
})
