import { expect, test } from 'vitest'
import { readReturn, refusalWords, tileOfState } from './oauth-code.ts'
import { slackConsentUrl } from './slack.ts'
import type { ConnectorEntry } from './tiles.ts'

const acme = { manifest: { id: 'acme', label: 'Acme' }, connection: null } as ConnectorEntry
const unread = () => Promise.reject(new Error('the catalogue must not be read'))

test('the consent page gets the read scopes and the return address', () => {
  const address = new URL(slackConsentUrl('123.456', 'https://feedback.example.com'))
  expect(address.origin + address.pathname).toBe('https://slack.com/oauth/v2/authorize')
  expect(address.searchParams.get('redirect_uri')).toBe('https://feedback.example.com/integrations')
  expect(address.searchParams.get('scope')).toBe('channels:read,channels:history,groups:history,users:read')
})

test('a state names a tile of the specification or of the catalogue', async () => {
  expect(await tileOfState('linear.abc', unread)).toEqual({ id: 'linear', name: 'Linear' })
  expect(await tileOfState('acme.abc', async () => [acme])).toEqual({ id: 'acme', name: 'Acme' })
})

test('no state, or the state of another server, is for the chat tool', async () => {
  expect(await tileOfState(null, unread)).toEqual({ id: 'slack', name: 'Slack' })
  expect(await tileOfState('0af3', unread)).toMatchObject({ id: 'slack' })
  expect(await tileOfState('eyJhbGciOi.J9', async () => [acme])).toMatchObject({ id: 'slack' })
})

test('while the catalogue cannot be loaded the state alone decides', async () => {
  expect(await tileOfState('acme.abc', async () => null)).toEqual({ id: 'acme', name: 'acme' })
})

test('an address is a return from a provider with a code, an error, or something else beside a state', () => {
  const read = (query: string) => readReturn(new URLSearchParams(query))
  expect(read('code=c&state=acme.1')).toEqual({ code: 'c', state: 'acme.1', query: { code: 'c', state: 'acme.1' } })
  expect(read('state=acme.1&installation_id=7')).toMatchObject({ code: null, query: { installation_id: '7' } })
  expect(read('error=access_denied')).toMatchObject({ code: null, state: null })
  expect(read('')).toBeNull()
  expect(read('state=acme.1')).toBeNull()
  expect(read('tab=sources')).toBeNull()
})

test('a refusal is shown in the words of the provider, if there are any', () => {
  expect(refusalWords({ error: 'access_denied' })).toBe('Access was denied on the consent page.')
  expect(refusalWords({ error: 'invalid_scope', error_description: 'No such scope' })).toBe('No such scope')
  expect(refusalWords({ error: 'server_error' })).toContain('server_error')
  expect(refusalWords({})).toBeUndefined()
})
