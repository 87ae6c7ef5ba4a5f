import type { Connector } from '@groundswell/connectors/connector.ts'
import type { Services } from '../../../platform/services.ts'
import { refusalOf } from '../refusal.ts'
import { openSecrets, readable } from '../sealing/secrets.ts'
import { callProvider } from '../sign-in/fresh-context.ts'
import type { Connection } from '../store.ts'
import { requirePart } from '../tile.ts'
import { describeConnection } from '../view.ts'
import { storeTestOutcome } from './test-outcome.ts'

/** Checks a source's sign-in and returns the name of its account. A failure is shown on the screen and on the tile. */
export async function testSource(
  services: Services,
  connector: Connector,
  connection: Connection,
  signal: AbortSignal,
): Promise<string> {
  const check = requirePart(connector, 'check', 'cannot be tested')
  readable(() => openSecrets(services, connection))
  try {
    const who = await callProvider(services, connection, check, signal)
    await storeTestOutcome(services, connection, { ok: true, status: null, message: 'It answered' })
    return describeConnection(services, { ...connection, settings: { ...connection.settings, ...who.settings } }).name
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    await storeTestOutcome(services, connection, { ok: false, status: null, message: refusal.message })
    throw refusal
  }
}
