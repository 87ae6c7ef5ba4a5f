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
  body: z.object({
    code: z.optional(z.string()),
    state: z.optional(z.string()),
    query: z.optional(z.record(z.string(), z.string())),
  }),
  reply: z.unknown(),
  errors: [],
})

/** The same for the second sign-in of a connector. */
export const finishPosting = { ...finish, name: 'finishPosting', path: '/api/posting/{tile}/oauth' } as const

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

/** The connector whose second sign-in a state belongs to; null: it is that of a tile. */
export function posterOfState(state: string | null): string | null {
  return /^([a-z0-9-]+)-post\./.exec(state ?? '')?.[1] ?? null
}

/** What a provider sent back in the address: a code, or other parameters in its place, such as the id of an installation. */
export type ProviderReturn = { code: string | null; state: string | null; query: Record<string, string> }

/** What the address has of a provider; null where it is not a return from one. */
export function readReturn(address: URLSearchParams): ProviderReturn | null {
  const query = Object.fromEntries(address)
  const { code = null, state = null } = query
  const others = Object.keys(query).some((name) => name !== 'code' && name !== 'state')
  return code !== null || query.error !== undefined || (state !== null && others) ? { code, state, query } : null
}

/** Why the provider refused, as text for the person; undefined where it did not say. */
export function refusalWords({ error, error_description: description }: Record<string, string>): string | undefined {
  if (description) return description.slice(0, 200)
  if (error === 'access_denied') return 'Access was denied on the consent page.'
  return error === undefined ? undefined : `The provider’s reason: ${error.slice(0, 100)}`
}

/** The code that this page is sending now, or what came in its place. */
let sending: string | null = null

/**
 * Sends what the provider sent back to the server, once in this browser tab. 'sending': it is being sent already, as when an effect runs twice;
 * 'known': it was sent before, as when the page is reloaded.
 */
export async function sendCode(
  tile: string,
  { code, state, query }: ProviderReturn,
  to: typeof finish | typeof finishPosting = finish,
): Promise<'sent' | 'sending' | 'known'> {
  const once = code ?? state ?? ''
  if (sending === once) return 'sending'
  if (sessionStorage.getItem(SENT_KEY) === once) return 'known'
  sessionStorage.setItem(SENT_KEY, once)
  sending = once
  const others = Object.keys(query).some((name) => name !== 'code' && name !== 'state')
  try {
    const body = {
      ...(code === null ? {} : { code }),
      ...(state === null ? {} : { state }),
      ...(others ? { query } : {}),
    }
    await call(to, { params: { tile }, body })
    return 'sent'
  } finally {
    sending = null
  }
}
