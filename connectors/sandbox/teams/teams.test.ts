import { describe, expect, it } from 'vitest'
import { startServer } from '../../kit/testing.ts'
import { fill, openTeams } from '../../teams/testing.ts'
import type { TeamsSandbox } from './control.ts'
import { TEAM_ID, TENANT_ID } from './tenant.ts'

type Json = Record<string, unknown>
type Page = { value: Json[]; '@odata.nextLink'?: string; '@odata.deltaLink'?: string }

const tokenOf = async ({ url, domain, clientId, clientSecret }: TeamsSandbox, change: Record<string, string> = {}) => {
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'https://graph.microsoft.com/.default',
    grant_type: 'client_credentials',
    ...change,
  })
  const answer = await fetch(`${url}/${domain}/oauth2/v2.0/token`, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as Json }
}

/** Calls Graph with a new token. */
async function openGraph(sandbox: TeamsSandbox) {
  const { body } = await tokenOf(sandbox)
  const headers = { authorization: `Bearer ${String(body.access_token)}`, 'content-type': 'application/json' }
  return async (path: string, method = 'GET', json?: unknown) => {
    const sent = json === undefined ? {} : { body: JSON.stringify(json) }
    const answer = await fetch(`${sandbox.url}/v1.0${path}`, { method, headers, ...sent })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as Page & Json }
  }
}

const messagesOf = (sandbox: TeamsSandbox, channel: string) =>
  `/teams/${TEAM_ID}/channels/${encodeURIComponent(sandbox.tenant.channel(channel).id)}/messages`
const searchOf = (link: string | undefined) => (link ? new URL(link).search : '')

describe('Entra’s stand-in', () => {
  it.each([
    [{}, 200, undefined],
    [{ client_secret: 'x' }, 401, 7_000_215],
    [{ client_id: 'x' }, 400, 700_016],
    [{ scope: 'openid' }, 400, 70_011],
    [{ grant_type: 'refresh_token' }, 400, 70_003],
  ])('issues a token only for the app’s own credentials: %j', async (change: Record<string, string>, status, code) => {
    await using teams = await openTeams()
    const answer = await tokenOf(teams, change)
    expect(answer.status).toBe(status)
    expect((answer.body.error_codes as number[] | undefined)?.[0]).toBe(code)
  })

  it('issues none without consent, which an administrator gives or cancels', async () => {
    await using teams = await openTeams({ consented: false })
    expect((await tokenOf(teams)).status).toBe(401)
    const page = `${teams.url}/${teams.domain}/adminconsent`
    const values = { client_id: teams.clientId, redirect_uri: 'https://fb.example/back', state: '<s>' }
    const shown = await fetch(`${page}?${new URLSearchParams(values).toString()}`)
    expect(await shown.text()).toContain('value="&lt;s&gt;"')
    const decide = async (decision: string) => {
      const body = new URLSearchParams({ ...values, decision })
      const answer = await fetch(page, { method: 'POST', body, redirect: 'manual' })
      return new URL(answer.headers.get('location') ?? '').searchParams
    }
    expect((await decide('cancel')).get('error')).toBe('access_denied')
    expect((await tokenOf(teams)).status).toBe(401)
    expect(Object.fromEntries(await decide('allow'))).toMatchObject({ tenant: TENANT_ID, admin_consent: 'True' })
    expect((await tokenOf(teams)).status).toBe(200)
  })

  it.each([
    ['nobody.example', {}],
    ['tallybrook.example', { client_id: 'x' }],
    ['tallybrook.example', { redirect_uri: 'javascript:alert(1)' }],
  ])('shows no page for a request that cannot be allowed: %s %j', async (tenant, change) => {
    await using teams = await openTeams()
    const values = { client_id: teams.clientId, redirect_uri: 'https://fb.example/back', state: 's', ...change }
    const answer = await fetch(`${teams.url}/${tenant}/adminconsent?${new URLSearchParams(values).toString()}`)
    expect(answer.status).toBe(400)
  })
})

