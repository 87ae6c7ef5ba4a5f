import { randomUUID } from 'node:crypto'
import { decide, startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authenticate } from '../../../auth/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type TestApp, type TestPerson, testApp } from '../../../platform/http/testing.ts'
import { open, seal } from '../../../platform/secrets/seal.ts'
import { duringTests } from '../../../platform/testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { syncsView } from '../../syncs/index.ts'
import { connectionRoutes } from '../routes.ts'
import { appSealedFor } from './provider-app.ts'

const MINUTE_MS = 60_000
let test: TestApp
let ann: TestPerson
const signedIn: string[] = []

const slack = duringTests(() => startSlack({ company: [] }))

beforeAll(async () => {
  const hooks = {
    syncs: syncsView,
    sourceReady: async (_tx: unknown, { connectionId }: { connectionId: string }) => void signedIn.push(connectionId),
  }
  test = await testApp(
    (services) => ({
      handlers: [...accountRoutes(services), ...connectionRoutes(services, hooks)],
      authenticate: authenticate(services),
    }),
    { publicUrl: 'https://feedback.example.com', baseUrls: { slack: slack.url } },
  )
})
afterAll(() => test.cleanup())
beforeEach(async () => {
  signedIn.length = 0
  ann = await test.person(randomUUID())
})

const app = () => ({
  client_id: slack.clientId,
  client_secret: slack.clientSecret,
  signing_secret: slack.signingSecret,
})
const setUp = (as = ann, payload: object = app()) => test.call('PUT', '/api/slack/app', { as, payload })
const authorize = async (as = ann): Promise<string> =>
  (await test.call('POST', '/api/slack/authorize', { as })).json().url
const allow = async (url: string) => (await decide(url)).back
const finish = (payload: object, as = ann) => test.call('POST', '/api/slack/oauth', { as, payload })
const given = (back: URL) => ({ code: back.searchParams.get('code'), state: back.searchParams.get('state') })

describe('the workspace’s own app', () => {
  it('is asked for first, with steps and a text to paste that name our addresses', async () => {
    const refused = await test.call('POST', '/api/slack/authorize', { as: ann })
    expect(refused.json()).toMatchObject({ code: 'not_configured' })
    const view = (await test.call('GET', '/api/slack/app', { as: ann })).json()
    expect(view).toMatchObject({
      set_up: false,
      from: null,
      redirect_url: 'https://feedback.example.com/integrations',
      events_url: 'https://feedback.example.com/api/slack/events',
    })
    expect(view.steps.length).toBeGreaterThan(2)
    expect(view.paste.text).toContain(view.redirect_url)
    expect(view.paste.text).toContain(view.events_url)
  })

  it('keeps what another version stored beside its fields', async () => {
    await setUp()
    const sealedFor = appSealedFor(ann.workspaceId, 'slack')
    const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(test.services.db, ann.workspaceId, work)
    const stored = JSON.stringify({ ...app(), enterprise: 'E1' })
    await inside((tx) =>
      sql`update provider_app set sealed = ${seal(test.services.key, stored, sealedFor)}`.execute(tx),
    )
    expect((await setUp()).json()).toMatchObject({ set_up: true })
    const { rows } = await inside((tx) => sql<{ sealed: string }>`select sealed from provider_app`.execute(tx))
    const kept = JSON.parse(open(test.services.key, rows[0]?.sealed ?? '', sealedFor))
    expect(kept).toEqual({ ...app(), enterprise: 'E1' })
  })

  it('is stored sealed, and its secrets are never returned; one left empty stays', async () => {
    expect((await setUp()).json()).toMatchObject({ set_up: true, from: 'workspace' })
    const changed = await setUp(ann, { ...app(), client_secret: '', signing_secret: '' })
    expect(changed.json()).toMatchObject({ given: { client_id: true, client_secret: true, signing_secret: true } })
    expect(changed.body).not.toContain(slack.clientSecret)
    const rows = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
      sql`select * from provider_app`.execute(tx),
    )
    expect(JSON.stringify(rows.rows)).not.toContain(slack.clientSecret)
    const bob = await test.person(randomUUID())
    expect((await test.call('GET', '/api/slack/app', { as: bob })).json()).toMatchObject({ set_up: false })
  })

  it('with a field missing is refused at the field', async () => {
    const answer = await setUp(ann, { client_id: '1.2' })
    expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { client_secret: expect.any(String) } })
  })
})

