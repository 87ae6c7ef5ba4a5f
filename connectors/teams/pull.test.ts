import { describe, expect, it } from 'vitest'
import { createPageStore } from '../kit/page-store.ts'
import { failureFrom } from '../kit/testing.ts'
import { loadCompany } from '../sandbox/company/company.ts'
import { pull } from './pull.ts'
import { channelKey } from './selection.ts'
import { contextFor, drain, fill, idOf, idsOf, openTeams, signedIn } from './testing.ts'

const DAY_MS = 86_400_000
const countOf = (sandbox: { calls(): readonly { name: string }[] }, name: string) =>
  sandbox.calls().filter((call) => call.name === name).length

describe('the first sync', () => {
  it('reads what the tenant holds: ids, text, author, thread, date, link and place', async () => {
    await using teams = await openTeams({ company: loadCompany(), pageSize: 20 })
    const { items, incomplete } = await drain(await signedIn(teams))
    expect(items.map(({ externalId }) => externalId).toSorted()).toEqual(idsOf(teams).toSorted())
    expect(items.length).toBeGreaterThan(50)
    expect(incomplete).toBeNull()
    for (const item of items) {
      const [, , root = '', reply] = item.externalId.split(':')
      const stored = teams.tenant.message(reply ?? root)
      expect(item).toMatchObject({
        at: new Date(stored.created),
        author: 'name' in stored.author ? stored.author.name : null,
        thread: `${stored.channel}:${root}`,
        place: `Tallybrook › ${teams.tenant.channels.find(({ id }) => id === stored.channel)?.name}`,
      })
      expect(item.link).toMatch(/^https:\/\/teams\.microsoft\.com\/l\/message\//)
      expect(item.role).toBeUndefined()
    }
  })

  it('needs one request for a page of posts with their replies', async () => {
    await using teams = await openTeams()
    fill(teams, { channel: 'General', posts: 120, nth: 2, replies: 3 })
    const context = await signedIn(teams)
    const before = teams.calls().length
    const { items } = await drain(context)
    expect(items.map(({ externalId }) => externalId).toSorted()).toEqual(idsOf(teams).toSorted())
    // Two for the names of the team and its channels.
    expect(teams.calls().length - before).toBe(2 + 3)
  })

  it('reads all pages of a long thread', async () => {
    await using teams = await openTeams({ pageSize: 10, expanded: 20 })
    fill(teams, { channel: 'General', posts: 1, nth: 1, replies: 95 })
    expect((await drain(await signedIn(teams))).items).toHaveLength(96)
    expect(countOf(teams, 'replies')).toBe(10)
  })

  it('lists what is older than the delta, and then keeps the delta', async () => {
    await using teams = await openTeams()
    const at = Date.now() - 400 * DAY_MS
    teams.tenant.post({ channel: 'General', author: 'Ann', text: 'long ago', at })
    teams.tenant.post({ channel: 'General', author: 'Ann', text: 'before the start', at: at - 100 * DAY_MS })
    const start_date = [new Date(at - DAY_MS).toISOString().slice(0, 10)]
    const { items, cursor } = await drain(await signedIn(teams, { settings: { start_date } }))
    expect(items.map(({ text }) => text)).toEqual(['long ago'])
    expect(cursor?.channels[0]?.delta).toContain('deltatoken')
  })

  it('skips notices, and what has no text', async () => {
    await using teams = await openTeams()
    teams.post({ channel: 'General', author: 'Ann', text: 'joined', type: 'systemEventMessage' })
    teams.post({ channel: 'General', author: 'Ann', text: '', html: '<p> </p>' })
    expect((await drain(await signedIn(teams))).items).toEqual([])
    expect(countOf(teams, 'replies')).toBe(0)
  })

  it('yields a page where nothing can be read', async () => {
    await using teams = await openTeams()
    expect(await drain(await signedIn(teams))).toMatchObject({ pages: 1, items: [], incomplete: null })
  })
})

describe('the choices', () => {
  it('limit what is read to the channels that are chosen', async () => {
    await using teams = await openTeams()
    for (const channel of ['General', 'Feedback']) teams.post({ channel, author: 'Ann', text: `in ${channel}` })
    const team = teams.tenant.team.id
    const channels = [channelKey(team, teams.tenant.channel('Feedback').id)]
    const context = await signedIn(teams, { settings: { teams: [team], channels } })
    expect((await drain(context)).items.map(({ text }) => text)).toEqual(['in Feedback'])
    const asked = teams.calls().filter(({ name }) => name === 'delta')
    expect(asked).toHaveLength(1)
    const other = await signedIn(teams, { settings: { teams: ['another-team'], channels } })
    expect((await drain(other)).items).toEqual([])
  })

  it('read a channel that is chosen later, and an earlier start', async () => {
    await using teams = await openTeams()
    teams.post({ channel: 'General', author: 'Ann', text: 'old', at: Date.now() - 100 * DAY_MS })
    teams.post({ channel: 'General', author: 'Ann', text: 'new' })
    const start = (days: number) => [new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)]
    const first = await drain(await signedIn(teams, { settings: { start_date: start(10) } }))
    expect(first.items.map(({ text }) => text)).toEqual(['new'])
    teams.post({ channel: 'Later', author: 'Ann', text: 'later' })
    const second = await drain(await signedIn(teams, { settings: { start_date: start(200) } }), first.cursor)
    expect(new Set(second.items.map(({ text }) => text))).toEqual(new Set(['old', 'new', 'later']))
  })
})

