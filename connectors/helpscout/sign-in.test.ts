import { describe, expect, it } from 'vitest'
import { AuthExpired } from '../kit/errors.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { check } from './check.ts'
import { helpscout } from './index.ts'
import { HelpScoutSecrets, HelpScoutSettings, manifest } from './manifest.ts'
import { refresh } from './oauth.ts'
import { contextFor, drain, fill, many, openHelpScout, signedIn } from './testing.ts'

const TWO_DAYS_MS = 172_800_000

describe('the tile', () => {
  it('keeps its id, name and text, and is no longer coming soon', () => {
    expect(helpscout.manifest).toMatchObject({
      id: 'helpscout',
      label: 'Help Scout',
      side: 'source',
      info: 'Feedback from mailbox conversations',
      comingSoon: false,
      tile: true,
      logo: null,
    })
  })

  it('has no revocation, because Help Scout offers none: tokens end within 48 hours', () => {
    expect(helpscout.revoke).toBeUndefined()
    expect(helpscout.subscriptions).toBeDefined()
  })

  it('is named after the person who connected it', () => {
    expect(manifest.describe({ name: 'ada@acme.example' }, {})).toEqual({ name: 'ada@acme.example', userData: {} })
    expect(manifest.describe({ name: '' }, {})).toEqual({ name: 'Help Scout', userData: {} })
    expect(manifest.describe({ name: 7 }, {})).toEqual({ name: 'Help Scout', userData: {} })
  })

  it.each([
    { app_id: '', app_secret: 'a' },
    { app_id: 'a', app_secret: '' },
    { app_id: 'a b', app_secret: 'a' },
    { app_id: 'a', app_secret: 'a\nb' },
    { app_id: 'a', app_secret: 'x'.repeat(513) },
    { app_id: 'ä', app_secret: 'a' },
    { app_id: 'a' },
    { app_id: 'a', app_secret: 'a', other: 'a' },
  ])('refuses the form %j', (form) => {
    expect(manifest.form.safeParse(form).success).toBe(false)
  })

  it('trims what was pasted, and seals the secret only', () => {
    expect(manifest.form.parse({ app_id: ' id ', app_secret: 'secret\n' })).toEqual({
      app_id: 'id',
      app_secret: 'secret',
    })
    expect(manifest.secretFields).toEqual(['app_secret'])
    const secret = manifest.fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name)
    expect(secret).toEqual(['app_secret'])
  })
})

describe('client credentials', () => {
  it('sign in with a token that ends after two days', async () => {
    await using sandbox = await openHelpScout()
    sandbox.keepBodies(true)
    const asked = Date.now()
    const signed = await check(contextFor(sandbox))
    expect(signed).toEqual({
      account: '4',
      settings: { name: sandbox.email, app_id: sandbox.clientId },
      secrets: { app_secret: sandbox.clientSecret, access_token: expect.any(String) as string },
      expiresAt: expect.any(Date) as Date,
    })
    const ends = signed.expiresAt?.getTime() ?? 0
    expect(ends).toBeGreaterThanOrEqual(asked + TWO_DAYS_MS)
    expect(ends).toBeLessThanOrEqual(Date.now() + TWO_DAYS_MS)
    expect(HelpScoutSettings.safeParse(signed.settings).success).toBe(true)
    expect(HelpScoutSecrets.safeParse(signed.secrets).data).toEqual(signed.secrets)
    expect(sandbox.calls()[0]).toMatchObject({
      name: 'token',
      json: { grant_type: 'client_credentials', client_id: sandbox.clientId },
    })
    expect('refresh_token' in ((sandbox.calls()[0]?.answer ?? {}) as object)).toBe(false)
  })

  it('are tested with the current token, without minting another one', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    const again = await check(context)
    expect(again).toMatchObject({ account: '4', secrets: context.secrets, settings: { app_id: sandbox.clientId } })
    expect(sandbox.calls().map(({ name }) => name)).toEqual(['token', 'me', 'me'])
  })

  it('that are wrong are refused, without showing them', async () => {
    await using sandbox = await openHelpScout()
    for (const given of [{ secrets: { app_secret: 'secret-of-another' } }, { settings: { app_id: 'id-of-another' } }]) {
      const error = await failureFrom(check(contextFor(sandbox, given)))
      expect(error).toBeInstanceOf(AuthExpired)
      expect(String(error)).toContain('did not accept the App ID and the App Secret')
      expect(String(error)).not.toMatch(/of-another/)
    }
  })

  it('are required: without them nothing is sent', async () => {
    await using sandbox = await openHelpScout()
    expect(await failureFrom(check(contextFor(sandbox, { secrets: {} })))).toMatchObject({ kind: 'auth' })
    expect(await failureFrom(drain(contextFor(sandbox)))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('connect again') as string,
    })
    expect(sandbox.calls()).toEqual([])
  })

  it('work for a person without a company or a name', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    await using server = await startServer((_, response) => response.end('{"id":7,"firstName":"Ada","email":null}'))
    expect(await check({ ...context, baseUrl: server.url })).toMatchObject({
      account: 'user:7',
      settings: { name: 'Ada' },
    })
    await using nameless = await startServer((_, response) => response.end('{"id":7,"companyId":"x"}'))
    const signed = await check({ ...context, baseUrl: nameless.url })
    expect('name' in signed.settings).toBe(false)
  })

  it('are not considered wrong during an outage', async () => {
    await using sandbox = await openHelpScout()
    sandbox.fault('500', 1, 'token')
    expect(await failureFrom(check(contextFor(sandbox)))).toMatchObject({ kind: 'unavailable' })
    sandbox.fault('429', 1, 'me')
    expect(await failureFrom(check(contextFor(sandbox)))).toMatchObject({ kind: 'rate-limited', retryAfter: 7 })
  })
})

describe('after 48 hours', () => {
  it('a new token is minted from the app: there is no refresh token', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(3))
    const context = await signedIn(sandbox)
    sandbox.advance(172_801)
    expect(await failureFrom(drain(context))).toMatchObject({ kind: 'auth' })
    const { secrets, expiresAt } = await refresh(context, null)
    expect(secrets).toEqual({ app_secret: sandbox.clientSecret, access_token: expect.any(String) as string })
    expect(secrets.access_token).not.toBe(context.secrets.access_token)
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now())
    expect((await drain({ ...context, secrets })).items).toHaveLength(3)
  })

  it('minting can be repeated, also after an interruption', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    sandbox.fault('500', 1, 'token')
    expect(await failureFrom(refresh(context, null))).toMatchObject({ kind: 'unavailable' })
    const first = await refresh(context, null)
    const second = await refresh({ ...context, secrets: first.secrets }, null)
    expect((await check({ ...context, secrets: first.secrets })).account).toBe('4')
    expect((await check({ ...context, secrets: second.secrets })).account).toBe('4')
  })

  it('the sign-in ends when the app was deleted or its secret replaced', async () => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    sandbox.signIns.revokeAll()
    const error = await failureFrom(refresh(context, null))
    expect(error).toMatchObject({ kind: 'auth', message: expect.stringMatching(/connect again/) as string })
    expect(String(error)).not.toContain(context.secrets.app_secret)
  })
})
