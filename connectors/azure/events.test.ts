import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { documentFor, failureFrom } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { subscribed } from './testing.ts'
import { tracker } from './tracker.ts'

describe('the events of service hooks', () => {
  it('tell of items that were closed, reopened and deleted, and of nothing else', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    await run.update(remote)
    await run.hooks.settled()
    expect(run.received).toEqual([])
    run.setState(1, 'Done')
    run.setState(1, 'Doing')
    run.remove(1)
    await run.hooks.settled()
    const payload = { kind: 'work item', id: 1, project: run.account.project(0).id }
    expect(run.received.map((event) => event.payload)).toEqual([payload, payload, payload])
    expect(run.hooks.replies).toEqual([200, 200, 200])
    expect(run.refused).toEqual([])
  })

  it('lead to the current state, in whatever order they arrive', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    run.setState(1, 'Done')
    await run.hooks.settled()
    const [closed] = run.received
    const states = async () => (await handleEvent(run.context, closed?.payload ?? {})).statuses
    expect(await states()).toEqual([{ id: remote.id, state: 'closed', name: 'Done' }])
    run.setState(1, 'Doing')
    expect(await states()).toEqual([{ id: remote.id, state: 'open', name: 'Doing' }])
    run.remove(1)
    expect(await states()).toEqual([{ id: remote.id, state: 'gone', name: null }])
  })

  it('twice have one id', async () => {
    await using run = await subscribed()
    await run.create()
    run.hooks.fail('twice')
    run.setState(1, 'Done')
    await run.hooks.settled()
    expect(run.received).toHaveLength(2)
    expect(new Set(run.received.map(({ id }) => id)).size).toBe(1)
  })

  it('with another password are refused', async () => {
    await using run = await subscribed()
    await run.create()
    run.hooks.fail('forged')
    run.setState(1, 'Done')
    await run.hooks.settled()
    expect(run.received).toEqual([])
    expect(run.hooks.replies).toEqual([403])
    expect(run.refused).toEqual(['The event does not have the password of your service hooks in Azure DevOps'])
  })

  it('that are lost are found by polling', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    run.hooks.fail('lost')
    run.setState(1, 'Done')
    await run.hooks.settled()
    expect(run.received).toEqual([])
    expect(await tracker.readStatus(run.context, [remote])).toEqual([{ id: remote.id, state: 'closed', name: 'Done' }])
  })

  it('of another project are about the item too', async () => {
    await using run = await subscribed()
    run.context.settings['project'] = [run.account.project(1).id]
    const remote = await tracker.create(run.context, { document: documentFor(randomUUID()), reopen: false })
    run.context.settings['project'] = [run.account.project(0).id]
    const event = { kind: 'work item', id: 1, project: run.account.project(1).id }
    expect((await handleEvent(run.context, event)).statuses).toEqual([{ id: remote.id, state: 'open', name: 'To Do' }])
  })

  it('without a project are about the chosen one', async () => {
    await using run = await subscribed()
    const remote = await run.create()
    const { statuses } = await handleEvent(run.context, { kind: 'work item', id: 1, project: null })
    expect(statuses).toMatchObject([{ id: remote.id, state: 'open' }])
  })

  it('about an item of a project that is out of reach report nothing', async () => {
    await using run = await subscribed()
    const event = { kind: 'work item', id: 5, project: randomUUID() }
    expect((await handleEvent(run.context, event)).statuses).toEqual([])
  })

  it('that are not ours change nothing', async () => {
    await using run = await subscribed()
    const before = run.calls.length
    for (const payload of [
      {},
      { kind: 'other', id: 1, project: null },
      { kind: 'work item', id: 'x', project: null },
    ]) {
      expect(await handleEvent(run.context, payload)).toEqual({ items: [], deleted: [], ended: null })
    }
    expect(run.calls).toHaveLength(before)
  })

  it('fail where the sign-in is over', async () => {
    await using run = await subscribed()
    run.signIns.end()
    const error = await failureFrom(handleEvent(run.context, { kind: 'work item', id: 1, project: null }))
    expect(error).toMatchObject({ kind: 'auth' })
  })
})
