import { describe, expect, it } from 'vitest'
import { failureFrom, recordingLog, startServer } from '../kit/testing.ts'
import { credentialProblems } from '../kit/worlds/app.ts'
import * as person from '../kit/worlds/sign-in.ts'
import type { IntercomSandbox } from '../sandbox/intercom/control.ts'
import { app, TOPICS } from './app.ts'
import { check } from './check.ts'
import { IntercomSecrets } from './manifest.ts'
import { oauth } from './oauth.ts'
import { revoke } from './revoke.ts'
import { contextFor, drain, fill, many, openIntercom, signedIn } from './testing.ts'

const redirectUrl = 'https://fb.example/api/intercom/oauth'
const credentials = ({ clientId, clientSecret }: IntercomSandbox) => ({
  client_id: clientId,
  client_secret: clientSecret,
})

const attempt = (intercom: IntercomSandbox): person.Attempt => ({
  oauth,
  context: contextFor(intercom, { secrets: {} }),
  app: credentials(intercom),
  redirectUrl,
})

async function signIn(intercom: IntercomSandbox) {
  const { context } = attempt(intercom)
  const signed = await person.signIn(attempt(intercom))
  return { context: { ...context, settings: signed.settings, secrets: signed.secrets }, signed }
}

/** A server that answers every request to it like this. */
const answering = (body: unknown, status = 200) =>
  startServer((_, response) => response.writeHead(status).end(JSON.stringify(body)))

describe('OAuth', () => {
  it('asks for the region first, then opens Intercom’s page without a secret', async () => {
    await using intercom = await openIntercom()
    expect(oauth.fields?.map(({ name }) => name)).toEqual(['region'])
    const context = { ...contextFor(intercom, { secrets: {} }), baseUrl: null }
    const secret = { client_id: 'fb', client_secret: 's3cret' }
    const url = new URL(oauth.authorizeUrl(context, secret, { redirectUrl, state: 'a&b' }))
    expect(url.origin + url.pathname).toBe('https://app.intercom.com/oauth')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'fb',
      redirect_uri: redirectUrl,
      state: 'a&b',
    })
  })

  it('gives a token that reads and does not end', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(2))
    const { context, signed } = await signIn(intercom)
    expect(signed).toMatchObject({
      account: 'tallybrook1',
      settings: { region: 'us', revocable: true },
      expiresAt: null,
    })
    expect(IntercomSecrets.safeParse(signed.secrets).success).toBe(true)
    expect(Object.keys(signed.secrets)).toEqual(['access_token'])
    expect((await drain(context)).items).toHaveLength(2)
    expect((await check(context)).settings).toEqual(signed.settings)
  })

  it('that was cancelled returns without a code', async () => {
    await using intercom = await openIntercom()
    const back = await person.consent({ ...attempt(intercom), state: 'state with & and "' }, 'cancel')
    expect(Object.fromEntries(back.searchParams)).toEqual({ state: 'state with & and "', error: 'access_denied' })
  })

  it('accepts a code once, with the right client', async () => {
    await using intercom = await openIntercom()
    const codeOf = () => person.codeOf(attempt(intercom))
    const exchange = (code: string, more: Record<string, string> = {}) =>
      person.signIn({ ...attempt(intercom), app: { ...credentials(intercom), ...more } }, code)
    const code = await codeOf()
    await exchange(code)
    const refused = { kind: 'rejected', message: expect.stringContaining('refused to sign in') as string }
    expect(await failureFrom(exchange(code))).toMatchObject(refused)
    const wrong = await failureFrom(exchange(await codeOf(), { client_secret: 'wrong-secret' }))
    expect(wrong).toMatchObject(refused)
    expect(String(wrong)).not.toContain('wrong-secret')
  })

  it('takes the token under either of its names, and no response without one', async () => {
    await using intercom = await openIntercom()
    const me = { app: { id_code: 'a1', name: null } }
    for (const granted of [{ token: 't' }, { access_token: 't' }, { access_token: 't', token: 't' }]) {
      await using server = await answering({ ...granted, ...me })
      const context = { ...contextFor(intercom, { secrets: {} }), baseUrl: server.url }
      const { secrets } = await oauth.exchange(context, credentials(intercom), { redirectUrl, code: 'c' })
      expect(secrets).toEqual({ access_token: 't' })
    }
    await using server = await answering({ token: '' })
    const context = { ...contextFor(intercom, { secrets: {} }), baseUrl: server.url }
    const error = await failureFrom(oauth.exchange(context, credentials(intercom), { redirectUrl, code: 'c' }))
    expect(error).toMatchObject({ kind: 'unavailable' })
  })
})

describe('a disconnect', () => {
  it('uninstalls the app, which ends the token of OAuth', async () => {
    await using intercom = await openIntercom()
    const { context } = await signIn(intercom)
    await revoke(context)
    expect(await failureFrom(check(context))).toMatchObject({ kind: 'auth' })
    await revoke(context)
    expect(intercom.calls().filter(({ name }) => name === 'uninstall')).toHaveLength(2)
  })

  it('leaves a pasted token alone', async () => {
    await using intercom = await openIntercom()
    const context = await signedIn(intercom)
    const before = intercom.calls().length
    await revoke(context)
    expect(intercom.calls()).toHaveLength(before)
  })

  it('is over where Intercom refuses it, and repeated after an outage', async () => {
    await using intercom = await openIntercom()
    const { context } = await signIn(intercom)
    const log = recordingLog()
    intercom.fault('500', 1, 'uninstall')
    expect(await failureFrom(revoke({ ...context, log }))).toMatchObject({ kind: 'unavailable' })
    intercom.fault('forbidden', 1, 'uninstall')
    await revoke({ ...context, log })
    expect(log.lines.join()).toContain('remove it there')
    expect(log.lines.join()).not.toContain(context.secrets.access_token)
  })
})

it('the app has a form with a sealed secret, a variable for each field, and a guide with both addresses', () => {
  expect(credentialProblems(app, { client_id: 'fb', client_secret: 'a' })).toEqual([])
  const eventsUrl = 'https://fb.example/api/intercom/events'
  const { steps, paste } = app.guide({ redirectUrl, eventsUrl })
  expect(paste?.text).toBe(redirectUrl)
  for (const needed of [eventsUrl, ...TOPICS, 'Read conversations']) expect(steps.join(' ')).toContain(needed)
  // Intercom requests the address when it is entered, and without an app it is refused.
  const place = (words: string) => steps.findIndex((step) => step.includes(words))
  expect([place('save it'), place(eventsUrl)]).toEqual([steps.length - 2, steps.length - 1])
})
