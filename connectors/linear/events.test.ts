import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { subscribed } from './testing.ts'
import { tracker } from './tracker.ts'

describe('the events of a webhook', () => {
  it('tell of issues that were closed, reopened and deleted, and of nothing else', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    run.setState(id, 'completed')
    run.setState(id, 'unstarted')
    run.trash(id)
    await run.webhooks.settled()
    expect(run.received.map(({ payload }) => payload)).toEqual([
      { kind: 'issue', id },
      { kind: 'issue', id },
      { kind: 'issue', id },
    ])
    expect(new Set(run.received.map((event) => event.id)).size).toBe(3)
    expect(new Set(run.received.map(({ account }) => account))).toEqual(new Set([run.workspace.organization.id]))
    expect(run.refused).toEqual([])
  })

  it('do not echo our own changes of a text, and settle after reopening', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    const document = documentFor(remote.id)
    await tracker.update(run.context, remote, { document, reopen: false })
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    run.setState(remote.id, 'completed')
    await tracker.update(run.context, remote, { document, reopen: true })
    await run.webhooks.settled()
    const outcomes = await Promise.all(run.received.map(({ payload }) => handleEvent(run.context, payload)))
    expect(outcomes.map(({ statuses }) => statuses)).toEqual(
      Array.from({ length: 2 }, () => [{ id: remote.id, state: 'open', name: 'Next up' }]),
    )
  })

  it('are read again, so that late, repeated and early ones do no harm', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.webhooks.fail('twice')
    run.setState(id, 'canceled')
    run.setState(id, 'started')
    await run.webhooks.settled()
    expect(run.received).toHaveLength(3)
    expect(run.received[0]?.id).toBe(run.received[1]?.id)
    for (const { payload } of run.received.toReversed()) {
      const { statuses } = await handleEvent(run.context, payload)
      expect(statuses).toEqual([{ id, state: 'open', name: 'In progress' }])
    }
    expect(run.workspace.issues).toHaveLength(1)
  })

  it('may arrive before we know that our issue exists, without a second one', async () => {
    await using run = await subscribed()
    const document = documentFor(randomUUID())
    const create = () => tracker.create(run.context, { document, reopen: false })
    run.faults.arm('reset')
    expect(await failureFrom(create())).toMatchObject({ kind: 'unavailable' })
    run.setState(document.marker, 'completed')
    await run.webhooks.settled()
    const [event] = run.received
    const { statuses } = await handleEvent(run.context, event?.payload ?? {})
    expect(statuses).toEqual([{ id: document.marker, state: 'closed', name: 'Done' }])
    expect(await tracker.find(run.context, document.marker)).toMatchObject({ id: document.marker, status: 'closed' })
    expect(await create()).toMatchObject({ id: document.marker, status: 'closed' })
    expect(run.workspace.issues).toHaveLength(1)
    await run.webhooks.settled()
    expect(run.received).toHaveLength(1)
  })

  it('of an issue that was deleted say that it is gone', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.trash(id)
    await run.webhooks.settled()
    const [event] = run.received
    expect((await handleEvent(run.context, event?.payload ?? {})).statuses).toEqual([{ id, state: 'gone', name: null }])
  })

  it('contain no text of an issue', async () => {
    await using run = await subscribed()
    run.setState((await run.create()).id, 'completed')
    await run.webhooks.settled()
    expect(JSON.stringify(run.received)).not.toContain('Export stops')
  })

  it.each(['forged', 'late'] as const)('are refused when they are %s', async (fault) => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.webhooks.fail(fault)
    run.setState(id, 'completed')
    await run.webhooks.settled()
    expect(run.received).toEqual([])
    expect(run.refused).toHaveLength(1)
    expect(await tracker.readStatus(run.context, [{ ...(await found(run, id)) }])).toMatchObject([{ state: 'closed' }])
  })

  const found = async (run: Awaited<ReturnType<typeof subscribed>>, id: string) => {
    const remote = await tracker.find(run.context, id)
    if (!remote) throw new Error('The issue was not found')
    return remote
  }

  it('end the sign-in when the app was removed from the workspace', async () => {
    await using run = await subscribed()
    const hook = [...run.webhooks.all.values()][0]
    if (hook) hook.resourceTypes = ['Issue', 'OAuthApp']
    run.webhooks.revoked()
    await run.webhooks.settled()
    expect(run.received.map(({ payload }) => payload)).toEqual([{ kind: 'revoked' }])
    expect((await handleEvent(run.context, { kind: 'revoked' })).ended).toContain('removed from the workspace')
    expect(await handleEvent(run.context, { kind: 'other' })).toEqual({ items: [], deleted: [], ended: null })
  })
})
