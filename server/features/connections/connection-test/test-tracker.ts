import type { Tracker } from '@groundswell/connectors/tracker.ts'
import type { Services } from '../../../platform/services.ts'
import { refusalOf } from '../refusal.ts'
import { openSecrets, readable } from '../sealing/secrets.ts'
import { callProvider } from '../sign-in/fresh-context.ts'
import type { Connection } from '../store.ts'
import { storeTestOutcome } from './test-outcome.ts'

/** Verifies a tracker's sign-in and permissions and returns what was verified, as text. A failure is shown on the screen and on the tile. */
export async function testTracker(
  services: Services,
  tracker: Tracker,
  connection: Connection,
  signal: AbortSignal,
): Promise<string> {
  readable(() => openSecrets(services, connection))
  try {
    const message = await callProvider(services, connection, (context) => tracker.verify(context), signal)
    await storeTestOutcome(services, connection, { ok: true, status: null, message })
    return message
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    await storeTestOutcome(services, connection, { ok: false, status: null, message: refusal.message })
    throw refusal
  }
}
