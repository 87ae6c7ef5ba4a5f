import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import type { RemoteItem } from '../tracker.ts'
import { contextFor, opened, requests } from './testing.ts'
import { tracker } from './tracker.ts'

async function openedWith(count: number, length = 10) {
  const run = await opened()
  const remotes: RemoteItem[] = []
  for (let at = 0; at < count; at += 1) {
    const document = documentFor(randomUUID(), { summary: 'word '.repeat(length) })
    remotes.push(await tracker.create(run.context, { document, reopen: false }))
  }
  run.calls.splice(0)
  return { ...run, remotes }
}

describe('reading states', () => {
  it('takes one request for tasks in several lists', async () => {
    await using run = await openedWith(4)
    const [one, two, three] = run.remotes.map(({ id }) => id)
    run.setStatus(one ?? '', 'done')
    run.setStatus(two ?? '', 'closed')
    run.move(three ?? '', run.account.space.lists[1]?.id)
    const statuses = await tracker.readStatus(run.context, run.remotes)
    expect(statuses.map(({ state, name }) => [state, name])).toEqual([
      ['closed', 'shipped'],
      ['closed', 'complete'],
      ['open', 'to do'],
      ['open', 'to do'],
    ])
    expect(requests(run.calls)).toEqual(['GET /v2/team/{team_Id}/task'])
  })

  it.each([
    ['done', "won't do"],
    ['closed', 'Cancelled'],
    ['closed', 'duplicate'],
  ] as const)('takes a task in a status of the type %s named “%s” for declined', async (type, name) => {
    await using run = await openedWith(1)
    const [remote] = run.remotes
    run.decline(remote?.id ?? '', name, type)
    expect(await tracker.readStatus(run.context, run.remotes)).toEqual([
      { id: remote?.id, state: 'closed', name, declined: true },
    ])
  })

  it('requests a task individually before it counts as gone', async () => {
    await using run = await openedWith(5)
    const [lagging, archived, hidden, deleted, untagged] = run.account.tasks
    if (lagging) lagging.listed = false
    if (archived) Object.assign(archived, { archived: true, status: archived.list.status('closed') })
    run.move(hidden?.id ?? '')
    run.remove(deleted?.id ?? '')
    if (untagged) untagged.tags = []
    const statuses = await tracker.readStatus(run.context, run.remotes)
    expect(statuses.map(({ state }) => state)).toEqual(['open', 'closed', 'gone', 'gone', 'open'])
  })

  it('reads each task by its id where ClickUp lists only tasks that have all the tags', async () => {
    await using run = await openedWith(7)
    run.account.tagsMatch = 'all'
    run.setStatus(run.remotes[6]?.id ?? '', 'closed')
    const statuses = await tracker.readStatus(run.context, run.remotes)
    expect(statuses.map(({ id }) => id)).toEqual(run.remotes.map(({ id }) => id))
    expect(statuses.map(({ state }) => state)).toEqual([...Array.from({ length: 6 }, () => 'open'), 'closed'])
    expect(run.calls).toHaveLength(8)
  })

  it('verifies the workspace once for all tasks that are out of reach', async () => {
    await using run = await openedWith(12)
    for (const { id } of run.remotes) run.move(id)
    const statuses = await tracker.readStatus(run.context, run.remotes)
    expect(statuses).toEqual(run.remotes.map(({ id }) => ({ id, state: 'gone', name: null })))
    expect(requests(run.calls).filter((one) => one === 'GET /v2/team')).toHaveLength(1)
  })

  it('reads one without a marker by its id', async () => {
    await using run = await openedWith(1)
    const [remote] = run.remotes.map((one) => ({ ...one, data: {} }))
    expect(await tracker.readStatus(run.context, remote ? [remote] : [])).toMatchObject([{ state: 'open' }])
    expect(requests(run.calls)).toEqual(['GET /v2/task/{task_id}'])
  })

  it('requests halves where the texts are too long for one response', async () => {
    await using run = await openedWith(4, 600)
    const context = contextFor(run, { maxBytes: 20 * 1024 })
    const statuses = await tracker.readStatus(context, run.remotes)
    expect(statuses.map(({ id, state }) => [id, state])).toEqual(run.remotes.map(({ id }) => [id, 'open']))
    expect(requests(run.calls)).toEqual(Array.from({ length: 3 }, () => 'GET /v2/team/{team_Id}/task'))
  })

  it('requests nothing where nothing is to be read', async () => {
    await using run = await openedWith(0)
    expect(await tracker.readStatus(run.context, [])).toEqual([])
    expect(run.calls).toEqual([])
  })

  it('fails as a whole when a limit is reached, so that nothing counts as gone', async () => {
    await using run = await openedWith(2)
    for (const task of run.account.tasks) task.listed = false
    run.budget.limit = 0
    expect(await failureFrom(tracker.readStatus(run.context, run.remotes))).toMatchObject({ kind: 'rate-limited' })
  })
})
