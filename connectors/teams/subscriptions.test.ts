import { describe, expect, it } from 'vitest'
import type { ProviderEvents } from '../connector.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { drain, fill, idOf, openTeams, signedIn } from './testing.ts'

const SECRET = 'secret-of-the-subscription'

/** The address of one connection, with its parsed events; refuses what `receive` refuses. */
async function openAddress() {
  const events: ProviderEvents['events'][number][] = []
  const refused: string[] = []
  const server = await startServer(({ method, url, headers, body }, response) => {
    const { searchParams } = new URL(url, 'http://groundswell')
    const request = { method, key: 'k', query: Object.fromEntries(searchParams), headers, body: Buffer.from(body) }
    try {
      const { reply, events: found } = receive({ client_state: SECRET }, request, new Date())
      events.push(...found)
      response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
    } catch (error) {
      refused.push((error as Error).message)
      response.writeHead(403).end()
    }
  })
  return { url: server.url, events, refused, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('subscriptions', () => {
  it('are created for each channel after the address was validated, with the secret', async () => {
    await using teams = await openTeams()
    await using address = await openAddress()
    for (const channel of ['General', 'Feedback']) teams.tenant.channel(channel)
    const context = await signedIn(teams, { settings: { teams: [teams.tenant.team.id] } })
    const made = await subscriptions.ensure(context, { url: address.url, secret: SECRET, previous: null })
    expect(teams.subscribers.all()).toHaveLength(2)
    expect(made.state).toEqual({ ids: teams.subscribers.all().map(({ id }) => id) })
    expect(made.secrets).toEqual({ client_state: SECRET })
    const hours = ((made.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(5.9)
    expect(hours).toBeLessThan(6.1)
    expect(address.refused).toEqual([])
  })

  it('are renewed, and not created twice, even if their state was lost', async () => {
    await using teams = await openTeams()
    await using address = await openAddress()
    teams.tenant.channel('General')
    const context = await signedIn(teams, { settings: { teams: [teams.tenant.team.id] } })
    const request = { url: address.url, secret: SECRET }
    const first = await subscriptions.ensure(context, { ...request, previous: null })
    const again = await subscriptions.ensure(context, { ...request, previous: first.state })
    const lost = await subscriptions.ensure(context, { ...request, previous: null })
    expect([again.state, lost.state]).toEqual([first.state, first.state])
    expect(teams.calls().filter(({ name }) => name === 'subscribe')).toHaveLength(1)
    expect(teams.calls().filter(({ name }) => name === 'renew')).toHaveLength(2)
  })

  it('are created again after they were removed or expired', async () => {
    await using teams = await openTeams()
    await using address = await openAddress()
    teams.tenant.channel('General')
    const context = await signedIn(teams, { settings: { teams: [teams.tenant.team.id] } })
    const request = { url: address.url, secret: SECRET }
    const first = await subscriptions.ensure(context, { ...request, previous: null })
    teams.subscribers.drop()
    const second = await subscriptions.ensure(context, { ...request, previous: first.state })
    expect(second.state).not.toEqual(first.state)
    expect(teams.subscribers.all()).toHaveLength(1)
  })

  it('move to a new address, and follow the choice of channels', async () => {
    await using teams = await openTeams()
    await using address = await openAddress()
    await using other = await openAddress()
    for (const channel of ['General', 'Feedback']) teams.tenant.channel(channel)
    const context = await signedIn(teams, { settings: { teams: [teams.tenant.team.id] } })
    const first = await subscriptions.ensure(context, { url: address.url, secret: SECRET, previous: null })
    const team = teams.tenant.team.id
    const chosen = { teams: [team], channels: [`${team}/${teams.tenant.channel('Feedback').id}`] }
    const fewer = { ...context, settings: { ...context.settings, ...chosen } }
    const second = await subscriptions.ensure(fewer, { url: other.url, secret: SECRET, previous: first.state })
    const [left, ...more] = teams.subscribers.all()
    expect(more).toEqual([])
    expect(left).toMatchObject({
      url: other.url,
      resource: expect.stringContaining(teams.tenant.channel('Feedback').id),
    })
    await subscriptions.remove(fewer, second.state)
    await subscriptions.remove(fewer, second.state)
    expect(teams.subscribers.all()).toEqual([])
  })

  it('are none until teams are chosen, and no event is read', async () => {
    await using teams = await openTeams()
    await using address = await openAddress()
    const root = teams.post({ channel: 'General', author: 'Ann', text: 'internal words' })
    const context = await signedIn(teams)
    const made = await subscriptions.ensure(context, { url: address.url, secret: SECRET, previous: null })
    expect(made).toMatchObject({ state: { ids: [] }, expiresAt: null })
    expect(teams.subscribers.all()).toEqual([])
    const payload = { team: teams.tenant.team.id, channel: teams.tenant.channel('General').id, root, reply: null }
    expect((await handleEvent(context, { ...payload, change: 'updated' })).items).toEqual([])
  })

  it('that Graph does not let go end by their time, and the others are created', async () => {
    await using teams = await openTeams()
    await using address = await openAddress()
    const [general, feedback] = ['General', 'Feedback'].map((name) => teams.tenant.channel(name).id)
    const team = teams.tenant.team.id
    const context = await signedIn(teams, { settings: { teams: [team], channels: [`${team}/${general}`] } })
    const request = { url: address.url, secret: SECRET }
    const first = await subscriptions.ensure(context, { ...request, previous: null })
    teams.fault('policy', 1, 'unsubscribe')
    const changed = { ...context, settings: { ...context.settings, channels: [`${team}/${feedback}`] } }
    const second = await subscriptions.ensure(changed, { ...request, previous: first.state })
    const resources = teams.subscribers.all().map(({ id, resource }) => [id, resource])
    expect(resources).toEqual([
      [(first.state.ids as string[])[0], expect.stringContaining(general ?? '')],
      [(second.state.ids as string[])[0], expect.stringContaining(feedback ?? '')],
    ])
  })

  it('that are all refused are reported; the others are kept', async () => {
    await using teams = await openTeams()
    await using address = await openAddress()
    for (const channel of ['General', 'Feedback']) teams.tenant.channel(channel)
    const context = await signedIn(teams, { settings: { teams: [teams.tenant.team.id] } })
    const request = { url: address.url, secret: SECRET, previous: null }
    teams.fault('policy', 1, 'subscribe')
    expect((await subscriptions.ensure(context, request)).state.ids).toHaveLength(1)
    teams.subscribers.drop()
    teams.fault('policy', 2, 'subscribe')
    const error = await failureFrom(subscriptions.ensure(context, request))
    expect(error).toMatchObject({
      kind: 'rejected',
      message: 'Microsoft refuses subscriptions to the chosen channels (403)',
    })
  })
})

describe('an event', () => {
  /** A tenant that is subscribed to, with a context. */
  async function subscribed() {
    const teams = await openTeams()
    const address = await openAddress()
    teams.tenant.channel('General')
    const context = await signedIn(teams, { settings: { teams: [teams.tenant.team.id] } })
    await subscriptions.ensure(context, { url: address.url, secret: SECRET, previous: null })
    const outcomes = async () => {
      await teams.subscribers.settled()
      return await Promise.all(address.events.splice(0).map(({ payload }) => handleEvent(context, payload)))
    }
    const stop = async () => {
      await address[Symbol.asyncDispose]()
      await teams.stop()
    }
    return { teams, address, context, outcomes, [Symbol.asyncDispose]: stop }
  }

  it('brings posts, replies, edits with versions and deletions', async () => {
    await using all = await subscribed()
    const { teams, outcomes } = all
    const root = teams.post({ channel: 'General', author: 'Ann', text: 'a post' })
    const reply = teams.post({ channel: 'General', author: 'Ben', text: 'a reply', root })
    expect((await outcomes()).flatMap(({ items }) => items)).toMatchObject([
      { externalId: idOf(teams, root), text: 'a post', thread: idOf(teams, root) },
      { externalId: idOf(teams, reply), text: 'a reply', thread: idOf(teams, root) },
    ])
    teams.edit(reply, 'an edited reply')
    const version = (teams.tenant.message(reply).edited ?? 0) * 1000
    expect(await outcomes()).toMatchObject([{ items: [{ text: 'an edited reply', version }], deleted: [] }])
    teams.remove(reply)
    expect(await outcomes()).toMatchObject([{ items: [], deleted: [idOf(teams, reply)] }])
  })

  it('is what a sync would read', async () => {
    await using all = await subscribed()
    const { teams, outcomes, context } = all
    teams.post({ channel: 'General', author: 'Ann', text: 'a post', subject: 'A subject' })
    const [outcome] = await outcomes()
    expect(outcome?.items).toEqual((await drain(context)).items)
  })

  it('that is late or out of order brings the newest state', async () => {
    await using all = await subscribed()
    const { teams, address, context } = all
    const id = teams.post({ channel: 'General', author: 'Ann', text: 'first' })
    teams.edit(id, 'second')
    await teams.subscribers.settled()
    const payloads = address.events.map(({ payload }) => payload).toReversed()
    for (const payload of payloads) {
      expect((await handleEvent(context, payload)).items).toMatchObject([{ text: 'second' }])
    }
    teams.tenant.remove(id)
    for (const payload of payloads) {
      expect(await handleEvent(context, payload)).toMatchObject({ items: [], deleted: [idOf(teams, id)] })
    }
  })

  it('that is sent twice has one id, and a forged one is refused', async () => {
    await using all = await subscribed()
    const { teams, address } = all
    teams.eventFault('twice')
    teams.post({ channel: 'General', author: 'Ann', text: 'a post' })
    await teams.subscribers.settled()
    expect(address.events).toHaveLength(2)
    expect(new Set(address.events.map(({ id }) => id)).size).toBe(1)
    teams.eventFault('forged')
    teams.post({ channel: 'General', author: 'Ann', text: 'another' })
    await teams.subscribers.settled()
    expect(address.events).toHaveLength(2)
    expect(address.refused).toHaveLength(1)
  })

  it('that is lost is found by the next sync', async () => {
    await using all = await subscribed()
    const { teams, context, outcomes } = all
    const [root = ''] = fill(teams, { channel: 'General', posts: 3, nth: 1, replies: 1 })
    const { cursor } = await drain(context)
    teams.eventFault('lost', 3)
    teams.post({ channel: 'General', author: 'Ann', text: 'a lost post' })
    teams.post({ channel: 'General', author: 'Ann', text: 'a lost reply', root })
    teams.edit(root, 'a lost edit')
    expect(await outcomes()).toEqual([])
    const texts = (await drain(context, cursor)).items.map(({ text }) => text)
    for (const text of ['a lost post', 'a lost reply', 'a lost edit']) expect(texts).toContain(text)
  })

  it('about a channel that is not chosen, or a message that is not there, changes nothing', async () => {
    await using all = await subscribed()
    const { teams, context } = all
    const team = teams.tenant.team.id
    const channel = teams.tenant.channel('General').id
    const payload = { team, channel, root: '1', reply: null, change: 'updated' }
    const nothing = { items: [], deleted: [], ended: null }
    expect(await handleEvent(context, payload)).toEqual(nothing)
    expect((await handleEvent(context, { ...payload, change: 'deleted' })).deleted).toEqual([`${channel}:1`])
    const before = teams.calls().length
    const elsewhere = { ...context, settings: { ...context.settings, teams: ['another'] } }
    expect(await handleEvent(elsewhere, { ...payload, change: 'deleted' })).toEqual(nothing)
    expect(teams.calls()).toHaveLength(before)
  })

  it('about the subscription authorises it again, and changes nothing else', async () => {
    await using all = await subscribed()
    const { teams, outcomes } = all
    for (const event of ['reauthorizationRequired', 'missed', 'subscriptionRemoved']) teams.subscribers.lifecycle(event)
    const found = await outcomes()
    expect(found).toHaveLength(3)
    expect(found.every(({ items, deleted }) => items.length + deleted.length === 0)).toBe(true)
    expect(teams.subscribers.reauthorized()).toEqual(teams.subscribers.all().map(({ id }) => id))
  })

  it('that does not match the documentation is refused', async () => {
    await using all = await subscribed()
    expect(await failureFrom(handleEvent(all.context, { team: 7 }))).toMatchObject({ kind: 'rejected' })
  })
})
