import type { UserData } from '@groundswell/contract/accounts.ts'
import { expect, test } from 'vitest'
import { tileState } from './tile-state.ts'
import { type ConnectorEntry, listTiles, type Tile } from './tiles.ts'

const user: UserData = {
  name: 'Ada',
  email: 'ada@example.com',
  is_admin: false,
  settings: { method: 'auto', min_inputs: 3, categories: [] },
}

const entry = (
  over: Partial<ConnectorEntry['manifest']>,
  connection: ConnectorEntry['connection'] = null,
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

const tileOf = (id: string, entries: readonly ConnectorEntry[] = []) =>
  listTiles(entries).find((tile) => tile.id === id) as Tile

test('user data alone connects slack, azure and the webhook', () => {
  const connected: UserData = {
    ...user,
    slack_data: { access_token: null, team: { name: 'Acme' } },
    azure_data: { name: 'acme-org' },
    webhook_destination: { url: 'https://example.com/hook' },
  }
  const states = Object.fromEntries(listTiles([]).map((tile) => [tile.id, tileState(tile, connected)]))
  expect(states['slack']).toMatchObject({ status: 'connected', infoText: 'Acme' })
  expect(states['azure']).toMatchObject({ status: 'connected', infoText: 'acme-org', comingSoon: false })
  expect(states['webhook']).toMatchObject({ status: 'connected', infoText: 'https://example.com/hook' })
  expect(states['linear']).toMatchObject({ status: 'na', comingSoon: true })
})

test('nothing connected: only the tiles with calls in the spec can be connected', () => {
  const ready = listTiles([]).filter((tile) => !tileState(tile, user).comingSoon)
  expect(ready.map(({ id }) => id)).toEqual(['slack', 'webhook'])
  const unnamed = { ...user, slack_data: { access_token: null, team: { name: '' } } }
  expect(tileState(tileOf('slack'), unnamed).status).toBe('na')
})

test('a webhook flag without an address still counts as connected', () => {
  expect(tileState(tileOf('webhook'), { ...user, destination_webhook: true }).status).toBe('connected')
})

test('the catalogue of the server overrides the rest', () => {
  expect(tileState(tileOf('webhook', [entry({})]), user)).toMatchObject({ status: 'na', infoText: 'To a URL of yours' })
  const soon = entry({ id: 'slack', side: 'source', coming_soon: true })
  expect(tileState(tileOf('slack', [soon]), user).comingSoon).toBe(true)
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
  expect(tileState(tileOf('webhook', [syncing]), user)).toEqual({
    status: 'syncing',
    infoText: 'Acme',
    items: null,
    lastTest: null,
    comingSoon: false,
    error: 'It broke',
    paused: true,
    progress: { read: 1, total: null },
    incomplete: null,
    read: null,
    unread: null,
    waitingUntil: null,
    needsChoices: false,
    note: null,
  })
})

test('tiles that the specification does not name follow its eleven, in the catalogue’s order, without those that have no tile', () => {
  const entries = [
    entry({ id: 'zebra', label: 'Zebra', side: 'source', info: 'Reads stripes' }),
    entry({ id: 'file', tile: false }),
    entry({ id: 'acme', label: 'Acme' }),
    entry({}),
  ]
  const tiles = listTiles(entries)
  expect(tiles.slice(0, 11).map(({ id }) => id)).toEqual(listTiles([]).map(({ id }) => id))
  expect(tiles.slice(11)).toMatchObject([
    { id: 'zebra', name: 'Zebra', side: 'source', spec: null },
    { id: 'acme', name: 'Acme', side: 'destination', spec: null },
  ])
  expect(tileState(tileOf('zebra', entries), user)).toMatchObject({
    status: 'na',
    infoText: 'Reads stripes',
    comingSoon: false,
  })
})

test('a tile says what was chosen, and that something required is missing', () => {
  const connection = {
    id: 'c',
    status: 'connected' as const,
    name: 'Acme',
    paused: false,
    push_automatically: true,
    error: null,
    progress: null,
    last_sync: null,
    ready: true,
    chosen: [
      { label: 'Project', values: ['Mobile app'], more: 0 },
      { label: 'Types', values: ['Bug', 'Idea'], more: 3 },
      { label: 'Tags', values: ['urgent'], more: 0 },
    ],
  }
  expect(tileState(tileOf('webhook', [entry({}, connection)]), user)).toMatchObject({
    infoText: 'Acme · Mobile app / Bug, Idea and 3 more',
    needsChoices: false,
    note: null,
  })
  const unready = { ...connection, ready: false, chosen: [] }
  expect(tileState(tileOf('webhook', [entry({}, unready)]), user)).toMatchObject({
    infoText: 'Acme',
    needsChoices: true,
  })
  const signedOut = { ...unready, status: 'na' as const }
  expect(tileState(tileOf('webhook', [entry({}, signedOut)]), user).needsChoices).toBe(false)
})
