import { describe, expect, it } from 'vitest'
import { ItemGone } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { asked, opened } from './testing.ts'
import { tracker } from './tracker.ts'

describe('updating an issue', () => {
  it('reads it, replaces its text, and leaves its title, labels and people alone', async () => {
    await using run = await opened()
    const remote = await run.create()
    const [issue] = run.support.issues
    Object.assign(issue ?? {}, { title: 'Renamed by the team', labels: ['bug'], assignees: ['ben'] })
    run.calls.splice(0)
    const document = documentFor(run.document.marker, { title: 'Other', counts: { mentions: 812, people: 7 } })
    const updated = await tracker.update(run.context, remote, { document, reopen: false })
    expect(updated).toEqual({ ...remote, title: 'Renamed by the team' })
    expect(asked(run)).toEqual(['GET /repos/acme/support/issues/1', 'PATCH /repos/acme/support/issues/1'])
    expect(issue).toMatchObject({ title: 'Renamed by the team', labels: ['bug'], assignees: ['ben'], comments: [] })
    expect(issue?.body).toContain('**812 mentions**')
    expect(issue?.body).toContain(`<!-- insight:${run.document.marker} -->`)
  })

  it('sends no state unless it is to be reopened', async () => {
    await using run = await opened()
    const remote = await run.create()
    await run.update(remote)
    expect(Object.keys(run.calls.at(-1)?.json as object)).toEqual(['body'])
    await run.update(remote, true)
    expect(run.calls.at(-1)?.json).toMatchObject({ state: 'open' })
  })

  it.each(['completed', 'not_planned', 'duplicate'])('reopens one that is closed as %s', async (reason) => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(remote.id, 'closed', reason)
    expect(await run.update(remote, true)).toMatchObject({ id: remote.id, status: 'open', statusName: null })
    expect(run.support.issues[0]).toMatchObject({ state: 'open', reason: 'reopened', comments: [] })
  })
})

describe('the comment on a closed issue', () => {
  async function closed() {
    const run = await opened()
    const remote = await run.create()
    run.setState(remote.id, 'closed', 'not_planned')
    const [issue] = run.support.issues
    const comments = () => issue?.comments.map(({ body }) => body) ?? []
    return { ...run, remote, issue, comments }
  }

  it('says that customers mentioned it again, and changes with each update', async () => {
    await using run = await closed()
    let { remote } = run
    for (let round = 1; round <= 3; round += 1) {
      const document = documentFor(run.document.marker, { counts: { mentions: 10 + round, people: 1 } })
      remote = await tracker.update(run.context, remote, { document, reopen: false })
    }
    expect(remote).toMatchObject({ status: 'closed', statusName: 'Not planned' })
    expect(remote.data).toEqual({ repository: 'acme/support', number: 1, comment: run.issue?.comments[0]?.id })
    expect(run.comments()).toEqual([
      `Customers mentioned this again after the issue was closed: 13 mentions from 1 person in total, as of 2026-03-02.\n\n<!-- insight-comment:${run.document.marker} -->`,
    ])
  })

  it('is found by its marker among others where its id was lost', async () => {
    await using run = await closed()
    const ben = run.hub.person('ben')
    for (let at = 0; at < 120 && run.issue; at += 1) run.hub.comment(run.issue, ben, `Me too ${at}`)
    const { data } = await run.update(run.remote)
    if (run.issue) run.hub.comment(run.issue, ben, 'Again')
    const updated = await run.update(run.remote)
    expect(updated.data).toEqual(data)
    expect(run.comments().filter((text) => text.includes('insight-comment'))).toHaveLength(1)
  })

  it('is written again where someone deleted it', async () => {
    await using run = await closed()
    const first = await run.update(run.remote)
    run.issue?.comments.splice(0)
    const second = await run.update(first)
    expect(second.data['comment']).not.toBe(first.data['comment'])
    expect(run.comments()).toHaveLength(1)
  })

  it('is left out where GitHub refuses it, and the text is up to date', async () => {
    await using run = await closed()
    Object.assign(run.issue ?? {}, { locked: true })
    const document = documentFor(run.document.marker, { counts: { mentions: 97, people: 7 } })
    const updated = await tracker.update(run.context, run.remote, { document, reopen: false })
    expect(updated.data).toEqual({ repository: 'acme/support', number: 1 })
    expect(run.issue?.body).toContain('97 mentions')
    expect(run.comments()).toEqual([])
    expect(updated.notice).toBe(
      'The item is up to date, but without its comment. The conversation of the issue is locked on GitHub',
    )
  })

  it('is not hidden by a limit: the update is repeated', async () => {
    await using run = await closed()
    run.limits.content = 0
    expect(await failureFrom(run.update(run.remote))).toMatchObject({ kind: 'rate-limited', retryAfter: 60 })
    run.limits.content = 80
    expect(await run.update(run.remote)).toMatchObject({ status: 'closed' })
    expect(run.comments()).toHaveLength(1)
  })

  it('stays as it is once the issue is open again', async () => {
    await using run = await closed()
    const commented = await run.update(run.remote)
    run.setState(run.remote.id, 'open', 'reopened')
    const [before] = run.comments()
    const document = documentFor(run.document.marker, { counts: { mentions: 500, people: 7 } })
    const updated = await tracker.update(run.context, commented, { document, reopen: false })
    expect(updated.data).toEqual(commented.data)
    expect(run.comments()).toEqual([before])
  })
})

