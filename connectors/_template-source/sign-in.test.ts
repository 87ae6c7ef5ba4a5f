import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { type Helpdesk, startHelpdesk } from '../sandbox/helpdesk/helpdesk.ts'
import { app } from './app.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { manifest } from './manifest.ts'
import { oauth, refresh, revoke } from './oauth.ts'
import { contextFor } from './testing.ts'

const redirectUrl = 'https://feedback.example/api/helpdesk/oauth'
const codeVerifier = 'v'.repeat(64)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

/** Allows the app on the consent page and returns the code that comes back. */
async function allow(helpdesk: Helpdesk): Promise<string> {
  const request = { redirectUrl, state: 'state-1', codeChallenge }
  const page = await fetch(oauth.authorizeUrl(contextFor(helpdesk), helpdesk.app, request), { redirect: 'manual' })
  const back = new URL(page.headers.get('location') ?? '')
  expect(back.href.startsWith(redirectUrl)).toBe(true)
  expect(back.searchParams.get('state')).toBe('state-1')
  return back.searchParams.get('code') ?? ''
}

async function signIn(helpdesk: Helpdesk) {
  const request = { redirectUrl, code: await allow(helpdesk), codeVerifier }
  const now = () => new Date('2026-03-01T12:00:00Z')
  return oauth.exchange(contextFor(helpdesk, { secrets: {}, now }), helpdesk.app, request)
}

it('connects with an API token, and names the account', async () => {
  await using helpdesk = await startHelpdesk()
  const { token } = helpdesk.signIns
  const form = manifest.form.parse({ token: ` ${token}\n` })
  const signedIn = await check(contextFor(helpdesk, { secrets: form as Record<string, string> }))
  expect(signedIn).toEqual({ account: 'tallybrook', settings: { name: 'Tallybrook' }, secrets: { token } })
  expect(manifest.describe(signedIn.settings, signedIn.secrets).name).toBe('Tallybrook')
})

it('refuses a wrong token without showing it', async () => {
  await using helpdesk = await startHelpdesk()
  const error = await failureFrom(check(contextFor(helpdesk, { secrets: { token: 'token-of-another' } })))
  expect(error).toMatchObject({ kind: 'auth', message: expect.stringContaining('Connect again') as string })
  expect(String(error)).not.toContain('token-of-another')
})

it('signs in with OAuth, renews both tokens, and revokes them', async () => {
  await using helpdesk = await startHelpdesk()
  const { account, secrets, expiresAt } = await signIn(helpdesk)
  expect([account, expiresAt]).toEqual(['tallybrook', new Date('2026-03-01T13:00:00Z')])
  const renewed = await refresh(contextFor(helpdesk, { secrets }), helpdesk.app)
  expect(renewed.secrets.access_token).not.toBe(secrets.access_token)
  expect(await failureFrom(check(contextFor(helpdesk, { secrets })))).toMatchObject({ kind: 'auth' })
  const context = contextFor(helpdesk, { secrets: renewed.secrets })
  expect((await check(context)).account).toBe('tallybrook')
  await revoke(context)
  expect(helpdesk.signIns.holds(`Bearer ${renewed.secrets.access_token}`)).toBe(false)
  await revoke(context)
})

it('uses a code and a refresh token once', async () => {
  await using helpdesk = await startHelpdesk()
  const code = await allow(helpdesk)
  const context = contextFor(helpdesk, { secrets: {} })
  const { secrets } = await oauth.exchange(context, helpdesk.app, { redirectUrl, code, codeVerifier })
  const again = await failureFrom(oauth.exchange(context, helpdesk.app, { redirectUrl, code, codeVerifier }))
  expect(again).toMatchObject({ kind: 'rejected', message: expect.stringContaining('client ID') as string })
  const held = contextFor(helpdesk, { secrets })
  await refresh(held, helpdesk.app)
  expect(await failureFrom(refresh(held, helpdesk.app))).toMatchObject({ kind: 'auth' })
})

it('cannot renew a pasted token, and does not revoke it', async () => {
  await using helpdesk = await startHelpdesk()
  const context = contextFor(helpdesk)
  expect(await failureFrom(refresh(context, helpdesk.app))).toMatchObject({ kind: 'auth' })
  await revoke(context)
  expect((await check(context)).account).toBe('tallybrook')
})

it('offers the inboxes as a choice', async () => {
  await using helpdesk = await startHelpdesk()
  const [choice] = await choices(contextFor(helpdesk))
  expect(choice?.options).toEqual([
    { value: 'support', label: 'Support' },
    { value: 'sales', label: 'Sales' },
  ])
})

it('guides through the app with both addresses, and refuses a form without its secrets', () => {
  const urls = { redirectUrl, eventsUrl: 'https://feedback.example/api/helpdesk/events' }
  expect(app.guide(urls).paste?.text.split('\n')).toEqual([urls.redirectUrl, urls.eventsUrl])
  expect(app.form.safeParse({ client_id: 'c', client_secret: 's', signing_secret: ' ' }).success).toBe(false)
})