describe('later syncs', () => {
  it('request only what changed', async () => {
    await using teams = await openTeams()
    fill(teams, { channel: 'General', posts: 100, nth: 5, replies: 2 })
    const context = await signedIn(teams)
    const { cursor } = await drain(context)
    const before = countOf(teams, 'replies')
    expect((await drain(context, cursor)).items).toEqual([])
    expect(countOf(teams, 'replies')).toBe(before)
  })

  it('find a reply to a post of the last weeks, which no delta reports', async () => {
    await using teams = await openTeams()
    const [root = ''] = fill(teams, { channel: 'General', posts: 60, nth: 7, replies: 2 })
    const context = await signedIn(teams)
    const { cursor } = await drain(context)
    const late = teams.post({ channel: 'General', author: 'Ann', text: 'a late reply', root })
    const { items } = await drain(context, cursor)
    expect(items.map(({ externalId }) => externalId)).toContain(idOf(teams, late))
    expect(items.find(({ text }) => text === 'a late reply')?.thread).toMatch(new RegExp(`:${root}$`))
  })

  it('find edits of posts and replies, with versions', async () => {
    await using teams = await openTeams()
    const [root = ''] = fill(teams, { channel: 'General', posts: 3, nth: 1, replies: 1 })
    const reply = teams.tenant.messages.find((one) => one.root === root)?.id ?? ''
    const context = await signedIn(teams)
    const { cursor } = await drain(context)
    for (const id of [root, reply]) teams.edit(id, `edited ${id}`)
    const { items } = await drain(context, cursor)
    for (const id of [root, reply]) {
      const edited = teams.tenant.message(id).edited ?? 0
      expect(items.find(({ externalId }) => externalId === idOf(teams, id))).toMatchObject({
        text: `edited ${id}`,
        version: edited * 1000,
      })
    }
  })

  it('remove what was deleted, and replies that left no trace', async () => {
    await using teams = await openTeams()
    const [first = '', second = ''] = fill(teams, { channel: 'General', posts: 3, nth: 1, replies: 3 })
    const context = await signedIn(teams)
    const store = createPageStore()
    const round = async () => {
      for await (const page of pull(context, store.cursor())) store.commit(page)
    }
    await round()
    const repliesOf = (root: string) => teams.tenant.messages.filter((one) => one.root === root).map(({ id }) => id)
    teams.remove(first)
    teams.remove(repliesOf(second)[0] ?? '')
    teams.tenant.purge(repliesOf(second)[1] ?? '')
    await round()
    expect([...store.items.keys()].toSorted()).toEqual(idsOf(teams).toSorted())
    expect(store.items.size).toBe(9)
  })

  it('read everything again when the delta is stale, and keep up from there', async () => {
    await using teams = await openTeams({ pageSize: 10 })
    fill(teams, { channel: 'General', posts: 25, nth: 5, replies: 2 })
    const context = await signedIn(teams)
    const { cursor } = await drain(context)
    teams.expireDelta()
    teams.edit(teams.tenant.messages[0]?.id ?? '', 'changed while it was stale')
    const again = await drain(context, cursor)
    expect(again.items.map(({ text }) => text)).toContain('changed while it was stale')
    expect(new Set(again.items.map(({ externalId }) => externalId)).size).toBe(idsOf(teams).length)
    expect((await drain(context, again.cursor)).items).toEqual([])
  })
})

