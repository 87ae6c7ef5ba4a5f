import { route } from '@groundswell/contract/route.ts'
import * as z from 'zod/mini'
import { call } from '../client/index.ts'
import { connectorName } from './connector-names.ts'
import { SPEC_TILES, TILE_WITHOUT_STATE } from './spec-tiles.tsx'
import type { ConnectorEntry } from './tiles.ts'

const SENT_KEY = 'oauth-code-sent'

const finish = route({
  name: 'finishOAuth',
  summary: 'Finish connecting with the code that the provider sent back',
  method: 'POST',
  path: '/api/{tile}/oauth',
  access: 'member',
  params: z.object({ tile: z.string() }),
  body: z.object({ code: z.string(), state: z.optional(z.string()) }),
  reply: z.unknown(),
  errors: [],
})

type NamedTile = { id: string; name: string }

/**
 * The tile that a sign-in was for. Our server's state starts with its id and a dot; the catalogue is read for ids that the
 * specification does not name, and null where it could not be loaded. A state of another server, or none, is for the
 * specification's chat tool.
 */
export async function tileOfState(
  state: string | null,
  readEntries: () => Promise<readonly ConnectorEntry[] | null>,
): Promise<NamedTile> {
  const [id, rest] = state?.split('.') ?? []
  const named = (tile: string, entries: readonly ConnectorEntry[] = []): NamedTile => ({
    id: tile,
    name: connectorName(entries, tile),
  })
  if (id === undefined || rest === undefined) return named(TILE_WITHOUT_STATE)
  if (SPEC_TILES.some((tile) => tile.id === id)) return named(id)
  const entries = await readEntries()
  if (entries === null) return named(id)
  return entries.some(({ manifest }) => manifest.id === id) ? named(id, entries) : named(TILE_WITHOUT_STATE)
}

/** The code that this page is sending now. */
let sending: string | null = null

/**
 * Sends a code to the server, once in this browser tab. 'sending': it is being sent already, as when an effect runs twice;
 * 'known': it was sent before, as when the page is reloaded.
 */
export async function sendCode(
  tile: string,
  code: string,
  state: string | null,
): Promise<'sent' | 'sending' | 'known'> {
  if (sending === code) return 'sending'
  if (sessionStorage.getItem(SENT_KEY) === code) return 'known'
  sessionStorage.setItem(SENT_KEY, code)
  sending = code
  try {
    await call(finish, { params: { tile }, body: { code, ...(state === null ? {} : { state }) } })
    return 'sent'
  } finally {
    sending = null
  }
}
