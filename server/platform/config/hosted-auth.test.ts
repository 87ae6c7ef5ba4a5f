import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const URL = 'https://project.supabase.co'
const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`

describe('the hosted project', () => {
  it('is off unless it is set up', () => {
    expect(readConfig({}).hostedAuth).toBeUndefined()
  })

  it.each([
    ['SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_abc'],
    ['SUPABASE_ANON_KEY', jwt({ role: 'anon' })],
  ])('takes its public key from %s', (name, key) => {
    const { hostedAuth } = readConfig({ SUPABASE_URL: `${URL}/`, [name]: key })
    expect(hostedAuth).toEqual({ url: URL, key, issuer: `${URL}/auth/v1` })
  })

  it('may have another issuer than its address, as behind a domain of one’s own', () => {
    const issuer = 'https://other.supabase.co/auth/v1'
    const env = { SUPABASE_URL: URL, SUPABASE_ANON_KEY: 'sb_publishable_abc', SUPABASE_ISSUER: issuer }
    expect(readConfig(env).hostedAuth?.issuer).toBe(issuer)
  })

  it.each([
    ['a key without an address', { SUPABASE_ANON_KEY: 'sb_publishable_abc' }, 'SUPABASE_URL is missing'],
    ['an address without a key', { SUPABASE_URL: URL }, 'SUPABASE_PUBLISHABLE_KEY is missing'],
    [
      'http over a network',
      { SUPABASE_URL: 'http://project.example', SUPABASE_ANON_KEY: 'x' },
      'SUPABASE_URL must start',
    ],
    ['a secret key', { SUPABASE_URL: URL, SUPABASE_PUBLISHABLE_KEY: 'sb_secret_hunter2' }, 'holds a secret key'],
    ['a service role', { SUPABASE_URL: URL, SUPABASE_ANON_KEY: jwt({ role: 'service_role' }) }, 'holds a secret key'],
  ])('refuses %s, and repeats no key', (_, env, words) => {
    let message = ''
    try {
      readConfig(env)
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain(words)
    expect(message).not.toContain('hunter2')
  })
})
