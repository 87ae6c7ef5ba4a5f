import type { UserData } from '@groundswell/contract/accounts.ts'
import { tiles } from '@groundswell/contract/tiles.ts'
import { expect, test } from 'vitest'
import { tileOfState } from './oauth-code.ts'
import { slackConsentAddress } from './slack.ts'
import { type ConnectorEntry, tileState } from './tile-state.ts'

const user: UserData = {
  name: 'Ada',
  email: 'ada@example.com',
  is_admin: false,
  settings: { method: 'auto', min_inputs: 3, categories: [] },
}

const entry = (
  over: Partial<ConnectorEntry['manifest']>,
  connection: ConnectorEntry['connection'],
): ConnectorEntry => ({
  manifest: {
    id: 'webhook',
    label: 'Webhook',
    side: 'destination',
    info: 'To a URL of yours',
    coming_soon: false,
    tile: true,
    form_title: 'Enter Webhook URL',
    fields: [],
    signs: true,
    ...over,
  },
  connection,
})

test('user data alone connects slack, azure and the webhook', () => {
  const connected: UserData = {
    ...user,
    slack_data: { access_token: null, team: { name: 'Acme' } },
    azure_data: { name: 'acme-org' },
    webhook_destination: { url: 'https://example.com/hook' },
  }
  const states = Object.fromEntries(tiles.map(({ tile }) => [tile, tileState(tile, connected, null)]))
  expect(states['slack']).toMatchObject({ status: 'connected', infoText: 'Acme' })
  expect(states['azure']).toMatchObject({ status: 'connected', infoText: 'acme-org', comingSoon: false })
  expect(states['webhook']).toMatchObject({ status: 'connected', infoText: 'https://example.com/hook' })
  expect(states['linear']).toMatchObject({ status: 'na', comingSoon: true })
})

test('nothing connected: only the tiles with calls in the spec can be connected', () => {
  const ready = tiles.filter(({ tile }) => !tileState(tile, user, null).comingSoon).map(({ tile }) => tile)
  expect(ready).toEqual(['slack', 'webhook'])
  expect(tileState('slack', { ...user, slack_data: { access_token: null, team: { name: '' } } }, null).status).toBe(
    'na',
  )
})

test('a webhook flag without an address still counts as connected', () => {
  expect(tileState('webhook', { ...user, destination_webhook: true }, null).status).toBe('connected')
})

test('what the server says of a connector goes before the rest', () => {
  expect(tileState('webhook', user, entry({}, null))).toMatchObject({ status: 'na', infoText: 'To a URL of yours' })
  expect(tileState('slack', user, entry({ coming_soon: true }, null)).comingSoon).toBe(true)
  const syncing = entry(
    {},
    {
      id: 'c',
      status: 'syncing',
      name: 'Acme',
      paused: true,
      push_automatically: true,
      error: 'It broke',
      progress: { read: 1, total: null },
      last_sync: null,
    },
  )
  expect(tileState('webhook', user, syncing)).toEqual({
    status: 'syncing',
    infoText: 'Acme',
    lastTest: null,
    comingSoon: false,
    error: 'It broke',
    paused: true,
    progress: { read: 1, total: null },
    incomplete: null,
    waitingUntil: null,
  })
})

test('the consent page gets the read scopes and the way back', () => {
  const address = new URL(slackConsentAddress('123.456', 'https://feedback.example.com'))
  expect(address.origin + address.pathname).toBe('https://slack.com/oauth/v2/authorize')
  expect(address.searchParams.get('redirect_uri')).toBe('https://feedback.example.com/integrations')
  expect(address.searchParams.get('scope')).toBe('channels:read,channels:history,groups:history,users:read')
})

test('a state names its tile; without one, or with one of another maker, it is the chat tool', () => {
  expect(tileOfState('linear.abc')).toMatchObject({ tile: 'linear', name: 'Linear' })
  expect(tileOfState(null).tile).toBe('slack')
  expect(tileOfState('0af3').tile).toBe('slack')
})
