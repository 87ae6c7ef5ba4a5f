import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { opened, operations } from './testing.ts'
import { tracker } from './tracker.ts'

describe('updating an issue', () => {
  it('replaces its description and leaves its title alone', async () => {
    await using run = await opened()
    const remote = await run.create()
    const issue = run.workspace.issues[0]
    if (issue) issue.title = 'Renamed by the team'
    const document = documentFor(run.document.marker, { title: 'Other', counts: { mentions: 812, people: 7 } })
    await tracker.update(run.context, remote, { document, reopen: false })
    expect(issue).toMatchObject({ title: 'Renamed by the team', comments: [] })
    expect(issue?.description).toContain('812 mentions')
  })

  it('says in one comment that a closed issue was mentioned again', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setState(remote.id, 'canceled')
    for (let round = 0; round < 3; round += 1) remote = await run.update(remote)
    remote = await run.update({ ...remote, data: {} })
    expect(remote).toMatchObject({
      status: 'closed',
      statusName: 'Won’t do',
      declined: true,
      data: { commented: true },
    })
    expect(run.workspace.issues[0]?.comments.map(({ body }) => body)).toEqual([
      'Customers mentioned this again after the issue was closed: 3 mentions from 2 people in total, as of 2026-03-02.',
    ])
  })

  it('writes the comment again where it is no longer there', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setState(remote.id, 'completed')
    remote = await run.update(remote)
    const [issue] = run.workspace.issues
    issue?.comments.splice(0)
    expect((await run.update(remote)).data).toMatchObject({ commented: true })
    expect(issue?.comments).toHaveLength(1)
  })

  it('continues without its comment where someone deleted it and Linear keeps its id', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.setState(remote.id, 'completed')
    remote = await run.update(remote)
    const [issue] = run.workspace.issues
    run.workspace.deletedComments.push(...(issue?.comments.splice(0) ?? []).map(({ id }) => id))
    const document = documentFor(run.document.marker, { counts: { mentions: 97, people: 7 } })
    remote = await tracker.update(run.context, remote, { document, reopen: false })
    expect(remote.data).toMatchObject({ commented: false })
    expect(issue).toMatchObject({ comments: [], description: expect.stringContaining('97 mentions') })
    expect(run.context.log.lines).toHaveLength(1)
  })

  it('names a missing scope', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.signIns.keyScopes = ['issues:create', 'read']
    const error = await failureFrom(run.update(remote))
    expect(error).toMatchObject({ message: 'The sign-in at Linear lacks the scope write. Connect again and allow it' })
  })

  it.each(['completed', 'canceled', 'duplicate'])(
    'reopens one that is %s into the first state to start with',
    async (type) => {
      await using run = await opened()
      const remote = await run.create()
      run.setState(remote.id, type)
      expect(await run.update(remote, true)).toMatchObject({ status: 'open', statusName: 'Next up' })
      expect(run.workspace.issues[0]?.comments).toEqual([])
    },
  )

  it('reopens into the backlog where a team has nothing else, and comments where it has no open state', async () => {
    await using run = await opened()
    const remote = await run.create()
    const { states } = run.workspace.team(0).all
    const keep = (...types: string[]) =>
      states.splice(0, states.length, ...states.filter(({ type }) => types.includes(type)))
    run.setState(remote.id, 'completed')
    keep('backlog', 'completed')
    expect(await run.update(remote, true)).toMatchObject({ statusName: 'Backlog' })
    run.setState(remote.id, 'completed')
    keep('completed')
    expect(await run.update(remote, true)).toMatchObject({ status: 'closed', data: { commented: true } })
  })

  it('takes one that Linear archived out of the archive to reopen it', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(remote.id, 'completed')
    run.archive(remote.id)
    expect(await run.update(remote, true)).toMatchObject({ status: 'open' })
    expect(run.workspace.issues[0]).toMatchObject({ archivedAt: null })
  })

  it('moves nothing that is open', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(remote.id, 'started')
    expect(await run.update(remote, true)).toMatchObject({ statusName: 'In progress' })
    expect(operations(run.calls).slice(-2)).toEqual(['Issue', 'IssueUpdate'])
  })
})
