import { describe, expect, it } from 'vitest'
import { AuthExpired, ItemGone } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { opened, requests } from './testing.ts'
import { tracker } from './tracker.ts'

const COMMENT =
  'Customers mentioned this again after the task was closed: 3 mentions from 2 people in total, as of 2026-03-02.'

describe('updating a task', () => {
  it('replaces its text in one request and leaves its title and status alone', async () => {
    await using run = await opened()
    const remote = await run.create()
    const [task] = run.account.tasks
    if (task) task.name = 'Renamed by the team'
    run.setStatus(remote.id, 'custom')
    const document = documentFor(run.document.marker, { title: 'Other', counts: { mentions: 812, people: 7 } })
    const updated = await tracker.update(run.context, remote, { document, reopen: true })
    expect(updated).toMatchObject({ status: 'open', statusName: 'triage', data: { marker: run.document.marker } })
    expect(task).toMatchObject({ name: 'Renamed by the team', comments: [] })
    expect(task?.markdown).toContain('812 mentions')
    expect(requests(run.calls).slice(1)).toEqual(['PUT /v2/task/{task_id}'])
  })

  it('says in one comment that a closed task was mentioned again, and notifies nobody', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setStatus(remote.id, 'done')
    for (let round = 0; round < 3; round += 1) remote = await run.update(remote)
    expect(remote).toMatchObject({ status: 'closed', statusName: 'shipped', data: { comment: '458' } })
    expect(run.account.tasks[0]?.comments).toEqual([{ id: '458', text: COMMENT }])
    const sent = run.calls.filter(({ method, template }) => method === 'POST' && template.endsWith('/comment'))
    expect(sent.map(({ json }) => json)).toEqual([{ comment_text: COMMENT, notify_all: false }])
  })

  it('finds its comment where it forgot which, among those of people', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setStatus(remote.id, 'closed')
    await run.update(remote)
    const [task] = run.account.tasks
    task?.comments.push({ id: '999', text: 'A person: we know' })
    expect((await run.update({ ...remote, data: {} })).data).toMatchObject({ comment: '458' })
    expect(task?.comments).toHaveLength(2)
  })

  it('finds its comment also where people wrote more than a page of comments since', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setStatus(remote.id, 'closed')
    await run.update(remote)
    const [task] = run.account.tasks
    for (let at = 0; at < 60; at += 1) task?.comments.push({ id: String(2000 + at), text: `A person: ${at}` })
    run.calls.splice(0)
    expect((await run.update({ ...remote, data: {} })).data).toMatchObject({ comment: '458' })
    expect(task?.comments).toHaveLength(61)
    expect(requests(run.calls)).toEqual([
      'PUT /v2/task/{task_id}',
      ...Array.from({ length: 3 }, () => 'GET /v2/task/{task_id}/comment'),
      'PUT /v2/comment/{comment_id}',
    ])
  })

  it('writes the comment again where someone deleted it', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setStatus(remote.id, 'closed')
    remote = await run.update(remote)
    const [task] = run.account.tasks
    task?.comments.splice(0)
    await run.update(remote)
    expect(task?.comments).toHaveLength(1)
  })

  it.each(['done', 'closed'])('reopens one that is %s into the status that tasks start with', async (type) => {
    await using run = await opened()
    const remote = await run.create()
    run.setStatus(remote.id, type)
    expect(await run.update(remote, true)).toMatchObject({ status: 'open', statusName: 'to do' })
    expect(run.account.tasks[0]?.comments).toEqual([])
    expect(requests(run.calls).slice(1)).toEqual([
      'PUT /v2/task/{task_id}',
      'GET /v2/list/{list_id}',
      'PUT /v2/task/{task_id}',
    ])
  })

  it('reopens into the first open status, and comments where the list has none', async () => {
    await using run = await opened()
    const remote = await run.create()
    const { statuses } = run.account.list
    const keep = (...types: string[]) =>
      statuses.splice(0, statuses.length, ...statuses.filter(({ type }) => types.includes(type)))
    run.setStatus(remote.id, 'closed')
    keep('custom', 'closed')
    expect(await run.update(remote, true)).toMatchObject({ statusName: 'triage' })
    run.setStatus(remote.id, 'closed')
    keep('closed')
    expect(await run.update(remote, true)).toMatchObject({ status: 'closed', data: { comment: '458' } })
  })

  it('reopens one that was moved with a status of its own list', async () => {
    await using run = await opened()
    const remote = await run.create()
    const [, bugs] = run.account.space.lists
    run.move(remote.id, bugs?.id)
    run.setStatus(remote.id, 'closed')
    for (const status of bugs?.statuses ?? []) status.status = `bug ${status.status}`
    expect(await run.update(remote, true)).toMatchObject({ id: remote.id, status: 'open', statusName: 'bug to do' })
  })

  it('takes a closed one out of the archive to reopen it', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setStatus(remote.id, 'closed')
    const [task] = run.account.tasks
    if (task) task.archived = true
    expect(await run.update(remote, true)).toMatchObject({ status: 'open' })
    expect(task).toMatchObject({ archived: false })
  })

  it.each(['deleted', 'out of reach', 'archived'])('reports one that is %s as gone', async (how) => {
    await using run = await opened()
    const remote = await run.create()
    if (how === 'deleted') run.remove(remote.id)
    if (how === 'out of reach') run.move(remote.id)
    if (how === 'archived') run.account.task(remote.id).archived = true
    expect(await failureFrom(run.update(remote))).toBeInstanceOf(ItemGone)
  })

  it('counts nothing as gone while the workspace is out of reach', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.account.team(0).allowed = false
    for (const attempt of [() => run.update(remote), () => tracker.readStatus(run.context, [remote])]) {
      const error = await failureFrom(attempt())
      expect(error).toBeInstanceOf(AuthExpired)
      expect((error as Error).message).toContain('no longer has access to the workspace')
    }
  })
})
