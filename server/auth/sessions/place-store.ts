import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** Where a session was used. `network`: an IPv4 address or a /64 of IPv6; `device`: a description such as "Firefox on Linux". */
export type Place = {
  sessionId: string
  network: string
  device: string
  /** The session had not been used from this network, or this device, before. */
  newAddress: boolean
  newDevice: boolean
  /** The owner was notified by mail. */
  ownerNotified: boolean
  firstUsedAt: Date
}

/** The places of those sessions of an account that were used from more than one. */
export async function placesOfAccount(tx: AccountTx, accountId: string): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select p.session_id as "sessionId", p.network, p.device, p.new_address as "newAddress", p.new_device as "newDevice",
      p.told as "ownerNotified", p.first_used_at as "firstUsedAt"
    from session_place p join session s on s.id = p.session_id where s.account_id = ${accountId}`.execute(tx)
  return rows
}

/** Stores a place, unless it is known. */
export async function insertPlace(tx: AccountTx, place: Place): Promise<void> {
  await sql`
    insert into session_place (session_id, network, device, new_address, new_device, told, first_used_at)
    values (${place.sessionId}, ${place.network}, ${place.device}, ${place.newAddress}, ${place.newDevice},
      ${place.ownerNotified}, ${place.firstUsedAt})
    on conflict do nothing`.execute(tx)
}
