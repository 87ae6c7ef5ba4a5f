import type { Context, Http, Manifest } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { createCache } from '@groundswell/connectors/kit/cache.ts'
import { createHttp } from '@groundswell/connectors/kit/http/http.ts'
import { oneAtATime } from '@groundswell/connectors/kit/one-at-a-time.ts'
import { defineCache } from '../../platform/caches.ts'
import type { Services } from '../../platform/services.ts'
import { pausesOfConnection } from './pauses/pauses.ts'
import { openSecrets, secretsForConnector } from './sealing/secrets.ts'
import type { Connection } from './store.ts'
import { tracedHttp } from './traced-http.ts'

type Side = Manifest['side']

/** Maximum size of a reply. The ledger stores only the first 2 KiB of a destination's reply; a source's reply is its data. */
const MAX_REPLY_BYTES: Record<Side, number> = {
  destination: 1024 * 1024,
  source: 16 * 1024 * 1024,
  poster: 16 * 1024 * 1024,
}

/** By connector. */
const clients = defineCache('HTTP clients of connectors', () => new Map<string, Http>())
const connectorState = defineCache('state of connectors', createCache)

/**
 * What a connector is given to work with: its settings, its opened secrets, guarded HTTP, a log that knows the connection,
 * and a signal that stops it. `posters`: see `Context`. Throws an error of kind `auth` when the secrets cannot be opened with the key in use.
 */
export function connectionContext(
  services: Services,
  connection: Connection,
  signal?: AbortSignal,
  posters: Context['posters'] = [],
): Context {
  return {
    ...providerContext(services, connection.connector, {
      settings: connection.settings,
      secrets: secretsForConnector(openSecrets(services, connection), services.now()),
    }),
    http: httpOf(services, connection),
    log: services.log.child({ connector: connection.connector, connection: connection.id }),
    pauses: pausesOfConnection(services, connection),
    posters,
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
    baseUrl: services.config.baseUrls[providerOf(connectorId)] ?? null,
    hostUrls: services.config.hostUrls[providerOf(connectorId)] ?? {},
  }
}

/** Whose addresses a connector has: a second sign-in has those of its connector. */
function providerOf(connectorId: string): string {
  return connectorById(connectorId)?.postsFor ?? connectorId
}

/** Connections whose queue of requests is kept; beyond that the oldest one is dropped. */
const MAX_QUEUES = 1_000

/** By connection. */
const queues = defineCache('requests of sources', () => new Map<string, Http>())

/** The client of one connection. The jobs of a source or of posts take turns; a destination's pace is set by its deliveries. */
function httpOf(services: Services, connection: Connection): Http {
  const http = httpFor(services, connection.connector)
  if (connectorById(connection.connector)?.manifest.side === 'destination') return http
  const made = services.caches.of(queues)
  const known = made.get(connection.id)
  if (known) return known
  const own = oneAtATime(http)
  made.set(connection.id, own)
  const [oldest] = made.keys()
  if (made.size > MAX_QUEUES && oldest !== undefined) made.delete(oldest)
  return own
}

/** One client per connector and process: its guard is made from the settings once. Each request opens its own TCP connection. */
function httpFor({ config, caches }: Services, connectorId: string): Http {
  const made = caches.of(clients)
  const known = made.get(connectorId)
  if (known) return known
  const side = connectorById(connectorId)?.manifest.side ?? 'destination'
  const provider = providerOf(connectorId)
  const configured = [config.baseUrls[provider] ?? '', ...Object.values(config.hostUrls[provider] ?? {})]
  const allow = [...config.allowPrivateAddresses, ...configured.flatMap((url) => URL.parse(url)?.hostname ?? [])]
  const client = tracedHttp(connectorId, createHttp({ guard: { allow }, maxBytes: MAX_REPLY_BYTES[side] }))
  made.set(connectorId, client)
  return client
}
