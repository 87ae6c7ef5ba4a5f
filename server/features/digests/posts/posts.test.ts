import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { QUEUE_SCHEMA } from '../../../platform/queue/schema.ts'
import { duringTests } from '../../../platform/testing.ts'
import { noticeChannelAlerts } from './alerts.ts'
import { DAILY, PostWorld } from './testing.ts'

let workspace: string
let name: string

const posts = duringTests(() => PostWorld.start())
beforeEach(async () => {
  posts.world.now = new Date('2026-03-02T10:20:00Z')
  workspace = await posts.workspace()
  name = `product-${workspace.slice(0, 8)}`
})

const texts = () =>
  posts.slack.posted().flatMap((one) => (posts.slack.workspace.room(name).id === one.channel ? [one.text] : []))
const insight = (number: number, at: string, count = 4) => posts.world.mention(workspace, number, { at, count })
const states = async () => (await posts.posting(workspace)).posts.map(({ state }) => state)
const SPIKES = { ...DAILY, frequency: 'off' as const, alerts: { spike: true, regression: false, themes: [] } }

describe('the second sign-in', () => {
  test('has its own app and scopes, and the token of the tile cannot post', async () => {
    const { url } = (await posts.call(workspace, 'POST', '/api/posting/slack/authorize')) as { url: string }
    expect(new URL(url).searchParams.get('scope')).toBe('chat:write,channels:read,groups:read')
    expect(new URL(url).searchParams.get('client_id')).toBe(posts.slack.postingApp.clientId)
    expect(await posts.posting(workspace)).toMatchObject({
      label: 'Slack',
      has_app: true,
      signed_in: 'Tallybrook',
      error: null,
    })
    const headers = { authorization: `Bearer ${posts.slack.botToken}` }
    const body = new URLSearchParams({ channel: 'C1', text: 'x' })
    const answer = await fetch(`${posts.slack.url}/api/chat.postMessage`, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ ok: false, error: 'missing_scope', needed: 'chat:write' })
  })

  test('is refused with the app of the tile, whose token it would widen', async () => {
    const { clientId: client_id, clientSecret: client_secret, signingSecret: signing_secret } = posts.slack
    await posts.call(workspace, 'PUT', '/api/slack/app', { client_id, client_secret, signing_secret })
    await posts.call(workspace, 'PUT', '/api/posting/slack/app', { client_id, client_secret })
    const answer = await posts.world.call(workspace, 'POST', '/api/posting/slack/authorize')
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ message: expect.stringContaining('create a separate app') })
  })

  test('shows no tile, is no destination, and is ended and revoked separately', async () => {
    const { connectors } = (await posts.call(workspace, 'GET', '/api/connectors')) as {
      connectors: { manifest: { id: string }; connection: unknown }[]
    }
    expect(connectors.map(({ manifest }) => manifest.id)).not.toContain('slack-post')
    expect(connectors.find(({ manifest }) => manifest.id === 'slack')?.connection).toBeNull()
    await posts.channel(workspace, name)
    await insight(1, '2026-03-02T12:00:00Z')
    await posts.call(workspace, 'DELETE', '/api/posting/slack')
    expect(await posts.posting(workspace)).toMatchObject({ signed_in: null, channels: [] })
    await posts.sweepAt('2026-03-03T09:00:00Z')
    expect(texts()).toEqual([])
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.id(QUEUE_SCHEMA, 'job')} where name = 'revoke-sign-in'`.execute(
      posts.world.services.db.kysely,
    )
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('a digest', () => {
  test('is posted once to the channel, with what is new, and with no markup of anybody else', async () => {
    await posts.channel(workspace, name)
    await insight(1, '2026-03-02T12:00:00Z', 2)
    await posts.world.inside(workspace, (tx) =>
      sql`update insight set name = 'Export <!channel> & "@here" *fails*|' where issue_number = 1`.execute(tx),
    )
    expect(await posts.posting(workspace)).toMatchObject({
      channels: [{ label: `#${name}`, next_at: '2026-03-03T09:00:00.000Z', set_by: 'A' }],
    })
    await posts.sweepAt('2026-03-03T08:59:00Z')
    expect(texts()).toEqual([])
    await posts.sweepAt('2026-03-03T09:00:00Z')
    await posts.sweepAt('2026-03-03T09:01:00Z')
    expect(texts()).toHaveLength(1)
    expect(texts()[0]).toContain('*Groundswell: 1 new')
    expect(texts()[0]).toContain(
      '• <https://feedback.example/insights?issue=1|Export &lt;!channel&gt; &amp; "@here" *fails*¦> (2 mentions)',
    )
    expect(texts()[0]).toContain('Turn it off in <https://feedback.example/settings/notifications|Settings>')
    expect(texts()[0]).not.toContain('<!')
    const [call] = posts.slack
      .calls()
      .filter(({ method }) => method === 'chat.postMessage')
      .slice(-1)
    expect(call?.values).toMatchObject({ parse: 'none', link_names: 'false' })
    expect(await states()).toEqual(['sent'])
  })

  test('goes to a channel that is named without control characters', async () => {
    await posts.channel(workspace, `${name}\u202e\n`)
    expect(await posts.posting(workspace)).toMatchObject({ channels: [{ label: `#${name}` }] })
  })

  test('is previewed as it is then posted, and is not posted when nothing happened', async () => {
    await insight(1, '2026-03-02T10:00:00Z', 2)
    const preview = (await posts.call(workspace, 'GET', '/api/posting/slack/preview?post=daily')) as {
      text: string
      nothing: boolean
    }
    expect(preview).toMatchObject({ nothing: false, text: expect.stringContaining('• issue 1 (2 mentions)') })
    await posts.channel(workspace, name)
    await posts.sweepAt('2026-03-03T09:00:00Z')
    await posts.sweepAt('2026-03-04T09:00:00Z')
    expect(texts()).toHaveLength(1)
    expect(await states()).toEqual(['nothing', 'sent'])
  })

  test('waits as long as the provider asks, which is no attempt', async () => {
    await posts.channel(workspace, name)
    await insight(1, '2026-03-02T12:00:00Z')
    posts.slack.fault('ratelimited', 1, 'chat.postMessage')
    await posts.sweepAt('2026-03-03T09:00:00Z')
    expect((await posts.posting(workspace)).posts).toMatchObject([
      { state: 'waiting', error: expect.stringContaining('9 seconds') },
    ])
    await posts.sweepAt('2026-03-03T09:00:08Z')
    expect(texts()).toEqual([])
    await posts.sweepAt('2026-03-03T09:00:10Z')
    expect(texts()).toHaveLength(1)
    const { rows } = await posts.world.inside(workspace, (tx) =>
      sql<{ tries: number }>`select tries from post`.execute(tx),
    )
    expect(rows).toEqual([{ tries: 1 }])
  })

  test.each(['internal_error', 'cut'] as const)('is uncertain after %s, and not repeated', async (fault) => {
    await posts.channel(workspace, name)
    await insight(1, '2026-03-02T12:00:00Z')
    posts.slack.fault(fault, 1, 'chat.postMessage')
    await posts.sweepAt('2026-03-03T09:00:00Z')
    const before = texts().length
    await posts.sweepAt('2026-03-03T12:00:00Z')
    expect(await states()).toEqual(['uncertain'])
    expect(texts()).toHaveLength(before)
  })

  test('that is refused is shown with the reason, and the next one makes up for it', async () => {
    await posts.channel(workspace, name)
    await insight(1, '2026-03-02T12:00:00Z')
    posts.slack.workspace.room(name).hasPoster = false
    await posts.sweepAt('2026-03-03T09:00:00Z')
    expect((await posts.posting(workspace)).posts).toMatchObject([
      { state: 'refused', error: expect.stringContaining('/invite') },
    ])
    posts.slack.invitePoster(name)
    await posts.sweepAt('2026-03-04T09:00:00Z')
    expect(texts()).toHaveLength(1)
    expect(texts()[0]).toContain('1 new')
  })

  test('is not posted to a channel that the app is not in, nor chosen for one', async () => {
    posts.slack.post({ channel: `other-${name}`, author: 'Eve', text: 'x' })
    const { id: channel } = posts.slack.workspace.room(`other-${name}`)
    const answer = await posts.world.call(workspace, 'PUT', '/api/posting/slack/channel', { channel, choice: DAILY })
    expect(answer.statusCode).toBe(400)
  })

  test('is turned off by leaving nothing on', async () => {
    const channel = await posts.channel(workspace, name)
    await posts.call(workspace, 'PUT', '/api/posting/slack/channel', {
      channel,
      choice: { ...DAILY, frequency: 'off' },
    })
    expect((await posts.posting(workspace)).channels).toEqual([])
    await insight(1, '2026-03-02T12:00:00Z')
    await posts.sweepAt('2026-03-03T09:00:00Z')
    expect(texts()).toEqual([])
  })
})

