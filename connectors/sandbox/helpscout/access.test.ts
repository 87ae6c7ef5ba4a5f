import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../kit/testing.ts'
import type { HelpScoutOptions, HelpScoutSandbox } from './control.ts'
import { startHelpScout } from './helpscout.ts'

const redirectUrl = 'https://fb.example/api/helpscout/oauth'

async function open(options: HelpScoutOptions = {}): Promise<HelpScoutSandbox & AsyncDisposable> {
  const sandbox = await startHelpScout({ company: [], limit: null, redirectUrl, ...options })
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Answer = { access_token?: string; refresh_token?: string; expires_in?: number; error?: string }

async function grant({ url, clientId, clientSecret }: HelpScoutSandbox, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...form })
  const response = await fetch(`${url}/v2/oauth2/token`, { method: 'POST', body })
  return { status: response.status, ...((await response.json()) as Answer) }
}

async function call({ url }: HelpScoutSandbox, token: string, method: string, path: string, json?: object) {
  const headers = { authorization: `Bearer ${token}` }
  const body = json ? { body: JSON.stringify(json) } : {}
  return await fetch(`${url}${path}`, { method, headers, ...body })
}

const CONSENT = '/authentication/authorizeClientApplication'

describe('credentials', () => {
  it('of an app give a token for two days and no refresh token', async () => {
    await using sandbox = await open()
    const granted = await grant(sandbox, { grant_type: 'client_credentials' })
    expect(granted).toMatchObject({ status: 200, expires_in: 172_800 })
    expect(granted.refresh_token).toBeUndefined()
    const me = () => call(sandbox, granted.access_token ?? '', 'GET', '/v2/users/me')
    expect((await me()).status).toBe(200)
    sandbox.advance(172_801)
    expect((await me()).status).toBe(401)
    expect((await call(sandbox, '', 'GET', '/v2/users/me')).status).toBe(401)
  })

  it('that are wrong are refused', async () => {
    await using sandbox = await open()
    const refused = async (form: Record<string, string>) => {
      const { status, error } = await grant(sandbox, form)
      return [status, error]
    }
    expect(await refused({ grant_type: 'client_credentials', client_secret: 'x' })).toEqual([401, 'invalid_client'])
    expect(await refused({ grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
    expect(await refused({ grant_type: 'authorization_code', code: 'x' })).toEqual([400, 'invalid_grant'])
    expect(await refused({ grant_type: 'refresh_token', refresh_token: 'x' })).toEqual([400, 'invalid_grant'])
  })

  it('of OAuth come by a page that leads back to the app’s own address, and rotate', async () => {
    await using sandbox = await open()
    const page = async (query: Record<string, string>) => {
      const response = await fetch(`${sandbox.url}${CONSENT}?${new URLSearchParams(query).toString()}`)
      return { status: response.status, text: await response.text() }
    }
    expect((await page({ client_id: 'another' })).status).toBe(400)
    const shown = await page({ client_id: sandbox.clientId, state: '"><script>' })
    expect(shown.status).toBe(200)
    expect(shown.text).not.toContain('<script>')
    const body = new URLSearchParams({ client_id: sandbox.clientId, state: 's', decision: 'allow' })
    const decided = await fetch(sandbox.url + CONSENT, { method: 'POST', body, redirect: 'manual' })
    const back = new URL(decided.headers.get('location') ?? '')
    expect(back.origin + back.pathname).toBe(redirectUrl)
    expect(back.searchParams.get('state')).toBe('s')
    const code = back.searchParams.get('code') ?? ''
    const first = await grant(sandbox, { grant_type: 'authorization_code', code })
    expect((await grant(sandbox, { grant_type: 'authorization_code', code })).status).toBe(400)
    const refresh = () => grant(sandbox, { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' })
    expect((await refresh()).refresh_token).not.toBe(first.refresh_token)
    expect((await refresh()).status).toBe(400)
    sandbox.setRedirectUrl('')
    expect((await page({ client_id: sandbox.clientId })).status).toBe(400)
  })
})

describe('webhooks', () => {
  const hook = (url: string, events: string[], secret = 'webhook-secret') => ({ url, events, secret })
  const tokenOf = async (sandbox: HelpScoutSandbox) =>
    (await grant(sandbox, { grant_type: 'client_credentials' })).access_token ?? ''

  it('get the events that they subscribe to, signed with SHA-1 over the body, again until they are accepted', async () => {
    let refusals = 2
    await using server = await startServer((_, response) => {
      refusals -= 1
      response.writeHead(refusals >= 0 ? 500 : 200).end()
    })
    await using sandbox = await open()
    const token = await tokenOf(sandbox)
    const made = await call(sandbox, token, 'POST', '/v2/webhooks', hook(server.url, ['convo.created']))
    expect([made.status, made.headers.get('resource-id'), await made.text()]).toEqual([201, '1', ''])
    await call(sandbox, token, 'POST', '/v2/webhooks', hook(server.url, ['convo.moved']))
    const id = sandbox.open({ subject: 'a', threads: [{ author: 'Ann', text: 'x' }] })
    await sandbox.webhooks.settled()
    expect(server.seen).toHaveLength(3)
    const { headers = {}, body = '' } = server.seen[2] ?? {}
    expect(headers['x-helpscout-event']).toBe('convo.created')
    expect(headers['x-helpscout-signature']).toBe(createHmac('sha1', 'webhook-secret').update(body).digest('base64'))
    expect(JSON.parse(body)).toMatchObject({ id, subject: 'a' })
  })

  it('that are not as described are refused, and one that is removed gets nothing', async () => {
    await using sandbox = await open()
    const token = await tokenOf(sandbox)
    const create = async (json: object) => (await call(sandbox, token, 'POST', '/v2/webhooks', json)).status
    expect(await create({})).toBe(400)
    expect(await create(hook('not a URL', ['convo.created']))).toBe(400)
    expect(await create(hook('https://a.example', []))).toBe(400)
    expect(await create(hook('https://a.example', ['convo.created'], 'x'.repeat(41)))).toBe(400)
    expect(await create(hook('https://a.example', ['convo.created'], 'x'.repeat(40)))).toBe(201)
    expect((await call(sandbox, token, 'DELETE', '/v2/webhooks/1')).status).toBe(204)
    expect((await call(sandbox, token, 'DELETE', '/v2/webhooks/1')).status).toBe(404)
    expect(sandbox.webhooks.all()).toEqual([])
  })

  it('are switched off by a response with 410', async () => {
    await using server = await startServer((_, response) => response.writeHead(410).end())
    await using sandbox = await open()
    await call(sandbox, await tokenOf(sandbox), 'POST', '/v2/webhooks', hook(server.url, ['convo.created']))
    for (const subject of ['a', 'b']) {
      sandbox.open({ subject, threads: [{ author: 'Ann', text: 'x' }] })
      await sandbox.webhooks.settled()
    }
    expect(server.seen).toHaveLength(1)
    expect(sandbox.webhooks.all()[0]?.state).toBe('disabled')
  })
})