describe('where Microsoft refuses the delta', () => {
  it('posts are listed, and new ones, edits and late replies are found', async () => {
    await using teams = await openTeams({ pageSize: 10 })
    teams.refuseDelta(true)
    const [root = '', other = '', gone = ''] = fill(teams, { channel: 'General', posts: 30, nth: 5, replies: 2 })
    const context = await signedIn(teams)
    const { items, cursor } = await drain(context)
    expect(items.map(({ externalId }) => externalId).toSorted()).toEqual(idsOf(teams).toSorted())
    teams.post({ channel: 'General', author: 'Ann', text: 'a new post' })
    teams.post({ channel: 'General', author: 'Ann', text: 'a late reply', root })
    teams.edit(other, 'an edited post')
    teams.remove(gone)
    const before = countOf(teams, 'delta')
    const later = await drain(context, cursor)
    const texts = later.items.map(({ text }) => text)
    for (const text of ['a new post', 'a late reply', 'an edited post']) expect(texts).toContain(text)
    expect(later.deleted).toEqual([idOf(teams, gone)])
    // It is not asked for again.
    expect(countOf(teams, 'delta')).toBe(before)
  })

  it('later, the position of the sync is kept', async () => {
    await using teams = await openTeams()
    fill(teams, { channel: 'General', posts: 20, nth: 5, replies: 2 })
    const context = await signedIn(teams)
    const { cursor } = await drain(context)
    teams.refuseDelta(true)
    expect((await drain(context, cursor)).items).toEqual([])
  })
})

describe('refusals', () => {
  it.each(['ChannelMessage.Read.All', 'Channel.ReadBasic.All', 'Team.ReadBasic.All'])(
    'name the permission %s that was taken away',
    async (permission) => {
      await using teams = await openTeams()
      fill(teams, { channel: 'General', posts: 2, nth: 1, replies: 1 })
      const context = await signedIn(teams)
      teams.withdraw(permission)
      const error = await failureFrom(drain(context))
      expect(error).toMatchObject({ kind: 'auth', message: expect.stringContaining(permission) as string })
      expect((error as Error).message).toMatch(/connect again/)
    },
  )

  it('of one channel leave the others, and end when it is shown again', async () => {
    await using teams = await openTeams()
    for (const channel of ['General', 'Feedback']) teams.post({ channel, author: 'Ann', text: `in ${channel}` })
    const context = await signedIn(teams)
    teams.fault('policy', 1, 'delta')
    teams.fault('policy', 1, 'messages')
    const first = await drain(context)
    expect(first.items.map(({ text }) => text)).toEqual(['in Feedback'])
    expect(first.incomplete).toBe('Microsoft refuses to show Tallybrook › General (403).')
    const second = await drain(context, first.cursor)
    expect(second.items.map(({ text }) => text)).toEqual(['in General'])
    expect(second.incomplete).toBeNull()
  })

  it('without a sign-in or with invalid settings send nothing', async () => {
    await using teams = await openTeams()
    expect(await failureFrom(drain(contextFor(teams, { secrets: {} })))).toMatchObject({ kind: 'auth' })
    const hostile = contextFor(teams, { settings: { tenant: 'evil.example/..' } })
    expect(await failureFrom(drain(hostile))).toMatchObject({ kind: 'rejected' })
    expect(teams.calls()).toEqual([])
  })
})

it.each([undefined, null, 7, 'x', {}, { version: 2 }, { version: 1, channels: [{}], turn: [] }])(
  'an invalid cursor starts from the beginning: %j',
  async (stored) => {
    await using teams = await openTeams()
    teams.post({ channel: 'General', author: 'Ann', text: 'one' })
    expect((await drain(await signedIn(teams), stored ?? null)).items).toHaveLength(1)
  },
)
