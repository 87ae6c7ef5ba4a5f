import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { deviceName } from './device.ts'
import { placesOfAccount } from './place-store.ts'
import { liveSessions, type SessionRow } from './store.ts'

/** A live session with the device it is used from and when it was last first used from a new address or device. */
export type ListedSession = SessionRow & { device: string; newAddressAt: Date | null; newDeviceAt: Date | null }

/** The live sessions of an account, most recently used first. */
export async function listSessions(services: Services, accountId: string): Promise<ListedSession[]> {
  const { rows, places } = await withoutWorkspace(services.db.accounts, async (tx) => ({
    rows: await liveSessions(tx, accountId, services.now()),
    places: await placesOfAccount(tx, accountId),
  }))
  const movedAt = (id: string, how: 'newAddress' | 'newDevice') =>
    places
      .filter((place) => place.sessionId === id && place[how])
      .map(({ firstUsedAt }) => firstUsedAt)
      .sort((a, b) => a.getTime() - b.getTime())
      .at(-1) ?? null
  return rows.map((row) => ({
    ...row,
    device: deviceName(row.userAgent),
    newAddressAt: movedAt(row.id, 'newAddress'),
    newDeviceAt: movedAt(row.id, 'newDevice'),
  }))
}
