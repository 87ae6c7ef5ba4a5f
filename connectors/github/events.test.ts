import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { subscribed } from './testing.ts'
import { tracker } from './tracker.ts'

type Run = Awaited<ReturnType<typeof subscribed>>

/** What everything that was received so far changes. */
async function outcomes(run: Run) {
  await run.webhooks.settled()
  const all = []
  for (const { payload } of run.received.splice(0)) all.push(await handleEvent(run.context, payload))
  return all
}
const statuses = async (run: Run) => (await outcomes(run)).flatMap((outcome) => outcome.statuses ?? [])

describe('events of an installation', () => {
  it('report what is closed, reopened and deleted', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.setState(id, 'closed', 'not_planned')
    expect(await statuses(run)).toEqual([{ id, state: 'closed', name: 'Not planned', declined: true }])
    run.setState(id, 'open', 'reopened')
    expect(await statuses(run)).toEqual([{ id, state: 'open', name: null }])
    run.remove(id)
    expect(await statuses(run)).toEqual([{ id, state: 'gone', name: null }])
    expect(run.refused).toEqual([])
    expect(run.webhooks.replies).toEqual([202, 202, 202])
  })

  it('are for the account of the installation', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.setState(id, 'closed', 'completed')
    await run.webhooks.settled()
    expect(run.received.map(({ account }) => account)).toEqual([String(run.installation.id)])
  })

  it('report the current state, in whatever order they arrive', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.setState(id, 'closed', 'completed')
    run.setState(id, 'open', 'reopened')
    await run.webhooks.settled()
    run.received.reverse()
    expect(await statuses(run)).toEqual([
      { id, state: 'open', name: null },
      { id, state: 'open', name: null },
    ])
  })

  it('follow a transfer, unless it is out of reach', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    const target = run.hub.addRepository('acme', 'app')
    run.transfer(id, target)
    expect(await statuses(run)).toEqual([{ id, state: 'open', name: null }])
    const other = await run.create()
    run.transfer(other.id, Object.assign(run.hub.addRepository('acme', 'secret'), { hidden: true }))
    expect(await statuses(run)).toEqual([{ id: other.id, state: 'gone', name: null }])
  })

  it('cause no request for issues that others wrote', async () => {
    await using run = await subscribed()
    const issue = run.hub.open(run.hub.addRepository('acme', 'app'), run.hub.person('ben'), { title: 'x', body: 'x' })
    run.setState(String(issue.id), 'closed', 'completed')
    run.calls.splice(0)
    expect(await outcomes(run)).toEqual([{ items: [], deleted: [], ended: null }])
    expect(run.calls).toEqual([])
  })

  it('are not caused by our own updates of an open issue', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    await tracker.update(run.context, remote, { document: documentFor('m'), reopen: false })
    run.webhooks.issue(run.url, 'edited', run.hub.locate(remote.id))
    await run.webhooks.settled()
    expect(run.webhooks.replies).toEqual([202])
    expect(run.received).toEqual([])
  })

  it('have one id when they arrive twice, and are refused when forged', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.webhooks.fail('twice')
    run.setState(id, 'closed', 'completed')
    await run.webhooks.settled()
    expect(run.received).toHaveLength(2)
    expect(new Set(run.received.map((event) => event.id)).size).toBe(1)
    run.webhooks.fail('forged')
    run.setState(id, 'open', 'reopened')
    await run.webhooks.settled()
    expect(run.received).toHaveLength(2)
    expect(run.refused).toEqual(['The signature of the event is not that of your GitHub app'])
  })

  it('may be lost: the next reading of states finds the same', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    run.webhooks.fail('lost')
    run.setState(remote.id, 'closed', 'completed')
    expect(await statuses(run)).toEqual([])
    expect(await tracker.readStatus(run.context, [remote])).toEqual([
      { id: remote.id, state: 'closed', name: 'Completed' },
    ])
  })

  it('are handled again after an outage', async () => {
    await using run = await subscribed()
    const { id } = await run.create()
    run.setState(id, 'closed', 'completed')
    await run.webhooks.settled()
    run.faults.arm('500')
    const payload = run.received[0]?.payload ?? {}
    expect(await failureFrom(handleEvent(run.context, payload))).toMatchObject({ kind: 'unavailable' })
    expect(await handleEvent(run.context, payload)).toMatchObject({ statuses: [{ id, state: 'closed' }] })
  })

  it('end the sign-in with the installation', async () => {
    await using run = await subscribed()
    run.suspend(run.installation)
    expect(await outcomes(run)).toMatchObject([{ ended: expect.stringContaining('suspended on GitHub') }])
    run.uninstall(run.installation)
    expect(await outcomes(run)).toMatchObject([
      { ended: 'The app was uninstalled on GitHub. Install it again to connect' },
    ])
  })

  it.each([{}, { kind: 'other' }, { kind: 'issue' }, { kind: 'issue', id: 'x', number: 1 }])(
    'that are not ours are dropped: %j',
    async (payload) => {
      await using run = await subscribed()
      run.calls.splice(0)
      expect(await handleEvent(run.context, payload)).toEqual({ items: [], deleted: [], ended: null })
      expect(run.calls).toEqual([])
    },
  )
})
