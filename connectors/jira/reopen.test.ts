import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { opened, requestsOf } from './testing.ts'
import { tracker } from './tracker.ts'

describe('reopening', () => {
  it.each(['Done', 'Won’t do'])('moves %s by the first transition out that needs no input', async (name) => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id, name)
    run.site.closedIsReadOnly = true
    expect(await run.update(remote, true)).toMatchObject({ status: 'open', statusName: 'To Do' })
    expect(run.site.known(remote.id)).toMatchObject({ status: { name: 'To Do' }, comments: [] })
    expect(run.context.log.lines).toEqual([])
    expect(requestsOf(run).slice(1)).toEqual([
      'GET /issue/{issueIdOrKey}',
      'GET /issue/{issueIdOrKey}/transitions',
      'POST /issue/{issueIdOrKey}/transitions',
      'PUT /issue/{issueIdOrKey}',
    ])
  })

  it('takes another open status where there is no way to the first', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id)
    run.site.unreachable.add('To Do')
    expect(await run.update(remote, true)).toMatchObject({ status: 'open', statusName: 'In Progress' })
  })

  it('comments where the workflow has no way back', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id)
    for (const name of ['To Do', 'In Progress']) run.site.unreachable.add(name)
    expect(await run.update(remote, true)).toMatchObject({ status: 'closed', statusName: 'Done' })
    expect(run.site.known(remote.id).comments).toHaveLength(1)
  })

  it('moves nothing that is open', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.reopen(remote.id)
    expect(await run.update(remote, true)).toMatchObject({ statusName: 'In Progress' })
    expect(requestsOf(run).filter((request) => request.endsWith('/transitions'))).toEqual([])
  })

  it('comments where Jira refuses the transition', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id)
    run.site.denied.add('TRANSITION_ISSUES')
    expect(await run.update(remote, true)).toMatchObject({ status: 'closed', statusName: 'Done' })
    expect(run.site.known(remote.id).comments).toHaveLength(1)
    expect(run.context.log.lines).toHaveLength(1)
    expect(requestsOf(run).filter((request) => /^POST .*transitions$/.test(request))).toHaveLength(1)
  })

  it('fails as a whole when Jira fails, and succeeds when it is retried', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.close(remote.id)
    const { http } = run.context
    const context: typeof run.context = {
      ...run.context,
      http: {
        async request(request) {
          if (request.method === 'POST') run.faults.arm('500')
          return http.request(request)
        },
      },
    }
    const work = tracker.update(context, remote, { document: run.document, reopen: true })
    expect(await failureFrom(work)).toMatchObject({ kind: 'unavailable' })
    expect(await run.update(remote, true)).toMatchObject({ status: 'open' })
    expect(run.site.known(remote.id).comments).toEqual([])
  })
})
