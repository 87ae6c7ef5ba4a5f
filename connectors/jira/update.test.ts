import { describe, expect, it } from 'vitest'
import { ItemGone, Rejected } from '../kit/errors.ts'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { opened, requestsOf } from './testing.ts'
import { tracker } from './tracker.ts'

const AGAIN =
  'Customers mentioned this again after the issue was closed: 3 mentions from 2 people in total, as of 2026-03-02.'

describe('updating an issue', () => {
  it('replaces its description in two requests and leaves the rest alone', async () => {
    await using run = await opened()
    const remote = await run.create()
    const issue = run.site.known(remote.id)
    Object.assign(issue.fields, { summary: 'Renamed by the team', labels: ['theirs'] })
    const document = documentFor(run.document.marker, { title: 'Other', counts: { mentions: 812, people: 7 } })
    const updated = await tracker.update(run.context, remote, { document, reopen: false })
    expect(issue).toMatchObject({ fields: { summary: 'Renamed by the team', labels: ['theirs'] }, comments: [] })
    expect(JSON.stringify(issue.fields.description)).toContain('812 mentions')
    expect(updated).toMatchObject({ id: remote.id, label: 'GROW-1', status: 'open', statusName: 'To Do' })
    expect(requestsOf(run).slice(1)).toEqual(['GET /issue/{issueIdOrKey}', 'PUT /issue/{issueIdOrKey}'])
  })

  it('leaves a title that is not on the edit screen, and still replaces the description', async () => {
    await using run = await opened()
    const remote = await run.create()
    const task = run.site.projects[0]?.types[0]
    if (task) task.fields = task.fields.filter(({ fieldId }) => fieldId !== 'summary')
    const document = documentFor(run.document.marker, { title: 'Other', counts: { mentions: 812, people: 7 } })
    const titles = [run.document.title, 'Other']
    const updated = await tracker.update(run.context, remote, { document, reopen: false, titles })
    expect(updated).toMatchObject({ title: run.document.title })
    expect(run.site.known(remote.id).fields.summary).toBe(run.document.title)
    expect(JSON.stringify(run.site.known(remote.id).fields.description)).toContain('812 mentions')
  })

  it('follows an issue that was moved to another project', async () => {
    await using run = await opened()
    const remote = await run.create()
    Object.assign(run.site.known(remote.id), { key: 'OPS-9', project: run.site.projects[1] })
    expect(await run.update(remote)).toMatchObject({
      id: remote.id,
      label: 'OPS-9',
      url: 'https://fernweh.atlassian.net/browse/OPS-9',
    })
  })

  it('names the description where it is not on the edit screen', async () => {
    await using run = await opened()
    const remote = await run.create()
    const task = run.site.projects[0]?.types[0]
    if (task) task.fields = task.fields.filter(({ fieldId }) => fieldId !== 'description')
    const error = await failureFrom(run.update(remote))
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).toMatch(/^Jira refused the description\. Check that the field is on the edit/)
  })

  it('says that the right to edit was removed', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.site.denied.add('EDIT_ISSUES')
    expect(await failureFrom(run.update(remote))).toMatchObject({
      kind: 'rejected',
      message: 'Jira does not let this sign-in do this (issue/edit). Check its permissions',
    })
  })

  it.each(['remove', 'hide'] as const)('reports one that is gone: %s', async (how) => {
    await using run = await opened()
    const remote = await run.create()
    run[how](remote.id)
    expect(await failureFrom(run.update(remote))).toBeInstanceOf(ItemGone)
    expect(requestsOf(run).slice(1)).toEqual(['GET /issue/{issueIdOrKey}'])
  })

  it('does not report one as gone while its site is suspended', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.site.suspended = true
    const calls = [
      () => run.update(remote),
      () => tracker.readStatus(run.context, [remote]),
      () => tracker.find(run.context, run.document.marker),
    ]
    for (const call of calls) expect(await failureFrom(call())).toMatchObject({ kind: 'unavailable' })
    run.site.suspended = false
    expect(await run.update(remote)).toMatchObject({ status: 'open' })
  })

  it.each(['', 'x', '10001/x', 'other-site/10001', '../myself'])('reports the id %j as gone, unsent', async (id) => {
    await using run = await opened()
    const remote = await run.create()
    const before = run.calls.length
    expect(await failureFrom(run.update({ ...remote, id }))).toBeInstanceOf(ItemGone)
    expect(run.calls).toHaveLength(before)
  })
})

