import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { requestsOf, subscribed } from './testing.ts'
import { tracker } from './tracker.ts'

describe('the events of a webhook', () => {
  it('report issues that were closed, reopened and deleted, and nothing else', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    const issue = id.split('/')[1] ?? ''
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    run.close(issue)
    run.reopen(issue)
    run.remove(issue)
    await run.webhooks.settled()
    expect(run.received.map(({ payload }) => payload)).toEqual([{ issue }, { issue }, { issue }])
    expect(new Set(run.received.map((event) => event.id)).size).toBe(3)
    expect(run.refused).toEqual([])
    expect(run.webhooks.replies).toEqual([200, 200, 200])
  })

  it('lead to the state of the issue, with its id here', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.close(id.split('/')[1] ?? '', 'Won’t do')
    await run.webhooks.settled()
    const [event] = run.received
    const outcome = await handleEvent(run.context, event?.payload ?? {})
    expect(outcome).toEqual({
      items: [],
      deleted: [],
      statuses: [{ id, state: 'closed', name: 'Won’t do', declined: true }],
      ended: null,
    })
  })

  it('do not echo our own changes of a text, and settle after reopening', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    const document = documentFor(randomUUID())
    await tracker.update(run.context, remote, { document, reopen: false })
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    run.close(remote.id.split('/')[1] ?? '')
    await tracker.update(run.context, remote, { document, reopen: true })
    await run.webhooks.settled()
    expect(run.received).toHaveLength(2)
    for (const { payload } of run.received) {
      const { statuses } = await handleEvent(run.context, payload)
      expect(statuses).toEqual([{ id: remote.id, state: 'open', name: 'To Do' }])
    }
  })

  it('are read again, so that late, repeated and forged ones do no harm', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    const issue = id.split('/')[1] ?? ''
    run.webhooks.fail('twice')
    run.close(issue)
    run.reopen(issue)
    await run.webhooks.settled()
    expect(run.received).toHaveLength(3)
    expect(run.received[0]?.id).toBe(run.received[1]?.id)
    for (const { payload } of run.received.toReversed()) {
      const { statuses } = await handleEvent(run.context, payload)
      expect(statuses).toEqual([{ id, state: 'open', name: 'In Progress' }])
    }
    expect(run.site.issues).toHaveLength(1)
  })

  it('may be lost: polling finds what they would have said', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    run.webhooks.fail('lost')
    run.close(remote.id.split('/')[1] ?? '')
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    expect(await tracker.readStatus(run.context, [remote])).toMatchObject([{ state: 'closed' }])
  })

  it('of a deleted issue say that it is gone', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.remove(id.split('/')[1] ?? '')
    await run.webhooks.settled()
    const [event] = run.received
    const { statuses } = await handleEvent(run.context, event?.payload ?? {})
    expect(statuses).toEqual([{ id, state: 'gone', name: null }])
  })

  it('contain no text of an issue', async () => {
    await using run = await subscribed()
    run.close((await run.create()).id.split('/')[1] ?? '')
    await run.webhooks.settled()
    expect(run.received).toHaveLength(1)
    expect(JSON.stringify(run.received)).not.toContain('Export stops')
  })

  it('are refused at any other address', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    const [hook] = run.webhooks.all.values()
    if (hook) hook.url = run.address.replace(/\/[^/]+$/, '')
    run.close(id.split('/')[1] ?? '')
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    expect(run.refused).toEqual(['Events from Jira are accepted at the address of a connection only'])
  })

  it('arrive again after Jira could not be read', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.close(id.split('/')[1] ?? '')
    await run.webhooks.settled()
    const [event] = run.received
    run.faults.arm('500')
    expect(await failureFrom(handleEvent(run.context, event?.payload ?? {}))).toMatchObject({ kind: 'unavailable' })
    expect((await handleEvent(run.context, event?.payload ?? {})).statuses).toMatchObject([{ state: 'closed' }])
  })

  const NO_ISSUES: { payload: Record<string, unknown> }[] = [
    { payload: {} },
    { payload: { issue: 1 } },
    { payload: { issue: '../myself' } },
    { payload: { kind: 'other' } },
  ]
  it.each(NO_ISSUES)('ignore the payload $payload', async ({ payload }) => {
    await using run = await subscribed()
    const before = requestsOf(run).length
    expect(await handleEvent(run.context, payload)).toEqual({ items: [], deleted: [], ended: null })
    expect(requestsOf(run)).toHaveLength(before)
  })
})
