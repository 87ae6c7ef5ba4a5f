import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ItemGone, Rejected } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import type { RemoteItem } from '../tracker.ts'
import { contextFor, opened, openLinear, operations } from './testing.ts'
import { tracker } from './tracker.ts'

describe('creating an issue', () => {
  it('uses the marker as its id, and everything that is chosen', async () => {
    await using linear = await openLinear()
    const { workspace } = linear
    const team = workspace.team(0)
    const [labels, project, assignee] = [
      [workspace.labels[0]?.id, workspace.labels[2]?.id],
      team.all.projects[1]?.id,
      workspace.people[0]?.id,
    ]
    const state = team.state('started')
    const context = contextFor(linear, {
      settings: { labels, project: [project], assignee: [assignee], state: [state.id], priority: ['2'] },
    })
    const document = documentFor(randomUUID())
    const remote = await tracker.create(context, { document, reopen: false })
    expect(workspace.issues).toMatchObject([
      {
        id: document.marker,
        title: document.title,
        team,
        labelIds: labels,
        projectId: project,
        assigneeId: assignee,
        state,
        priority: 2,
      },
    ])
    expect(remote).toEqual({
      id: document.marker,
      url: 'https://linear.app/fernweh/issue/PRD-1',
      label: 'PRD-1',
      title: 'Export stops halfway',
      status: 'open',
      statusName: 'In progress',
      data: { attached: true, requested: [] },
    })
  })

  it('links back with one attachment, however often it is updated', async () => {
    await using run = await opened()
    const remote = await run.create()
    await run.update(remote)
    await run.update({ ...remote, data: {} })
    expect(run.workspace.issues[0]?.attachments).toMatchObject([{ url: run.document.link }])
  })

  it('without a link makes no attachment', async () => {
    await using run = await opened()
    const document = documentFor(randomUUID(), { link: null })
    const remote = await tracker.create(run.context, { document, reopen: false })
    expect(remote.data).toEqual({ attached: false, requested: [] })
    expect(operations(run.calls)).toEqual(['IssueCreate'])
  })

  it('keeps an issue whose attachment failed, and attaches it with the next update', async () => {
    await using run = await opened()
    const { attachments } = await issueAfter(run)
    expect(attachments).toHaveLength(0)
    const [line] = run.context.log.lines
    expect(line).toContain('could not be attached')
    expect(line).not.toContain('feedback.example.com')
    const found = await tracker.find(run.context, run.document.marker)
    await run.update(found as RemoteItem)
    expect(attachments).toHaveLength(1)
  })

  /** Creates an issue whose budget ends right after it. */
  async function issueAfter(run: Awaited<ReturnType<typeof opened>>) {
    run.budget.limit = 1
    await run.create()
    run.budget.limit = null
    const [issue] = run.workspace.issues
    if (!issue) throw new Error('There is no issue')
    return issue
  }

  it('again, returns the issue that exists', async () => {
    await using run = await opened()
    const first = await run.create()
    expect(await run.create()).toEqual(first)
    expect(run.workspace.issues).toHaveLength(1)
  })

  it('again after it was deleted, reports that it is gone', async () => {
    await using run = await opened()
    run.trash((await run.create()).id)
    expect(await failureFrom(run.create())).toBeInstanceOf(ItemGone)
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ status: 'gone' })
  })

  it.each([
    [{ team: [] }, 'No team is chosen for Linear: choose one'],
    [{ team: null }, 'No team is chosen for Linear: choose one'],
    [{ name: undefined }, 'Linear is not set up completely: connect it again'],
    [{ team: [randomUUID()] }, /^The team no longer exists in Linear/],
    [{ labels: [randomUUID()] }, /^The label no longer exists in Linear/],
    [{ project: [randomUUID()] }, /^The project no longer exists in Linear/],
    [{ assignee: [randomUUID()] }, /^The assignee no longer exists in Linear/],
    [{ state: [randomUUID()] }, /^The status no longer exists in Linear/],
  ])('with the settings %j says what is wrong', async (settings, message) => {
    await using run = await opened(settings)
    const error = await failureFrom(run.create())
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).toMatch(message)
    expect(run.workspace.issues).toEqual([])
  })
})

describe('reading states', () => {
  it('keeps an archived issue closed, and takes one in the trash, an open one in the archive or a hidden one for gone', async () => {
    await using run = await opened()
    const ids = Array.from({ length: 5 }, () => randomUUID())
    const remotes: RemoteItem[] = []
    for (const id of ids) remotes.push(await tracker.create(run.context, { document: documentFor(id), reopen: false }))
    const [closed = '', trashed = '', archived = '', hidden = ''] = ids
    run.setState(closed, 'completed')
    run.archive(closed)
    run.trash(trashed)
    run.archive(archived)
    run.hide(hidden)
    const statuses = await tracker.readStatus(run.context, remotes)
    expect(statuses.map(({ state, name }) => [state, name])).toEqual([
      ['closed', 'Done'],
      ['gone', null],
      ['gone', null],
      ['gone', null],
      ['open', 'Backlog'],
    ])
  })

  it('asks for an issue itself before it takes it for gone', async () => {
    await using run = await opened()
    run.workspace.lag(true)
    const remote = await run.create()
    expect(await tracker.readStatus(run.context, [remote])).toEqual([{ id: remote.id, state: 'open', name: 'Backlog' }])
  })

  it('asks for nothing where nothing is to be read', async () => {
    await using run = await opened()
    expect(await tracker.readStatus(run.context, [])).toEqual([])
    expect(run.calls).toEqual([])
  })
})

describe('verifying', () => {
  it('names who may write where', async () => {
    await using run = await opened()
    expect(await tracker.verify(run.context)).toBe('Tally Turner may write issues in Product')
    expect(run.workspace.issues).toEqual([])
  })

  it.each([
    ['read', 'The sign-in at Linear lacks the scope write. Connect again and allow it'],
    ['retired', 'The team no longer takes issues in Linear. Choose another one'],
    ['gone', /^The team no longer exists in Linear/],
  ])('notices what is missing: %s', async (what, message) => {
    await using run = await opened()
    const team = run.workspace.team(0)
    if (what === 'read') run.signIns.keyScopes = ['read']
    if (what === 'retired') team.retiredAt = new Date().toISOString()
    if (what === 'gone') run.workspace.teams.splice(0, 1)
    expect(((await failureFrom(tracker.verify(run.context))) as Error).message).toMatch(message)
  })
})
