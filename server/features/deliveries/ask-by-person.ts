import { connectorById } from '@groundswell/connectors/index.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type Connection, lackOfChoices, liveConnections } from '../connections/index.ts'
import { readInsight } from '../insights/index.ts'
import { nextPush } from './next-push.ts'
import { sendDue } from './send-job.ts'
import { addAsked, type DeliveryRow, lockDeliveriesOf, makeDue, readDelivery, UPDATE_HOURS } from './store.ts'
import { addItem, isItemGone } from './trackers/remote-item-store.ts'

/**
 * Pushes one insight because a person asked: to every connected destination, or to the named ones. The first time it is
 * the created event; later it is an update, at most one an hour. What waits or is held is sent now. Returns the deliveries' ids.
 */
export async function askPush(
  services: Services,
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  names: readonly string[] | undefined,
): Promise<string[]> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  const chosen = choose(await liveConnections(tx, workspaceId, 'destination'), names)
  const ids: string[] = []
  let refusal: ContractError | undefined
  for (const connection of chosen) {
    const asked = await askOne(services, tx, workspaceId, connection, issueNumber)
    if (typeof asked === 'string') ids.push(asked)
    else refusal = asked
  }
  if (ids.length === 0 && refusal) throw refusal
  return ids
}

/** Sends one delivery again, with the same event id and the same bytes. */
export async function askReplay(services: Services, tx: Tx, workspaceId: string, id: string): Promise<DeliveryRow> {
  const delivery = await readDelivery(tx, workspaceId, id, { lock: true })
  if (!delivery) throw new ContractError('not_found', 'There is no such delivery')
  if (!delivery.open)
    throw new ContractError('conflict', 'Its destination is paused, signed out or no longer connected')
  if (isBeingSent(delivery, services.now())) throw new ContractError('conflict', 'It is being sent right now')
  await allowNewItem(tx, workspaceId, delivery.connectionId, delivery.issueNumber, services.now())
  await sendNow(services, tx, workspaceId, delivery)
  return (await readDelivery(tx, workspaceId, id)) ?? delivery
}

function choose(live: readonly Connection[], names: readonly string[] | undefined): Connection[] {
  if (live.length === 0) throw new ContractError('not_configured', 'No destination is connected')
  if (!names || names.length === 0) return [...live]
  const chosen = live.filter(({ id, connector }) => names.includes(id) || names.includes(connector))
  const unknown = names.find((name) => !live.some(({ id, connector }) => id === name || connector === name))
  if (unknown !== undefined) throw new ContractError('not_configured', 'One of these destinations is not connected')
  return chosen
}

async function askOne(
  services: Services,
  tx: Tx,
  workspaceId: string,
  connection: Connection,
  issueNumber: number,
): Promise<string | ContractError> {
  const connector = connectorById(connection.connector)
  if (connector && !connection.ready) return new ContractError('conflict', lackOfChoices(connector))
  if (connection.signedOut)
    return new ContractError('conflict', 'The sign-in to the destination was lost: connect it again')
  if (connection.paused) return new ContractError('conflict', 'The destination is paused: resume it first')
  const now = services.now()
  const before = await lockDeliveriesOf(tx, workspaceId, connection.id, issueNumber)
  const renewed = await allowNewItem(tx, workspaceId, connection.id, issueNumber, now)
  const next = nextPush(before)
  if ('delivery' in next) {
    if (!isBeingSent(next.delivery, now)) await sendNow(services, tx, workspaceId, next.delivery)
    return next.delivery.id
  }
  const hourAgo = now.getTime() - UPDATE_HOURS * 3_600_000
  const recent = before.some(
    ({ event, frozenAt }) => event === 'insight.updated' && frozenAt && frozenAt.getTime() > hourAgo,
  )
  if (recent && !renewed) return new ContractError('conflict', 'An update was sent less than an hour ago')
  const added = await addAsked(tx, workspaceId, connection.id, issueNumber, next.event, now)
  if (!added) return new ContractError('conflict', 'It is being pushed right now')
  await sendDue(services, workspaceId, [added], tx)
  return added.id
}

/** Lets the next delivery create a new item in place of one that is gone. False: it is not gone. */
async function allowNewItem(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  issueNumber: number,
  now: Date,
): Promise<boolean> {
  if (!(await isItemGone(tx, workspaceId, connectionId, issueNumber))) return false
  await addItem(tx, workspaceId, connectionId, issueNumber, now)
  return true
}

async function sendNow(services: Services, tx: Tx, workspaceId: string, delivery: DeliveryRow): Promise<void> {
  await makeDue(tx, workspaceId, delivery.id, services.now())
  await sendDue(services, workspaceId, [{ id: delivery.id, attempts: delivery.attempts, seconds: 0 }], tx)
}

function isBeingSent({ state, leaseUntil }: DeliveryRow, now: Date): boolean {
  return state === 'sending' && leaseUntil !== null && leaseUntil > now
}
