import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Where a sign-in was used. `network`: an IPv4 address or a /64 of IPv6; `device`: in words, such as "Firefox on Linux". */
export type Place = {
  sessionId: string
  network: string
  device: string
  /** The sign-in had not been used from this network, or this device, before. */
  newAddress: boolean
  newDevice: boolean
  /** The owner was told of it by mail. */
  ownerNotified: boolean
  firstUsedAt: Date
}

/** Where those sign-ins of an account were used that changed place. */
export async function placesOfAccount(tx: Tx, accountId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select p.session_id as "sessionId", p.network, p.device, p.new_address as "newAddress", p.new_device as "newDevice",
      p.told as "ownerNotified", p.first_used_at as "firstUsedAt"
    from session_place p join session s on s.id = p.session_id where s.account_id = ${accountId}`.execute(tx)
  return rows
}

/** Keeps a place, unless it is known. */
export async function insertPlace(tx: Tx, place: Place): Promise<void> {
  await sql`
    insert into session_place (session_id, network, device, new_address, new_device, told, first_used_at)
    values (${place.sessionId}, ${place.network}, ${place.device}, ${place.newAddress}, ${place.newDevice},
      ${place.ownerNotified}, ${place.firstUsedAt})
    on conflict do nothing`.execute(tx)
}