describe('Graph’s stand-in', () => {
  it('answers nobody without a token, nor after it ended', async () => {
    await using teams = await openTeams()
    expect((await fetch(`${teams.url}/v1.0/teams`)).status).toBe(401)
    const graph = await openGraph(teams)
    expect((await graph('/teams')).status).toBe(200)
    teams.advance(3601)
    expect((await graph('/teams')).status).toBe(401)
  })

  it('lists posts newest first, page by page, whatever is posted meanwhile', async () => {
    await using teams = await openTeams()
    const ids = fill(teams, { channel: 'General', posts: 12, nth: 3, replies: 2 })
    const graph = await openGraph(teams)
    const seen: unknown[] = []
    let search = '?$top=5'
    while (search !== '') {
      const { body } = await graph(`${messagesOf(teams, 'General')}${search}`)
      seen.push(...body.value.map(({ id }) => id))
      teams.post({ channel: 'General', author: 'Ann', text: 'meanwhile' })
      search = searchOf(body['@odata.nextLink'])
    }
    expect(seen).toEqual(ids.toReversed())
  })

  it('shows replies of a post, by themselves or expanded', async () => {
    await using teams = await openTeams()
    const [root] = fill(teams, { channel: 'General', posts: 1, nth: 1, replies: 3 })
    const graph = await openGraph(teams)
    const path = messagesOf(teams, 'General')
    expect((await graph(`${path}/${root}/replies`)).body.value).toHaveLength(3)
    const { body } = await graph(`${path}?$expand=replies`)
    expect(body.value[0]?.replies).toHaveLength(3)
  })

  it('keeps a delta from its token on, until the token is stale', async () => {
    await using teams = await openTeams()
    fill(teams, { channel: 'General', posts: 3, nth: 1, replies: 1 })
    const graph = await openGraph(teams)
    const path = `${messagesOf(teams, 'General')}/delta`
    const first = await graph(path)
    expect(first.body.value).toHaveLength(3)
    const later = `${path}${searchOf(first.body['@odata.deltaLink'])}`
    expect((await graph(later)).body.value).toEqual([])
    const id = teams.post({ channel: 'General', author: 'Ann', text: 'new' })
    expect((await graph(later)).body.value.map((one) => one.id)).toEqual([id])
    teams.expireDelta()
    expect((await graph(later)).status).toBe(410)
  })

  it('shows deleted messages without their content', async () => {
    await using teams = await openTeams()
    const id = teams.post({ channel: 'General', author: 'Ann', text: 'customer words', subject: 'a subject' })
    teams.remove(id)
    const { body } = await (await openGraph(teams))(`${messagesOf(teams, 'General')}/${id}`)
    expect(body.deletedDateTime).not.toBeNull()
    expect(JSON.stringify(body)).not.toMatch(/customer words|a subject/)
  })

  it('refuses what the app has no permission for, and names it', async () => {
    await using teams = await openTeams()
    teams.withdraw('Team.ReadBasic.All')
    const { status, body } = await (await openGraph(teams))('/teams')
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('Team.ReadBasic.All')])
  })
})

describe('subscriptions of the stand-in', () => {
  const subscription = (sandbox: TeamsSandbox, url: string, hours = 1) => ({
    changeType: 'created,updated,deleted',
    notificationUrl: url,
    resource: `/teams/${TEAM_ID}/channels/${sandbox.tenant.channel('General').id}/messages`,
    expirationDateTime: new Date(Date.now() + hours * 3_600_000).toISOString(),
    clientState: 'secret',
  })
  const answering = () =>
    startServer(({ url }, response) => {
      const token = new URL(url, 'http://x').searchParams.get('validationToken')
      response.writeHead(200, { 'content-type': 'text/plain' }).end(token ?? '')
    })

  it('need an address that answers the validation', async () => {
    await using teams = await openTeams()
    await using deaf = await startServer()
    const graph = await openGraph(teams)
    expect((await graph('/subscriptions', 'POST', subscription(teams, deaf.url))).status).toBe(400)
    await using server = await answering()
    expect((await graph('/subscriptions', 'POST', subscription(teams, server.url))).status).toBe(201)
  })

  it('last an hour, and longer only with an address for notices', async () => {
    await using teams = await openTeams()
    await using server = await answering()
    const graph = await openGraph(teams)
    const long = subscription(teams, server.url, 6)
    expect((await graph('/subscriptions', 'POST', long)).status).toBe(400)
    const lifecycleNotificationUrl = server.url
    expect((await graph('/subscriptions', 'POST', { ...long, lifecycleNotificationUrl })).status).toBe(201)
  })

  it('are one for each channel, and send what happens there', async () => {
    await using teams = await openTeams()
    await using server = await answering()
    const graph = await openGraph(teams)
    await graph('/subscriptions', 'POST', subscription(teams, server.url))
    expect((await graph('/subscriptions', 'POST', subscription(teams, server.url))).status).toBe(403)
    const id = teams.post({ channel: 'General', author: 'Ann', text: 'customer words' })
    teams.post({ channel: 'Elsewhere', author: 'Ann', text: 'customer words' })
    await teams.subscribers.settled()
    const sent = server.seen.filter(({ body }) => body !== '').map(({ body }) => body)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toContain(id)
    expect(sent[0]).not.toContain('customer words')
  })
})
