import { expect, it } from 'vitest'
import { refusalOfAddress } from './join-rule.ts'

const ours = { issuer: 'https://login.acme.example/realms/acme', domains: ['acme.example', 'acme.test'] }
const una = { email: 'una@acme.example', emailVerified: true, hostedDomain: null }

it.each([
  ['an address in one of the domains', una, null],
  ['one that the provider says nothing about', { ...una, emailVerified: null }, null],
  ['one that it has not verified', { ...una, emailVerified: false }, 'unverified'],
  ['none', { ...una, email: null }, 'outside'],
  ['one in a subdomain', { ...una, email: 'una@mail.acme.example' }, 'outside'],
  ['one in a domain with the same end', { ...una, email: 'una@notacme.example' }, 'outside'],
  ['one with two parts that look like a domain', { ...una, email: 'una@elsewhere.example@acme.example' }, 'outside'],
  ['one with spaces', { ...una, email: 'una b@acme.example' }, 'outside'],
])('%s', (_what, person, refusal) => {
  expect(refusalOfAddress(ours, person)).toBe(refusal)
})

it.each(['https://accounts.google.com', 'https://accounts.google.com/', 'https://ACCOUNTS.google.com'])(
  'at Google an address is not enough: the account has to be one of the organisation (%s)',
  (issuer) => {
    const google = { ...ours, issuer }
    expect(refusalOfAddress(google, una)).toBe('outside')
    expect(refusalOfAddress(google, { ...una, hostedDomain: 'acme.test' })).toBe('outside')
    expect(refusalOfAddress(google, { ...una, hostedDomain: 'acme.example' })).toBeNull()
  },
)

it('nobody joins where no domain is listed', () => {
  expect(refusalOfAddress({ ...ours, domains: [] }, una)).toBe('outside')
})
