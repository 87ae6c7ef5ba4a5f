import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { opened } from './testing.ts'
import { tracker } from './tracker.ts'

describe('finding an issue', () => {
  it('reads only what the sign-in created, closed ones and those without our label included', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.setState(remote.id, 'closed', 'not_planned')
    Object.assign(run.support.issues[0] ?? {}, { labels: [] })
    run.hub.open(run.support, run.hub.person('ben'), { title: 'Quoted', body: run.document.marker })
    const found = await tracker.find(run.context, run.document.marker)
    expect(found).toMatchObject({ id: remote.id, status: 'closed', statusName: 'Not planned' })
    expect(run.calls.at(-1)?.query).toEqual({
      creator: 'ann',
      state: 'all',
      sort: 'created',
      direction: 'desc',
      per_page: '100',
      page: '1',
    })
  })

  it('never mistakes a pull request for an issue', async () => {
    await using run = await opened()
    const { document, support, hub, context } = run
    hub.open(support, hub.person('ann'), { title: 'Fix it', body: `Fixes ${document.marker}`, isPull: true })
    expect(await tracker.find(context, document.marker)).toBeNull()
  })

  it('reads on to the next pages, and no further than the issue', async () => {
    await using run = await opened()
    const remote = await run.create()
    for (let at = 0; at < 250; at += 1) run.hub.open(run.support, run.hub.person('ann'), { title: 'x', body: 'x' })
    run.calls.splice(0)
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id: remote.id })
    expect(run.calls.map(({ query }) => query['page'])).toEqual(['1', '2', '3'])
    expect(await tracker.find(run.context, randomUUID())).toBeNull()
    expect(run.calls).toHaveLength(6)
  })

  it('requests smaller pages where a response would be too long, and skips nothing', async () => {
    await using run = await opened({ maxBytes: 256 * 1024 })
    const remote = await run.create()
    const body = 'long '.repeat(6000)
    for (let at = 0; at < 30; at += 1) run.hub.open(run.support, run.hub.person('ann'), { title: 'x', body })
    run.calls.splice(0)
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id: remote.id })
    const sizes = run.calls.map(({ query }) => query['per_page'])
    expect([...new Set(sizes)]).toEqual(['100', '20', '4'])
    expect(sizes).toHaveLength(10)
  })

  it('still finds an issue whose hidden marker someone removed', async () => {
    await using run = await opened()
    const remote = await run.create()
    const [issue] = run.support.issues
    if (issue) issue.body = issue.body.replace(/<!--.*-->/, '')
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id: remote.id })
  })

  it('is null while the list lags behind, for which a null is not trusted', async () => {
    await using run = await opened()
    run.hub.lag(true)
    const remote = await run.create()
    expect(await tracker.find(run.context, run.document.marker)).toBeNull()
    expect(tracker.findLagSeconds).toBe(60)
    run.hub.lag(false)
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id: remote.id })
  })

  it('fails where the repository is out of reach: nothing is known then', async () => {
    await using run = await opened()
    run.support.hidden = true
    expect(await failureFrom(tracker.find(run.context, randomUUID()))).toMatchObject({ kind: 'rejected' })
  })

  it('searches the issues of everyone where the account was renamed since it signed in', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.hub.open(run.support, run.hub.person('ben'), { title: 'Newer', body: 'x' })
    const context = { ...run.context, settings: { ...run.context.settings, login: 'renamed-since' } }
    expect(await tracker.find(context, run.document.marker)).toMatchObject({ id: remote.id })
    expect(await tracker.find(context, randomUUID())).toBeNull()
  })

  it('finds the issues of a repository that was renamed', async () => {
    await using run = await opened()
    const remote = await run.create()
    run.hub.rename(run.support, 'helpdesk')
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({
      id: remote.id,
      data: { repository: 'acme/helpdesk', number: 1 },
    })
  })
})
