import { describe, expect, it } from 'vitest'
import { drain, madeUp, openLive as open } from './testing.ts'

describe('notifications', () => {
  it('that are forged are refused, repeated ones have the same id, and another workspace’s are not ours', async () => {
    await using live = await open()
    live.intercom.eventFault('forged')
    live.intercom.open(madeUp('forged', 1))
    expect(await live.outcomes()).toEqual([])
    expect(live.receiver.refused).toHaveLength(2)
    live.intercom.eventFault('twice')
    live.intercom.open(madeUp('doubled', 1))
    await live.intercom.notifications.settled()
    expect(live.receiver.repeated).toHaveLength(1)
    expect(await live.intercom.notifications.replay()).toBe(200)
    expect(live.receiver.repeated).toHaveLength(2)
    expect(await live.outcomes()).toHaveLength(1)
    live.intercom.eventFault('foreign')
    live.intercom.open(madeUp('foreign', 1))
    expect(await live.outcomes()).toEqual([])
    expect(live.receiver.refused).toHaveLength(2)
  })

  it('that test the address are answered', async () => {
    await using live = await open()
    live.intercom.notifications.ping()
    expect(await live.outcomes()).toEqual([])
    expect(live.receiver.accepted).toBe(1)
  })

  it('that are lost, or that Intercom has suspended, are found by the next sync', async () => {
    await using live = await open()
    const first = await drain(live.context)
    live.intercom.eventFault('lost')
    const lost = live.intercom.open(madeUp('lost', 1))
    live.intercom.notifications.suspend(true)
    const suspended = live.intercom.open(madeUp('suspended', 1))
    expect(await live.outcomes()).toEqual([])
    const { items } = await drain(live.context, first.cursor)
    expect(new Set(items.map(({ thread }) => thread))).toEqual(new Set([lost, suspended]))
    expect(items).toHaveLength(2)
  })
})
