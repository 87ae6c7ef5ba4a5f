import type { Context, Http } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { createHttp } from '@groundswell/connectors/kit/http.ts'
import { limited } from '@groundswell/connectors/kit/limiter.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Services } from '../../platform/services.ts'
import { openSecrets, secretsForConnector } from './secrets.ts'
import type { Connection } from './store.ts'

type Side = 'source' | 'destination'

/** Of what a destination answers the ledger keeps 2 KiB; what a source answers is what we came for. */
const ANSWER_BYTES: Record<Side, number> = { destination: 2048, source: 16 * 1024 * 1024 }

const clients = new WeakMap<Config, Map<string, Http>>()

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

/** The same where there is no connection yet: to sign in, or to judge a form. */
export function providerContext(
  services: Services,
  connectorId: string,
  given: Pick<Context, 'settings' | 'secrets'>,
): Context {
  return {
    ...given,
    http: httpFor(services.config, connectorId),
    log: services.log.child({ connector: connectorId }),
    signal: new AbortController().signal,
    now: services.now,
    baseUrl: services.config.baseUrls[connectorId] ?? null,
  }
}

/** So many connections are kept in line at once; the one that was asked for first gives way. */
const MAX_LIMITED = 1_000

const limiters = new WeakMap<Config, Map<string, Http>>()

/** The client of one connection. A source's jobs share its limits; a destination's pace is its deliveries' own. */
function httpOf({ config, now }: Services, connection: Connection): Http {
  const http = httpFor(config, connection.connector)
  if (connectorById(connection.connector)?.manifest.side !== 'source') return http
  const made = limiters.get(config) ?? new Map<string, Http>()
  limiters.set(config, made)
  const known = made.get(connection.id)
  if (known) return known
  const own = limited(http, () => now().getTime())
  made.set(connection.id, own)
  const [oldest] = made.keys()
  if (made.size > MAX_LIMITED && oldest !== undefined) made.delete(oldest)
  return own
}

/** One client a connector and process: its guard is made from the settings once. Each request has a connection of its own. */
function httpFor(config: Config, connectorId: string): Http {
  const made = clients.get(config) ?? new Map<string, Http>()
  clients.set(config, made)
  const known = made.get(connectorId)
  if (known) return known
  const side = connectorById(connectorId)?.manifest.side ?? 'destination'
  const base = URL.parse(config.baseUrls[connectorId] ?? '')?.hostname
  const allow = [...config.allowPrivateAddresses, ...(base ? [base] : [])]
  const client = createHttp({ guard: { allow }, maxBytes: ANSWER_BYTES[side] })
  made.set(connectorId, client)
  return client
}
