import { createHash } from 'node:crypto'
import { type OpenIdSandbox, startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryAccounts } from '../../platform/db/testing.ts'
import { proves } from '../../platform/proves.ts'
import { type AuthServer, authServer } from '../testing.ts'

const verifier = 'v'.repeat(50)
const challenge = createHash('sha256').update(verifier).digest('base64url')

let provider: OpenIdSandbox
let test: AuthServer

beforeAll(async () => {
  const people = ['ann', 'bo'].map((name) => ({ sub: name, name, email: `${name}@example.com`, emailVerified: true }))
  provider = await startOpenId({ people })
  const { url: issuer, clientId, clientSecret } = provider
  test = await authServer({ google: { issuer, clientId, clientSecret } })
  test.services.config.publicUrl = test.url
})
afterAll(async () => {
  await test.cleanup()
  await provider.stop()
})

/** The code with which a person returns from the provider, and a function that exchanges it. */
async function codeOf(person: number) {
  const parameters = `provider=google&code_challenge=${challenge}&code_challenge_method=s256`
  const started = await test.ask('GET', `/auth/v1/authorize?${parameters}`)
  const body = new URLSearchParams(new URL(started.headers.get('location') ?? '').search)
  body.set('person', provider.people[person]?.sub ?? '')
  const chosen = await fetch(`${provider.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
  const ended = await fetch(chosen.headers.get('location') ?? '', { redirect: 'manual', headers: { cookie } })
  const auth_code = new URL(ended.headers.get('location') ?? '').searchParams.get('code')
  const payload = { auth_code, code_verifier: verifier }
  return { exchange: () => test.call('POST', '/auth/v1/token?grant_type=pkce', { payload }) }
}

describe('a code that is exchanged', () => {
  it('stores the provider’s tokens sealed until the code is exchanged, and a refresh no longer returns them', async () => {
    const { exchange } = await codeOf(0)
    const { rows } = await queryAccounts(test.services.db, 'select json_agg(f)::text as everything from flow_state f')
    const exchanged = (await exchange()).json()
    expect(exchanged.provider_token).toEqual(expect.any(String))
    expect(rows[0].everything).not.toContain(exchanged.provider_token)
    expect(exchanged).not.toHaveProperty('provider_refresh_token')
    const payload = { refresh_token: exchanged.refresh_token }
    const renewed = await test.call('POST', '/auth/v1/token?grant_type=refresh_token', { payload })
    expect(renewed.json()).not.toHaveProperty('provider_token')
    const left = await queryAccounts(
      test.services.db,
      'select from flow_state where sealed_provider_tokens is not null',
    )
    expect(left.rows).toEqual([])
  })

  it('refuses the code of an account that was banned in the meantime, with an error and no session', async () => {
    await (await codeOf(1)).exchange()
    const { exchange } = await codeOf(1)
    const { db } = test.services
    const mine = `(select id from account where email = 'bo@example.com')`
    const signIns = async () => (await queryAccounts(db, `select from session where account_id = ${mine}`)).rows.length
    const before = await signIns()
    await queryAccounts(db, `update account set banned_until = 'infinity' where id = ${mine}`)
    const refused = await exchange()
    expect([refused.statusCode, refused.json().error_code]).toEqual([400, 'user_banned'])
    expect(await signIns()).toBe(before)
    expect((await exchange()).json().error_code).toBe('flow_state_not_found')
  })

  it('is refused after five minutes', async () => {
    proves('10.4.3')
    const { exchange } = await codeOf(0)
    test.time.passMs = 301_000
    const late = await exchange()
    test.time.passMs = 0
    expect([late.statusCode, late.json().error_code]).toEqual([422, 'flow_state_expired'])
  })
})
