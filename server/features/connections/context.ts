import type { Context, Http } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { createCache } from '@groundswell/connectors/kit/cache.ts'
import { createHttp } from '@groundswell/connectors/kit/http.ts'
import { limited } from '@groundswell/connectors/kit/limiter.ts'
import { defineCache } from '../../platform/caches.ts'
import type { Services } from '../../platform/services.ts'
import { openSecrets, secretsForConnector } from './sealing/secrets.ts'
import type { Connection } from './store.ts'

type Side = 'source' | 'destination'

/** Maximum size of a reply. The ledger stores only the first 2 KiB of a destination's reply; a source's reply is its data. */
const MAX_REPLY_BYTES: Record<Side, number> = { destination: 1024 * 1024, source: 16 * 1024 * 1024 }

/** By connector. */
const clients = defineCache('HTTP clients of connectors', () => new Map<string, Http>())
const connectorState = defineCache('state of connectors', createCache)

/**
 * What a connector is given to work with: its settings, its opened secrets, guarded HTTP, a log that knows the connection,
 * and a signal that stops it. Throws an error of kind `auth` when the secrets cannot be opened with the key in use.
 */
export function connectionContext(services: Services, connection: Connection, signal?: AbortSignal): Context {
  return {
    ...providerContext(services, connection.connector, {
      settings: connection.settings,
      secrets: secretsForConnector(openSecrets(services, connection), services.now()),
    }),
    http: httpOf(services, connection),
    log: services.log.child({ connector: connection.connector, connection: connection.id }),
    ...(signal ? { signal } : {}),
  }
}

/** The same without a connection: to sign in, or to check a form. */
export function providerContext(
  services: Services,
  connectorId: string,
  given: Pick<Context, 'settings' | 'secrets'>,
): Context {
  return {
    ...given,
    http: httpFor(services, connectorId),
    log: services.log.child({ connector: connectorId }),
    signal: new AbortController().signal,
    now: services.now,
    cache: services.caches.of(connectorState),
    baseUrl: services.config.baseUrls[connectorId] ?? null,
  }
}

/** Connections whose limits are kept in memory; beyond that the oldest entry is dropped. */
const MAX_LIMITED = 1_000

/** By connection. */
const limiters = defineCache('rate limits of connections', () => new Map<string, Http>())

/** The client of one connection. A source's jobs share its limits; a destination's pace is set by its deliveries. */
function httpOf(services: Services, connection: Connection): Http {
  const http = httpFor(services, connection.connector)
  if (connectorById(connection.connector)?.manifest.side !== 'source') return http
  const made = services.caches.of(limiters)
  const known = made.get(connection.id)
  if (known) return known
  const own = limited(http, () => services.now().getTime())
  made.set(connection.id, own)
  const [oldest] = made.keys()
  if (made.size > MAX_LIMITED && oldest !== undefined) made.delete(oldest)
  return own
}

/** One client per connector and process: its guard is made from the settings once. Each request opens its own TCP connection. */
function httpFor({ config, caches }: Services, connectorId: string): Http {
  const made = caches.of(clients)
  const known = made.get(connectorId)
  if (known) return known
  const side = connectorById(connectorId)?.manifest.side ?? 'destination'
  const base = URL.parse(config.baseUrls[connectorId] ?? '')?.hostname
  const allow = [...config.allowPrivateAddresses, ...(base ? [base] : [])]
  const client = createHttp({ guard: { allow }, maxBytes: MAX_REPLY_BYTES[side] })
  made.set(connectorId, client)
  return client
}
