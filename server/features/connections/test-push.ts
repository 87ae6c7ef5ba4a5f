import { randomUUID } from 'node:crypto'
import type { Connector, PushOutcome } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { connectionContext } from './context.ts'
import { examplePayload } from './example-payload.ts'
import { refusalOf } from './refusal.ts'
import { type Connection, noteConnectionError } from './store.ts'

/**
 * Sends example data through the real connector, once, and returns what the other side answered. A failure is told in
 * words, on the screen and on the tile: `provider_refused` for a no, `provider_unavailable` for no answer.
 */
export async function pushExample(
  services: Services,
  connector: Connector,
  connection: Connection,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const { push, manifest } = connector
  if (!push) throw new ContractError('not_configured', `${manifest.label} takes no example data`)
  const note = (message: string | null) =>
    inWorkspace(services.db, connection.workspaceId, (tx) =>
      noteConnectionError(tx, connection.workspaceId, connection.id, message),
    )
  const deliveryId = randomUUID()
  const payload = examplePayload(deliveryId, services.now(), services.config.publicUrl)
  let outcome: PushOutcome
  try {
    outcome = await push(connectionContext(services, connection, signal), { deliveryId, payload })
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    await note(refusal.message)
    throw refusal
  }
  if (!connection.paused) await note(null)
  return outcome
}