describe('an issue that was closed', () => {
  it('gets one comment, however often it is updated and whether or not its id is known', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.close(remote.id, 'Won’t do')
    for (let round = 0; round < 3; round += 1) remote = await run.update(remote)
    remote = await run.update({ ...remote, data: {} })
    const { comments } = run.site.known(remote.id)
    expect(remote).toMatchObject({ status: 'closed', statusName: 'Won’t do', data: { comment: comments[0]?.id } })
    expect(comments).toHaveLength(1)
    expect(JSON.stringify(comments[0]?.body)).toContain(AGAIN)
  })

  it('hides the comment from customers of a service project, also when it changes', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.close(remote.id)
    for (let round = 0; round < 2; round += 1) remote = await run.update(remote)
    expect(run.site.known(remote.id).comments).toMatchObject([
      { properties: [{ key: 'sd.public.comment', value: { internal: true } }] },
    ])
  })

  it('records nothing of the comments that people wrote, also where they cannot be read', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id)
    const { http } = run.context
    const context: typeof run.context = {
      ...run.context,
      http: {
        async request(request) {
          const response = await http.request(request)
          return request.url.includes('orderBy')
            ? { ...response, body: '{"comments":"words of a colleague"}' }
            : response
        },
      },
    }
    const failure = await failureFrom(tracker.update(context, remote, { document: run.document, reopen: false }))
    expect(failure).toMatchObject({ kind: 'unavailable', ledger: undefined })
    expect(JSON.stringify([failure, (failure as Error).message])).not.toContain('colleague')
  })

  it('counts on in its comment', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.close(remote.id)
    remote = await run.update(remote)
    const counts = { mentions: 1, people: 1 }
    await tracker.update(run.context, remote, { document: documentFor(run.document.marker, { counts }), reopen: false })
    const [comment] = run.site.known(remote.id).comments
    expect(JSON.stringify(comment?.body)).toContain('1 mention from 1 person in total')
    expect(JSON.stringify(comment?.body)).not.toContain('3 mentions')
  })

  it('leaves comments of others alone', async () => {
    await using run = await opened()
    const remote = await run.create()
    const { comments } = run.site.known(remote.id)
    comments.push({ id: '90001', body: { type: 'doc', version: 1, content: [] }, properties: [] })
    run.close(remote.id)
    await run.update(remote)
    await run.update(remote)
    expect(comments.map(({ id }) => id)).toEqual(['90001', expect.not.stringMatching('90001')])
    expect(comments[0]?.body).toEqual({ type: 'doc', version: 1, content: [] })
  })

  it('gets the comment again where someone deleted it', async () => {
    await using run = await opened()
    let remote = await run.create()
    run.close(remote.id)
    remote = await run.update(remote)
    const { comments } = run.site.known(remote.id)
    comments.splice(0)
    expect((await run.update(remote)).data).toEqual({ comment: comments[0]?.id })
    expect(comments).toHaveLength(1)
  })

  it('gets the comment where its workflow allows no changes of a closed issue', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id)
    run.site.closedIsReadOnly = true
    expect(await run.update(remote)).toMatchObject({ status: 'closed' })
    expect(run.site.known(remote.id).comments).toHaveLength(1)
    expect(run.context.log.lines).toHaveLength(1)
  })

  it('is updated without the comment where the permission to add comments is missing, and says so', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id)
    run.site.denied.add('ADD_COMMENTS')
    const counts = { mentions: 97, people: 7 }
    const document = documentFor(run.document.marker, { counts })
    expect(await tracker.update(run.context, remote, { document, reopen: false })).toMatchObject({
      status: 'closed',
      data: {},
      notice:
        'The item is up to date, but without its comment. The sign-in lacks the permission “Add comments” in the project in Jira',
    })
    expect(JSON.stringify(run.site.known(remote.id).fields)).toContain('97 mentions')
    expect(run.site.known(remote.id).comments).toEqual([])
    run.site.denied.delete('ADD_COMMENTS')
    expect(await run.update(remote)).toMatchObject({ notice: null, data: { comment: expect.any(String) } })
  })
})
