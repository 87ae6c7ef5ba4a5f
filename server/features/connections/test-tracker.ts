import type { Tracker } from '@groundswell/connectors/tracker.ts'
import type { Services } from '../../platform/services.ts'
import { connectionContext } from './context.ts'
import { refusalOf } from './refusal.ts'
import { readable } from './secrets.ts'
import type { Connection } from './store.ts'
import { storeTestOutcome } from './test-outcome.ts'

/** Verifies a tracker's sign-in and permissions and returns what was verified, as text. A failure is shown on the screen and on the tile. */
export async function testTracker(
  services: Services,
  tracker: Tracker,
  connection: Connection,
  signal: AbortSignal,
): Promise<string> {
  const context = readable(() => connectionContext(services, connection, signal))
  try {
    const message = await tracker.verify(context)
    await storeTestOutcome(services, connection, { ok: true, status: null, message })
    return message
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    await storeTestOutcome(services, connection, { ok: false, status: null, message: refusal.message })
    throw refusal
  }
}
