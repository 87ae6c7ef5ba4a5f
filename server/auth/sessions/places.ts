import type { AccountTx } from '../../platform/db/tenant.ts'
import { networkOf } from '../throttle/network.ts'
import { deviceName } from './device.ts'
import { placeOf, type RequestOrigin } from './issue-session.ts'
import { insertPlace, type Place, placesOfAccount } from './place-store.ts'
import { hasSignedInFrom, type SessionRow } from './store.ts'

/** A place that a session is used from for the first time. `notifyOwner`: a mail is due. */
export type NewPlace = { device: string; newAddress: boolean; newDevice: boolean; notifyOwner: boolean }

const DAY_MS = 24 * 3_600_000

/**
 * Records where a session is used, and returns the place if it is new: a network (an IPv4 address, a /64 of IPv6) or a device
 * that this session was not used from before. People move around, so a new address alone is reported only when no session of
 * the account was used there, and at most once a day; a new device is always reported, since a browser does not turn into
 * another one.
 */
export async function notePlace(
  tx: AccountTx,
  session: SessionRow,
  request: RequestOrigin,
  at: Date,
): Promise<NewPlace | null> {
  const last = placeIn(session.address ?? '', session.userAgent)
  const here = placeIn(request.address, placeOf(request).userAgent)
  if (last.network === here.network && last.device === here.device) return null
  const places = await placesOfAccount(tx, session.accountId)
  const known = { newAddress: false, newDevice: false, ownerNotified: false, firstUsedAt: session.createdAt }
  const first: Place = { ...last, sessionId: session.id, ...known }
  const before = [first, ...places.filter(({ sessionId }) => sessionId === session.id)]
  const newAddress = !before.some(({ network }) => network === here.network)
  const newDevice = !before.some(({ device }) => device === here.device)
  const isNewToAccount =
    newAddress &&
    !places.some(({ network }) => network === here.network) &&
    !(await hasSignedInFrom(tx, session.accountId, request.address))
  const today = at.getTime() - DAY_MS
  const notifiedToday = before.some(({ ownerNotified, firstUsedAt }) => ownerNotified && firstUsedAt.getTime() > today)
  const notifyOwner = newDevice || (isNewToAccount && !notifiedToday)
  if (before.length === 1) await insertPlace(tx, first)
  await insertPlace(tx, {
    ...here,
    sessionId: session.id,
    newAddress,
    newDevice,
    ownerNotified: notifyOwner,
    firstUsedAt: at,
  })
  return newAddress || newDevice ? { device: here.device, newAddress, newDevice, notifyOwner } : null
}

function placeIn(address: string, userAgent: string | null): Pick<Place, 'network' | 'device'> {
  return { network: networkOf(address), device: deviceName(userAgent) }
}
