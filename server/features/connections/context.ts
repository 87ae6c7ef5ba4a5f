import type { Context, Http } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { createHttp } from '@groundswell/connectors/kit/http.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Services } from '../../platform/services.ts'
import { openSecrets, secretsForConnector } from './secrets.ts'
import type { Connection } from './store.ts'

type Side = 'source' | 'destination'

/** Of what a destination answers the ledger keeps 2 KiB; what a source answers is what we came for. */
const ANSWER_BYTES: Record<Side, number> = { destination: 2048, source: 16 * 1024 * 1024 }

const clients = new WeakMap<Config, Partial<Record<Side, Http>>>()

/**
 * What a connector is given to work with: its settings, its opened secrets, guarded HTTP, a log that knows the connection,
 * and a signal that stops it. Throws an error of kind `auth` when the secrets cannot be opened with the key in use.
 */
export function connectionContext(services: Services, connection: Connection, signal?: AbortSignal): Context {
  return {
    settings: connection.settings,
    secrets: secretsForConnector(openSecrets(services, connection), services.now()),
    http: httpFor(services.config, connectorById(connection.connector)?.manifest.side ?? 'destination'),
    log: services.log.child({ connector: connection.connector, connection: connection.id }),
    signal: signal ?? new AbortController().signal,
    now: services.now,
  }
}

/** One client a side and process: its guard is made from the settings once. Each request has a connection of its own. */
function httpFor(config: Config, side: Side): Http {
  const made = clients.get(config) ?? {}
  clients.set(config, made)
  made[side] ??= createHttp({ guard: { allow: config.allowPrivateAddresses }, maxBytes: ANSWER_BYTES[side] })
  return made[side]
}
