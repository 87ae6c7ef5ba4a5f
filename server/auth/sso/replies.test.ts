import { type OpenIdFault, type OpenIdSandbox, startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renameWorkspace } from '../../features/workspaces/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { openSso, type SsoTest } from './testing.ts'

let test: SsoTest
let provider: OpenIdSandbox
let ann: TestPerson

/** From the provider's page to the address that it returns the browser to. */
const choose =
  (sub: string) =>
  async (to: string): Promise<string> => {
    const body = new URLSearchParams(new URL(to).search)
    body.set('person', sub)
    const answer = await fetch(`${provider.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
    return answer.headers.get('location') ?? ''
  }

beforeAll(async () => {
  const people = Array.from({ length: 9 }, (_, index) => ({
    sub: `sub-${index}`,
    name: `Person ${index}`,
    email: `person${index}@acme.example`,
    emailVerified: true,
  }))
  provider = await startOpenId({ people, clientId: 'app', clientSecret: 'secret of the app' })
  test = await openSso()
  ann = await test.person('ann')
  await test.open(ann, { ...provider, issuer: provider.url }, choose('sub-0'))
})
afterAll(async () => {
  await test.cleanup()
  await provider.stop()
})

describe('what a provider answers', () => {
  it.each<[OpenIdFault, string]>([
    ['wrong-nonce', 'could not be verified'],
    ['wrong-audience', 'could not be verified'],
    ['wrong-issuer', 'could not be verified'],
    ['expired', 'could not be verified'],
    ['bad-signature', 'could not be verified'],
    ['unsigned', 'could not be verified'],
    ['no-id-token', 'could not be verified'],
    ['500', 'could not be reached'],
    ['blocked', 'could not be reached'],
    ['invalid-client', 'does not accept the client ID or the secret'],
  ])('signs nobody in when it is wrong: %s', async (fault, words) => {
    provider.fault(fault)
    const ended = await test.signIn(ann.workspaceId, choose('sub-1'))
    expect([ended.token, ended.words]).toEqual([undefined, expect.stringContaining(words)])
    expect(ended.url.pathname).toBe('/api/auth/oauth-callback')
  })

  it.each([
    ['a subject of 256 characters', { sub: 's'.repeat(256) }, 'could not be verified'],
    ['a subject that is not ASCII', { sub: 'sub-é' }, 'could not be verified'],
    ['no e-mail address', { sub: 'sub-8', email: 'Person 8 <person8@acme.example' }, 'Nobody with your e-mail address'],
    [
      'two domains',
      { sub: 'sub-8', email: 'person8@elsewhere.example@acme.example' },
      'Nobody with your e-mail address',
    ],
  ])('signs nobody in when it has %s', async (_what, more, words) => {
    const person = provider.people.at(-1)
    Object.assign(person ?? {}, more)
    const ended = await test.signIn(ann.workspaceId, choose(more.sub))
    expect([ended.token, ended.words]).toEqual([undefined, expect.stringContaining(words)])
  })

  it('is stored without what a database cannot store', async () => {
    Object.assign(provider.people[7] ?? {}, { name: ' Per\0son 7\uD800 ' })
    const { token } = await test.signIn(ann.workspaceId, choose('sub-7'))
    expect((await test.who(token ?? '')).body.name).toBe('Person 7\uFFFD')
  })

  it('says that the person cancelled', async () => {
    expect((await test.signIn(ann.workspaceId, choose(''))).words).toContain('cancelled')
  })

  it('is shown to an owner by a test that fails, without what the provider wrote', async () => {
    provider.fault('wrong-audience')
    const page = await test.tryOut(ann, choose('sub-0'))
    expect(page).toContain('The test failed')
    expect(page).not.toMatch(/aud|at .*\.js|Error:/)
  })

  it('does not matter after the issuer of the reply is another one (RFC 9207)', async () => {
    const { to, cookie } = await test.begin(ann.workspaceId)
    const back = new URL(await choose('sub-1')(to))
    back.searchParams.set('iss', 'https://elsewhere.example')
    expect((await test.comeBack(back.href, cookie)).words).toContain('could not be verified')
  })
})

describe('a state', () => {
  it('is good once', async () => {
    const { to, cookie } = await test.begin(ann.workspaceId)
    const back = await choose('sub-1')(to)
    expect((await test.comeBack(back, cookie)).token).toBeDefined()
    const replayed = await test.comeBack(back, cookie)
    expect([replayed.token, replayed.words]).toEqual([undefined, expect.stringContaining('was used already')])
  })

  it('belongs to the browser that started it', async () => {
    const { to } = await test.begin(ann.workspaceId)
    const { cookie: others } = await test.begin(ann.workspaceId)
    for (const cookie of ['', others]) {
      const ended = await test.comeBack(await choose('sub-1')(to), cookie)
      expect([ended.token, ended.words]).toEqual([undefined, expect.any(String)])
    }
  })

  it.each(['', 'state=', 'state=unknown&code=x', 'code=x', 'error=access_denied'])(
    'that is not ours is refused: %s',
    async (query) => {
      const ended = await test.comeBack(`${test.url}/api/sso/${ann.workspaceId}/callback?${query}`, '')
      expect(ended.words).toContain('is unknown here')
      expect(ended.url.origin).toBe(test.url)
    },
  )

  it('expires after ten minutes', async () => {
    const { to, cookie } = await test.begin(ann.workspaceId)
    const back = await choose('sub-1')(to)
    test.time.passMs = 601_000
    const ended = await test.comeBack(back, cookie)
    test.time.passMs = 0
    expect(ended.words).toContain('took too long')
  })

  it('is of one workspace: the address of another one does not take it, and neither does sign-in with Google', async () => {
    const bo = await test.person('bo')
    const { to, cookie } = await test.begin(ann.workspaceId)
    const back = await choose('sub-1')(to)
    expect((await test.comeBack(back.replace(ann.workspaceId, bo.workspaceId), cookie)).words).toContain(
      'is unknown here',
    )
    const { search } = new URL(back)
    expect((await test.comeBack(`${test.url}/auth/v1/callback${search}`, cookie)).words).toContain('is unknown here')
    expect((await test.comeBack(back, cookie)).token).toBeDefined()
  })
})

describe('an address', () => {
  it.each<[string, (url: string) => Record<string, string>]>([
    ['a page of somebody else', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a page of a neighbour', () => ({ 'sec-fetch-site': 'same-site', referer: 'http://127.0.0.1:1/' })],
    ['a mail or a bookmark', () => ({ 'sec-fetch-site': 'none' })],
    ['another page, over http', () => ({ referer: 'http://elsewhere.example/' })],
    ['another port, over http', () => ({ referer: 'http://127.0.0.1:1/' })],
    ['an unknown place, over http', () => ({})],
    ['a page that claims to be ours', (url) => ({ 'sec-fetch-site': 'cross-site', referer: `${url}/` })],
  ])('opened from %s shows a confirmation page', async (_from, headers) => {
    await inWorkspace(test.services.db, ann.workspaceId, (tx) => renameWorkspace(tx, ann.workspaceId, 'Ann & <b>Co'))
    const { answer, to, cookie } = await test.begin(ann.workspaceId, headers(test.url))
    expect([answer.status, to, cookie]).toEqual([200, '', ''])
    const page = await answer.text()
    expect(page).toContain('Sign in to the workspace “Ann &amp; &lt;b&gt;Co”')
    expect(page).toContain(new URL(provider.url).host)
    expect(page).toContain(`href="/api/sso/${ann.workspaceId}" referrerpolicy="same-origin"`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it.each<[string, (url: string) => Record<string, string>]>([
    ['https or this machine', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['http', (url) => ({ referer: `${url}/api/sso/${ann.workspaceId}` })],
  ])('opened from the confirmation page redirects to the provider, over %s', async (_over, headers) => {
    const { answer, to } = await test.begin(ann.workspaceId, headers(test.url))
    expect([answer.status, new URL(to).origin]).toEqual([302, new URL(provider.url).origin])
  })

  it.each(['unknown', '00000000-0000-4000-8000-000000000000', '..%2fauth'])(
    'without single sign-on leads back with a message: %s',
    async (workspace) => {
      const { to } = await test.begin(workspace)
      expect(new URL(to).pathname).toBe('/api/auth/oauth-callback')
      expect(new URL(to).searchParams.get('error_description')).toContain('is not turned on')
    },
  )

  it('sets a cookie for the browser, and asks the provider for a code with PKCE, state and nonce', async () => {
    const { answer, to } = await test.begin(ann.workspaceId)
    expect(answer.headers.get('set-cookie')).toMatch(/Path=\/api\/sso; Max-Age=900; HttpOnly; SameSite=Lax$/)
    const sent = new URL(to).searchParams
    expect([sent.get('response_type'), sent.get('code_challenge_method')]).toEqual(['code', 'S256'])
    for (const name of ['code_challenge', 'state', 'nonce']) expect(sent.get(name)).toMatch(/^[\w-]{43}$/)
    expect(sent.get('redirect_uri')).toBe(`${test.url}/api/sso/${ann.workspaceId}/callback`)
  })

  it('is opened a limited number of times', async () => {
    const own = await openSso({ authRateLimits: { oauth: 2 } })
    const words = []
    for (let time = 0; time < 3; time += 1) {
      words.push(new URL((await own.begin(ann.workspaceId)).to).searchParams.get('error_description'))
    }
    expect(words).toEqual([
      expect.stringContaining('not turned on'),
      expect.any(String),
      expect.stringContaining('Too many'),
    ])
    await own.cleanup()
  })

  it('says that the provider cannot be reached, and works again afterwards', async () => {
    const away = await startOpenId({ clientId: 'app', clientSecret: 'secret' })
    const cy = await test.person('cy')
    await test.save(cy, { ...away, issuer: away.url })
    await away.stop()
    const { status, body } = await test.ask('POST', '/api/team/single-sign-on/test', cy)
    expect([status, body.code]).toEqual([502, 'provider_unavailable'])
    const back = await startOpenId({ port: Number(new URL(away.url).port), clientId: 'app', clientSecret: 'secret' })
    expect((await test.ask('POST', '/api/team/single-sign-on/test', cy)).status).toBe(200)
    await back.stop()
  })

  it('of a provider in a private network is not requested, unless WEBHOOK_ALLOW lists it', async () => {
    const allowPrivateAddresses: string[] = []
    const own = await openSso({ allowPrivateAddresses })
    const dee = await own.person('dee')
    const before = provider.requests()
    const save = () => own.save(dee, { ...provider, issuer: provider.url })
    expect((await save()).body.fields).toEqual({ issuer: expect.stringContaining('WEBHOOK_ALLOW') })
    // It was listed when it was saved, and no longer is.
    allowPrivateAddresses.push('127.0.0.1')
    expect((await save()).status).toBe(200)
    allowPrivateAddresses.pop()
    expect((await own.ask('POST', '/api/team/single-sign-on/test', dee)).status).toBe(502)
    expect(provider.requests()).toEqual(before)
    await own.cleanup()
  })
})