describe('signing in', () => {
  beforeEach(() => setUp())

  it('leads to the consent page and back, connects, and begins to read', async () => {
    const url = new URL(await authorize())
    expect(url.origin).toBe(slack.url)
    expect(url.searchParams.get('redirect_uri')).toBe('https://feedback.example.com/integrations')
    expect(url.searchParams.get('state')).toMatch(/^slack\.[\w-]{43}$/)
    const back = await allow(url.href)
    expect((await finish(given(back))).json()).toEqual({ message: 'Slack is connected' })
    expect(signedIn).toHaveLength(1)
    const user = (await test.call('GET', '/api/user/user-data', { as: ann })).json()
    expect(user.slack_data).toEqual({ access_token: null, team: { name: 'Tallybrook' } })
    const tested = await test.call('POST', '/api/slack/test', { as: ann })
    expect(tested.json()).toEqual({ message: 'Connection works.', status: null, answer: 'Connected to Tallybrook' })
  })

  it('takes a state once', async () => {
    const back = await allow(await authorize())
    expect((await finish({ ...given(back), code: 'wrong' })).json()).toMatchObject({ code: 'provider_refused' })
    expect((await finish(given(back))).json()).toMatchObject({ code: 'invalid_input' })
    expect(signedIn).toEqual([])
  })

  it('takes no state of another account, and none that is over ten minutes old', async () => {
    const bob = await test.person(randomUUID())
    await setUp(bob)
    const back = await allow(await authorize())
    expect((await finish(given(back), bob)).statusCode).toBe(400)
    test.time.passMs += 10 * MINUTE_MS
    expect((await finish(given(back))).statusCode).toBe(400)
    expect(signedIn).toEqual([])
  })

  it('without a state goes by what the same account began in the last ten minutes', async () => {
    const { code } = given(await allow(await authorize()))
    const bob = await test.person(randomUUID())
    await setUp(bob)
    expect((await finish({ code }, bob)).statusCode).toBe(400)
    expect((await finish({ code })).statusCode).toBe(200)
    expect((await finish({ code })).statusCode).toBe(400)
  })

  it('without a state at all goes where the operator allows it', async () => {
    const { code } = given(await allow(await authorize()))
    test.time.passMs += 11 * MINUTE_MS
    const { config } = test.services
    Object.assign(config, { oauthStateless: ['slack'] })
    expect((await finish({ code })).statusCode).toBe(200)
    expect((await finish({ code: 'x', state: 'slack.forged' })).statusCode).toBe(400)
    Object.assign(config, { oauthStateless: [] })
  })
})

describe('by a pasted token', () => {
  const paste = (bot_token: string) => test.call('POST', '/api/slack/add', { as: ann, payload: { bot_token } })

  it('needs no app; the provider names the account', async () => {
    expect((await paste(slack.botToken)).json()).toEqual({ message: 'Slack is connected' })
    const answer = await test.call('GET', '/api/connectors', { as: ann })
    expect(answer.json().connectors[0].connection).toMatchObject({ status: 'connected', name: 'Tallybrook' })
    expect(answer.body).not.toContain(slack.botToken)
  })

  it('that the provider does not take connects nothing', async () => {
    expect((await paste('xoxb-wrong')).json()).toMatchObject({ code: 'provider_refused' })
    expect((await paste('nonsense')).json()).toMatchObject({ code: 'invalid_input' })
    const answer = await test.call('POST', '/api/slack/disconnect', { as: ann })
    expect(answer.json()).toMatchObject({ code: 'not_configured' })
  })
})

describe('what is read', () => {
  beforeEach(async () => {
    slack.workspace.add({ channel: 'general', author: 'Eve', text: 'Hello' })
    await test.call('POST', '/api/slack/add', { as: ann, payload: { bot_token: slack.botToken } })
  })
  const choose = (payload: object) => test.call('PUT', '/api/slack/choices', { as: ann, payload })

  it('is chosen from what the provider offers, and stays after a new sign-in', async () => {
    const { id } = slack.workspace.room('general')
    expect((await choose({ channels: [id] })).statusCode).toBe(200)
    await test.call('POST', '/api/slack/add', { as: ann, payload: { bot_token: slack.botToken } })
    const { choices } = (await test.call('GET', '/api/slack/choices', { as: ann })).json()
    const options = [{ value: id, label: '#general' }]
    expect(choices).toMatchObject([
      { field: 'channels', chosen: [id], options },
      { field: 'shared_channels', chosen: [], options },
    ])
    expect(signedIn).toHaveLength(3)
  })

  it.each([[{ channels: ['C0NOTHERE'] }], [{ team: ['Evil'] }], [{ channels: 'all' }]])(
    'takes nothing else: %j',
    async (payload) => {
      expect((await choose(payload)).json()).toMatchObject({ code: 'invalid_input' })
    },
  )
})