describe('an issue that is elsewhere', () => {
  it('is followed to another repository, and known by its new address from then on', async () => {
    await using run = await opened()
    const remote = await run.create()
    const target = run.hub.addRepository('acme', 'app')
    run.hub.open(target, run.hub.person('ben'), { title: 'First', body: '' })
    const moved = run.transfer(remote.id, target)
    const updated = await run.update(remote)
    expect(updated).toMatchObject({
      id: String(moved.id),
      label: '#2',
      url: `${run.url}/acme/app/issues/2`,
      data: { repository: 'acme/app', number: 2 },
    })
    run.calls.splice(0)
    await run.update(updated)
    expect(asked(run)).toEqual(['GET /repos/acme/app/issues/2', 'PATCH /repos/acme/app/issues/2'])
  })

  it('gets its comment there too', async () => {
    await using run = await opened()
    const remote = await run.create()
    const moved = run.transfer(remote.id, run.hub.addRepository('acme', 'app'))
    run.setState(String(moved.id), 'closed', 'completed')
    expect(await run.update(remote)).toMatchObject({ status: 'closed', data: { repository: 'acme/app' } })
    expect(moved.comments).toHaveLength(1)
  })

  it('is followed through a repository that was renamed since', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.transfer(remote.id, run.hub.addRepository('acme', 'app'))
    run.hub.rename(run.support, 'helpdesk')
    run.calls.splice(0)
    expect(await run.update(remote)).toMatchObject({ data: { repository: 'acme/app', number: 1 } })
    expect(run.calls.map(({ method, status }) => [method, status])).toEqual([
      ['GET', 301],
      ['GET', 301],
      ['GET', 200],
      ['PATCH', 200],
    ])
  })

  it.each([
    ['deleted', (run: Awaited<ReturnType<typeof opened>>, id: string) => run.remove(id)],
    [
      'in a repository out of reach',
      (run: Awaited<ReturnType<typeof opened>>, id: string) => void run.transfer(id, run.hide()),
    ],
  ])('is gone where it was %s', async (_, take) => {
    await using run = await opened()
    const remote = await run.create()
    take(run, remote.id)
    expect(await failureFrom(run.update(remote))).toBeInstanceOf(ItemGone)
  })

  it.each([
    ['out of reach', { hidden: true }, /^The repository is no longer on GitHub/],
    ['archived', { archived: true }, /archived/],
    ['without issues', { hasIssues: false }, /Issues are switched off/],
  ])('is not gone where its repository is %s: that can change again', async (_, state, message) => {
    await using run = await opened()
    const remote = await run.create()
    Object.assign(run.support, state)
    const error = await failureFrom(run.update(remote))
    expect(error).not.toBeInstanceOf(ItemGone)
    expect(error).toMatchObject({ kind: 'rejected', message: expect.stringMatching(message) })
    Object.assign(run.support, { hidden: false, archived: false, hasIssues: true })
    expect(await run.update(remote)).toEqual(remote)
  })

  it('is gone where its repository was replaced by one with the same name, whose issues stay as they are', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(remote.id, 'closed', 'completed')
    run.hub.rename(run.support, 'helpdesk')
    const other = run.hub.addRepository('acme', 'support')
    const foreign = run.hub.open(other, run.hub.person('ann'), { title: 'Foreign', body: 'Written by Ann' })
    for (const reopen of [false, true]) {
      expect(await failureFrom(run.update(remote, reopen))).toBeInstanceOf(ItemGone)
    }
    expect(foreign).toMatchObject({ body: 'Written by Ann', state: 'open', comments: [] })
    expect(run.support.issues[0]).toMatchObject({ state: 'closed', comments: [] })
  })

  it.each([false, true])('is not gone where the token may not write (classic: %s)', async (isClassic) => {
    await using run = await opened()
    const remote = await run.create()
    Object.assign(run.signIns, { tokenIssues: 'read', isClassic })
    const error = await failureFrom(run.update(remote))
    expect(error).not.toBeInstanceOf(ItemGone)
    expect(error).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('Give it the permission Issues: read and write'),
    })
  })

  it.each([{}, { repository: '../user', number: 1 }, { repository: 'acme/support', number: 0 }, { repository: 7 }])(
    'is not requested from %j',
    async (data) => {
      await using run = await opened()
      const remote = await run.create()
      run.calls.splice(0)
      expect(await failureFrom(run.update({ ...remote, data }))).toMatchObject({ kind: 'rejected' })
      expect(run.calls).toEqual([])
    },
  )
})
