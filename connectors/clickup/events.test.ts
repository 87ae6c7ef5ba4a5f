import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { requests, subscribed } from './testing.ts'
import { tracker } from './tracker.ts'

describe('the events of a webhook', () => {
  it('report tasks that were closed, reopened and deleted, and nothing else', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    await run.update(remote)
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    run.setStatus(remote.id, 'closed')
    run.setStatus(remote.id, 'custom')
    run.remove(remote.id)
    await run.webhooks.settled()
    expect(run.received.map(({ payload, account }) => [payload, account])).toEqual(
      Array.from({ length: 3 }, () => [{ kind: 'task', id: remote.id }, '']),
    )
    expect(new Set(run.received.map(({ id }) => id)).size).toBe(3)
    expect(run.refused).toEqual([])
  })

  it('are read again, so that late, repeated and early ones do no harm', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.webhooks.fail('twice')
    run.setStatus(id, 'closed')
    run.setStatus(id, 'custom')
    await run.webhooks.settled()
    expect(run.received).toHaveLength(3)
    expect(run.received[0]?.id).toBe(run.received[1]?.id)
    for (const { payload } of run.received.toReversed()) {
      const { statuses } = await handleEvent(run.context, payload)
      expect(statuses).toEqual([{ id, state: 'open', name: 'triage' }])
    }
    expect(run.account.tasks).toHaveLength(1)
  })

  it('may arrive before we know that our task exists, without a second one', async () => {
    await using run = await subscribed()
    run.faults.arm('reset')
    expect(await failureFrom(run.create())).toMatchObject({ kind: 'unavailable' })
    const id = run.account.tasks[0]?.id ?? ''
    run.setStatus(id, 'done')
    await run.webhooks.settled()
    const { statuses } = await handleEvent(run.context, run.received[0]?.payload ?? {})
    expect(statuses).toEqual([{ id, state: 'closed', name: 'shipped' }])
    expect(await tracker.find(run.context, run.document.marker)).toMatchObject({ id, status: 'closed' })
    expect(run.account.tasks).toHaveLength(1)
  })

  it('say that a deleted task is gone, and that a moved one is where it can be seen', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.move(id, run.account.space.lists[1]?.id)
    await run.webhooks.settled()
    const [moved] = run.received
    expect((await handleEvent(run.context, moved?.payload ?? {})).statuses).toMatchObject([{ id, state: 'open' }])
    run.move(id)
    expect((await handleEvent(run.context, moved?.payload ?? {})).statuses).toEqual([{ id, state: 'gone', name: null }])
    run.remove(id)
    expect((await handleEvent(run.context, moved?.payload ?? {})).statuses).toEqual([{ id, state: 'gone', name: null }])
  })

  it('that are forged are refused, and one that is lost is found by polling', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    run.webhooks.fail('forged')
    run.webhooks.fail('lost')
    run.setStatus(remote.id, 'custom')
    run.setStatus(remote.id, 'closed')
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    expect(run.refused).toEqual(['The signature of the event is not that of your ClickUp app'])
    expect(await tracker.readStatus(run.context, [remote])).toMatchObject([{ state: 'closed' }])
  })

  it('contain no text of a task, and take one request', async () => {
    await using run = await subscribed()
    run.setStatus((await run.create()).id, 'closed')
    await run.webhooks.settled()
    expect(JSON.stringify(run.received)).not.toContain('Export stops')
    run.calls.splice(0)
    await handleEvent(run.context, run.received[0]?.payload ?? {})
    expect(requests(run.calls)).toEqual(['GET /v2/task/{task_id}'])
  })

  it('of another kind change nothing', async () => {
    await using run = await subscribed()
    expect(await handleEvent(run.context, { kind: 'other' })).toEqual({ items: [], deleted: [], ended: null })
  })
})
