import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { contextFor, opened, requests } from './testing.ts'
import { tracker } from './tracker.ts'

describe('creating a task', () => {
  it('sends everything in one request, and notifies nobody else', async () => {
    await using run = await opened({
      status: ['triage'],
      priority: ['2'],
      assignee: ['4002'],
      tags: ['Feedback, exports ,, feedback'],
    })
    const remote = await run.create()
    const [task] = run.account.tasks
    expect(remote).toEqual({
      id: task?.id,
      url: `https://app.clickup.com/t/${task?.id}`,
      label: task?.id,
      title: run.document.title,
      status: 'open',
      statusName: 'triage',
      data: { marker: run.document.marker },
    })
    expect(task).toMatchObject({
      name: 'Export stops halfway',
      priority: 2,
      assignees: [4002],
      tags: [`gs-${run.document.marker}`, 'feedback', 'exports'],
    })
    expect(task?.markdown).toContain('Large exports end without a message')
    expect(requests(run.calls)).toEqual(['POST /v2/list/{list_id}/task'])
    expect(run.calls[0]?.json).toMatchObject({ notify_all: false })
  })

  it('leaves out what is not chosen', async () => {
    await using run = await opened({ status: null, priority: [], tags: [' , '] })
    await run.create()
    expect(Object.keys(run.calls[0]?.json ?? {})).toEqual(['name', 'markdown_content', 'tags', 'notify_all'])
  })

  it('is known by its custom id where the workspace has them', async () => {
    await using run = await opened()
    await run.create()
    const [task] = run.account.tasks
    if (task) task.customId = 'FB-12'
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id: task?.id, label: 'FB-12' })
  })

  it.each([
    [{ list: [] }, 'No list is chosen for ClickUp: choose one'],
    [{ space: null }, 'No list is chosen for ClickUp: choose one'],
    [{ name: undefined }, 'ClickUp is not set up completely: connect it again'],
    [{ list: ['1'] }, /^The list no longer exists in ClickUp/],
    [{ status: ['no such status'] }, 'ClickUp did not accept the status. Check what is chosen for ClickUp'],
    [{ assignee: ['1'] }, 'ClickUp did not accept the assignee. Check what is chosen for ClickUp'],
  ])('with the settings %j says what is wrong', async (settings, message) => {
    await using run = await opened(settings)
    const error = await failureFrom(run.create())
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).toMatch(message)
    expect(run.account.tasks).toEqual([])
  })

  it('fails for a list that the sign-in may not use, and ends the sign-in with its workspace', async () => {
    await using run = await opened()
    run.account.list.level = 'read'
    expect(await failureFrom(run.create())).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('may not use this list'),
    })
    run.account.team(0).allowed = false
    const error = await failureFrom(run.create())
    expect(error).toBeInstanceOf(AuthExpired)
    expect((error as Error).message).toContain('no longer has access to the workspace')
  })
})

describe('finding a task', () => {
  it('takes one request where it is in its list', async () => {
    await using run = await opened()
    const { id } = await run.create()
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id, status: 'open' })
    expect(requests(run.calls).slice(1)).toEqual(['GET /v2/list/{list_id}/task'])
  })

  it('finds one that was closed, or moved to another list of the workspace', async () => {
    await using run = await opened()
    const { id } = await run.create()
    run.setStatus(id, 'closed')
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id, status: 'closed' })
    run.move(id, run.account.space.lists[1]?.id)
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id, status: 'open' })
  })

  it('finds one whose list was deleted or whose connection has another list now', async () => {
    await using run = await opened()
    const { id } = await run.create()
    const settings = { ...run.context.settings, list: ['1'] }
    expect(await tracker.find({ ...run.context, settings }, run.document.marker)).toMatchObject({ id })
  })

  it('finds one that was archived', async () => {
    await using run = await opened()
    const { id } = await run.create()
    run.account.task(id).archived = true
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id, status: 'gone' })
    run.setStatus(id, 'closed')
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id, status: 'closed' })
  })

  it('finds one without its tag by its text, in a space where tags were switched off', async () => {
    await using run = await opened()
    run.account.space.tags = false
    const { id } = await run.create()
    expect(run.account.task(id).tags).toEqual([])
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id, status: 'open' })
    expect(await tracker.find(run.context, randomUUID())).toBeNull()
  })

  it('searches the texts of one hour where those of a day are too long for one response', async () => {
    await using run = await opened()
    run.account.space.tags = false
    const { id } = await run.create()
    const old = documentFor(randomUUID(), { summary: 'word '.repeat(700) })
    for (let count = 0; count < 4; count += 1) await tracker.create(run.context, { document: old, reopen: false })
    for (const task of run.account.tasks.slice(1)) task.at -= 2 * 60 * 60_000
    const context = { ...run.context, http: contextFor(run, { maxBytes: 20 * 1024 }).http }
    expect(await tracker.find(context, run.document.marker)).toMatchObject({ id })
    const since = run.calls.flatMap(({ query }) => query.date_created_gt ?? [])
    expect(since.map((from) => Math.round((Date.now() - Number(from)) / 3_600_000))).toEqual([24, 1])
  })

  it('takes no other task for it, also where ClickUp ignores the tag', async () => {
    await using run = await opened()
    await run.create()
    run.account.ignoresTags = true
    expect(await tracker.find(run.context, randomUUID())).toBeNull()
    expect(run.calls.at(-1)?.answer).toMatchObject({ tasks: [{ id: run.account.tasks[0]?.id }] })
  })

  it('says for how long a list may not show it', async () => {
    await using run = await opened()
    run.account.lag(true)
    await run.create()
    expect(await tracker.find(run.context, run.document.marker)).toBeNull()
    expect(tracker.findLagSeconds).toBe(60)
    run.account.lag(false)
    expect(await tracker.find(run.context, run.document.marker)).not.toBeNull()
  })
})

describe('verifying', () => {
  it('names who may write where, and only reads', async () => {
    await using run = await opened()
    expect(await tracker.verify(run.context)).toBe('Tally Turner may create tasks in Inbox')
    expect(run.calls.every(({ method }) => method === 'GET')).toBe(true)
    expect(run.calls).toHaveLength(4)
  })

  it.each(['read', 'comment', 'edit'])('refuses a list with the right to %s', async (level) => {
    await using run = await opened()
    run.account.list.level = level
    const error = await failureFrom(tracker.verify(run.context))
    expect((error as Error).message).toMatch(/^Tally Turner may not create tasks in Inbox/)
  })

  it.each([
    ['archived', /^The list Inbox is archived/],
    ['no tags', /^Tags are switched off in the space/],
    ['status', 'The list Inbox no longer has the chosen status. Choose another one'],
    ['gone', /^The list no longer exists in ClickUp/],
    ['workspace', /no longer has access to the workspace/],
  ])('notices what is missing: %s', async (what, message) => {
    await using run = await opened()
    const { account, context } = run
    if (what === 'archived') account.list.archived = true
    if (what === 'no tags') account.space.tags = false
    if (what === 'status') context.settings.status = ['backlog']
    if (what === 'gone') account.space.lists.splice(0, 1)
    if (what === 'workspace') account.team(0).allowed = false
    expect(((await failureFrom(tracker.verify(context))) as Error).message).toMatch(message)
  })

  it('works with the token of a sign-in only in its own header', async () => {
    await using run = await opened()
    const context = contextFor(run, { secrets: { access_token: run.signIns.apiToken } })
    expect(await failureFrom(tracker.verify(context))).toBeInstanceOf(AuthExpired)
  })
})