describe('alerts', () => {
  test('are looked for only in workspaces with a channel that gets them, and there only after a change', async () => {
    await noticeChannelAlerts(posts.world.services)
    const without = await posts.workspace()
    await posts.world.mention(without, 1, { at: '2026-03-02T10:00:00Z', count: 4 })
    expect(await noticeChannelAlerts(posts.world.services)).toEqual({ visited: 0, failed: [] })
    await posts.channel(workspace, name, SPIKES)
    expect(await noticeChannelAlerts(posts.world.services)).toEqual({ visited: 1, failed: [] })
    expect(await noticeChannelAlerts(posts.world.services)).toEqual({ visited: 0, failed: [] })
  })

  test('are posted within minutes, once, and wait for the end of quiet hours', async () => {
    await insight(1, '2026-02-10T10:00:00Z', 2)
    await posts.channel(workspace, name, { ...SPIKES, quiet: { from: 11, until: 12 } })
    await insight(1, '2026-03-02T10:25:00Z', 12)
    posts.world.now = new Date('2026-03-02T11:30:00Z')
    await noticeChannelAlerts(posts.world.services)
    await posts.sweepAt('2026-03-02T11:31:00Z')
    expect(texts()).toEqual([])
    await posts.sweepAt('2026-03-02T12:00:00Z')
    await noticeChannelAlerts(posts.world.services)
    await posts.sweepAt('2026-03-02T13:30:00Z')
    expect(texts()).toHaveLength(1)
    expect(texts()[0]).toContain('*Mentioned far more often*')
    expect(texts()[0]).toContain('|issue 1>')
  })
})
