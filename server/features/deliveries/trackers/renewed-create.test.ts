import { AuthExpired } from '@groundswell/connectors/kit/errors.ts'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { eachInWorkspace, workspace, world } from '../testing.ts'
import { afterCreation, endingSignIn, reconnect, tracker, withTracker } from './testing.ts'

vi.mock('@groundswell/connectors/index.ts', async (load) => {
  const { withTestTrackers } = await import('./testing.ts')
  return withTestTrackers(await load())
})

eachInWorkspace(withTracker(() => endingSignIn(world, workspace)))

const last = async () => (await world.deliveries(workspace)).at(-1) as Record<string, unknown>
const requested = () => tracker.requests().map(({ method, path }) => `${method} ${path}`)
const markers = async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ marker: string }>`select marker from remote_item`.execute(tx),
  )
  return rows.map(({ marker }) => marker)
}

describe('a sign-in that is refused when an item is created', () => {
  it('is renewed once, and the item is created at once, with the same marker and without a search', async () => {
    await world.say(workspace, 1, 3)
    tracker.endToken()
    expect(await world.work(workspace)).toEqual([])
    expect(requested()).toEqual(['POST /items', 'POST /token', 'POST /items'])
    expect(await last()).toMatchObject({ state: 'delivered', attempts: 1, remote: { label: '#1' } })
    expect(await markers()).toHaveLength(1)
    expect(tracker.items()).toMatchObject([{ text: expect.stringContaining((await markers())[0] ?? '-') }])
  })

  it('and that is refused again after its renewal is over: one renewal, one more request', async () => {
    await world.say(workspace, 1, 3)
    tracker.fault('revoked')
    tracker.endToken()
    expect(await world.work(workspace)).toEqual([])
    expect(requested()).toEqual(['POST /items', 'POST /token', 'POST /items'])
    expect(await last()).toMatchObject({ state: 'waiting', waits_for: 'signed-out' })
    expect(tracker.items()).toEqual([])
    tracker.restore()
    await reconnect(world, workspace, tracker)
    expect(await world.work(workspace)).toEqual([])
    expect(requested().slice(3)).toEqual(['POST /items'])
    expect(await last()).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(tracker.items()).toHaveLength(1)
  })

  it('while a lost answer may have created one is followed by a search, and leaves one item', async () => {
    await world.say(workspace, 1, 3)
    tracker.fault('reset')
    await world.work(workspace)
    world.later(2)
    tracker.endToken()
    expect(await world.work(workspace)).toEqual([])
    expect(requested()).toEqual(['POST /items', 'GET /items', 'POST /token', 'GET /items'])
    expect(tracker.items()).toHaveLength(1)
    expect(await last()).toMatchObject({ state: 'delivered', attempts: 2 })
  })

  it('after a creation that failed, and a search that found nothing, still searches first', async () => {
    await world.say(workspace, 1, 3)
    tracker.fault('500')
    await world.work(workspace)
    world.later(2)
    const search = tracker.requests().length
    tracker.endToken('GET')
    expect(await world.work(workspace)).toEqual([])
    expect(requested().slice(search)).toEqual(['GET /items', 'POST /items', 'POST /token', 'GET /items', 'POST /items'])
    expect(tracker.items()).toHaveLength(1)
    expect(await last()).toMatchObject({ state: 'delivered', attempts: 2 })
  })

  it('once the item exists never creates a second one', async () => {
    await world.say(workspace, 1, 3)
    afterCreation(async (context) => {
      tracker.endToken()
      const url = `${context.baseUrl ?? ''}/items/${tracker.items()[0]?.id ?? ''}/comments`
      const { status } = await context.http.request({ method: 'POST', url, body: '{}' })
      throw new AuthExpired(`The tracker answered ${status}`)
    })
    await world.work(workspace)
    expect(await last()).toMatchObject({ state: 'delivered', attempts: 1 })
    expect(requested()).toEqual([
      'POST /items',
      expect.stringMatching(/^POST .*\/comments$/),
      'POST /token',
      'GET /items',
    ])
    expect(tracker.items()).toHaveLength(1)
  })
})
