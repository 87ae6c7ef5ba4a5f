import { describe, expect, it } from 'vitest'
import { AuthExpired } from '../kit/errors.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { check } from './check.ts'
import { IntercomSettings, manifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { contextFor, openIntercom } from './testing.ts'

const redirectUrl = 'https://fb.example/api/intercom/oauth'

/** A server that answers every request to it like this. */
const answering = (body: unknown, status = 200) =>
  startServer((_, response) => response.writeHead(status).end(JSON.stringify(body)))

describe('an access token', () => {
  it('signs in, and tells which workspace it is for', async () => {
    await using intercom = await openIntercom()
    const form = manifest.form.parse({ region: 'us', access_token: ` ${intercom.accessToken}\n` })
    const { access_token, ...settings } = form as Record<string, string>
    const signed = await check(contextFor(intercom, { settings, secrets: { access_token: access_token ?? '' } }))
    expect(signed).toEqual({
      account: 'tallybrook1',
      settings: { region: 'us', workspace_id: 'tallybrook1', workspace: 'Tallybrook' },
      secrets: { access_token: intercom.accessToken },
    })
    expect(IntercomSettings.safeParse(signed.settings).success).toBe(true)
    expect(manifest.describe(signed.settings, signed.secrets)).toEqual({ name: 'Tallybrook', userData: {} })
  })

  it('that is wrong is refused, without showing it', async () => {
    await using intercom = await openIntercom()
    const error = await failureFrom(check(contextFor(intercom, { secrets: { access_token: 'token-of-another' } })))
    expect(error).toBeInstanceOf(AuthExpired)
    expect(String(error)).toContain('did not accept the credentials in the region United States')
    expect(String(error)).not.toContain('token-of-another')
    expect(await failureFrom(check(contextFor(intercom, { secrets: {} })))).toMatchObject({ kind: 'auth' })
  })

  it('of a workspace in another region is refused, with the region to choose', async () => {
    await using intercom = await openIntercom({ region: 'EU' })
    expect(await failureFrom(check(contextFor(intercom)))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('in the region Europe: choose it') as string,
    })
    expect((await check(contextFor(intercom, { settings: { region: 'eu' } }))).settings.region).toBe('eu')
  })

  it.each(['AU', 'au', 'Australia'])(
    'of a workspace in the region that Intercom calls %j is one of Australia',
    async (region) => {
      await using intercom = await openIntercom({ region })
      expect((await check(contextFor(intercom, { settings: { region: 'au' } }))).settings.region).toBe('au')
      expect(await failureFrom(check(contextFor(intercom)))).toMatchObject({
        kind: 'rejected',
        message: expect.stringContaining('in the region Australia: choose it') as string,
      })
    },
  )

  it('of a workspace whose region Intercom names differently is accepted', async () => {
    await using intercom = await openIntercom({ region: 'North America' })
    expect((await check(contextFor(intercom))).account).toBe('tallybrook1')
  })

  it.each([
    [{ type: 'admin', app: null }, 'rejected', 'no workspace'],
    [{ type: 'admin', app: { id_code: '../hostile', name: 'customer words' } }, 'unavailable', 'documentation'],
    [{ type: 'admin', app: { name: 'customer words' } }, 'unavailable', 'documentation'],
  ])('that Intercom answers with %j is refused', async (body, kind, words) => {
    await using intercom = await openIntercom()
    await using server = await answering(body)
    const error = await failureFrom(check({ ...contextFor(intercom), baseUrl: server.url }))
    expect(error).toMatchObject({ kind, message: expect.stringContaining(words) as string })
    expect(String(error)).not.toMatch(/hostile|customer words/)
  })
})

describe('a region', () => {
  const hostile = [
    '',
    'US',
    'xx',
    'evil.example',
    'https://evil.example',
    'us.evil.example',
    'us@evil.example',
    '__proto__',
  ]
  it.each(hostile)('%j is refused, in the form, before OAuth, and where it is stored', async (region) => {
    expect(manifest.form.safeParse({ region, access_token: 'x' }).success).toBe(false)
    expect(oauth.form?.safeParse({ region }).success).toBe(false)
    await using intercom = await openIntercom()
    const context = { ...contextFor(intercom, { settings: { region } }), baseUrl: null }
    expect(await failureFrom(check(context))).toMatchObject({ kind: 'rejected' })
    expect(() => oauth.authorizeUrl(context, {}, { redirectUrl, state: 's' })).toThrow('not set up')
    expect(intercom.calls()).toEqual([])
  })

  it.each([
    ['us', 'https://api.intercom.io', 'https://app.intercom.com'],
    ['eu', 'https://api.eu.intercom.io', 'https://app.eu.intercom.com'],
    ['au', 'https://api.au.intercom.io', 'https://app.au.intercom.com'],
  ])('%s decides the hosts', async (region, api, host) => {
    await using intercom = await openIntercom()
    const asked: string[] = []
    const http = {
      request: ({ url }: { url: string }) => {
        asked.push(url)
        return Promise.reject(new Error('not sent'))
      },
    }
    const context = { ...contextFor(intercom, { settings: { region } }), baseUrl: null, http }
    await failureFrom(check(context))
    await failureFrom(oauth.exchange(context, {}, { redirectUrl, code: 'c' }))
    expect(asked).toEqual([`${api}/me`, `${api}/auth/eagle/token`])
    expect(oauth.authorizeUrl(context, {}, { redirectUrl, state: 's' })).toMatch(`${host}/oauth?`)
  })
})
