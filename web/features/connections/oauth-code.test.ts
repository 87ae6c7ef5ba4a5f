import { expect, test } from 'vitest'
import { tileOfState } from './oauth-code.ts'
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
