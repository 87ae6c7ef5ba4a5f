import type { Context } from '@groundswell/connectors/connector.ts'
import { connectorById, posterOf } from '@groundswell/connectors/index.ts'
import { isConnectorFailure } from '@groundswell/connectors/kit/errors.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { connectionContext } from '../context.ts'
import { type Connection, settingsOfAll } from '../store.ts'
import { freshConnection } from './refresh.ts'

/** A context with the connection as it is stored now, whose credentials the context has. */
type Fresh = { context: Context; connection: Connection }

/** What a connector is given for its calls, with credentials that are not about to end. Not to be called in a transaction. */
export async function freshContext(services: Services, connection: Connection, signal?: AbortSignal): Promise<Fresh> {
  const fresh = await freshConnection(services, connection, { signal })
  return { context: connectionContext(services, fresh, signal, await postersOf(services, fresh)), connection: fresh }
}

/** The settings of every second sign-in that the workspace has or had with this connector: what was posted with them is not feedback. */
async function postersOf(
  services: Services,
  { workspaceId, connector }: Connection,
): Promise<NonNullable<Context['posters']>> {
  const poster = connectorById(connector)?.poster && posterOf(connector)
  if (!poster) return []
  return inWorkspace(services.db, workspaceId, (tx) => settingsOfAll(tx, workspaceId, poster.manifest.id))
}

/**
 * Calls the provider for a connection. Where it refuses the credentials and they can be refreshed, they are, and the call is retried once.
 * `call` gets the connection too, with the credentials in use, so that a failure can be stored for these.
 */
export async function callProvider<T>(
  services: Services,
  connection: Connection,
  call: (context: Context, connection: Connection) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const fresh = await freshContext(services, connection, signal)
  try {
    return await call(fresh.context, fresh.connection)
  } catch (error) {
    const renewed = await renewedAfter(services, fresh.connection, error, signal)
    if (!renewed) throw error
    return call({ ...connectionContext(services, renewed, signal), posters: fresh.context.posters ?? [] }, renewed)
  }
}

/**
 * The connection with new credentials after a call that failed with those of `connection`; null where it did not fail because of them,
 * or where they cannot be refreshed. Throws the failure of the refresh.
 */
export async function renewedAfter(
  services: Services,
  connection: Connection,
  error: unknown,
  signal?: AbortSignal,
): Promise<Connection | null> {
  if (!isConnectorFailure(error) || error.kind !== 'auth') return null
  const renewed = await freshConnection(services, connection, { signal, force: true })
  return renewed === connection ? null : renewed
}
