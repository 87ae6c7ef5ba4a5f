import { randomUUID } from 'node:crypto'
import type { Connector, PushOutcome } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Services } from '../../../platform/services.ts'
import { siteAddress } from '../addresses.ts'
import { refusalOf } from '../refusal.ts'
import { callProvider } from '../sign-in/fresh-context.ts'
import type { Connection } from '../store.ts'
import { examplePayload } from './example-payload.ts'
import { storeTestOutcome } from './test-outcome.ts'

/**
 * Sends example data through the real connector, once, and returns the endpoint's reply. The tile shows the
 * outcome. A failure is thrown: `provider_refused` for a refusal, `provider_unavailable` for no reply.
 */
export async function pushExample(
  services: Services,
  connector: Connector,
  connection: Connection,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const { push, manifest } = connector
  if (!push) throw new ContractError('not_configured', `${manifest.label} takes no example data`)
  const deliveryId = randomUUID()
  const payload = examplePayload(deliveryId, services.now(), siteAddress(services.config))
  let outcome: PushOutcome
  try {
    outcome = await callProvider(services, connection, (context) => push(context, { deliveryId, payload }), signal)
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    await storeTestOutcome(services, connection, { ok: false, status: statusOf(error), message: refusal.message })
    throw refusal
  }
  const message = `The example data was answered with ${outcome.status}`
  await storeTestOutcome(services, connection, { ok: true, status: outcome.status, message })
  return outcome
}

function statusOf(error: unknown): number | null {
  return (error as { ledger?: { status?: number | null } }).ledger?.status ?? null
}
