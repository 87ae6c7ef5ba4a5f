import { randomUUID } from 'node:crypto'
import { isRefusedAddress } from '@groundswell/connectors/kit/http/address-check.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import {
  createReceiver,
  deleteReceiver,
  listReceiverDeliveries,
  listReceivers,
  MAX_RECEIVERS,
  type Receiver,
  type ReceiverDelivery,
  resendReceiverDelivery,
  rotateReceiverSecret,
  testReceiver,
  updateReceiver,
} from '@groundswell/contract/receivers.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import { privateAddressRefused } from '../../platform/http/private-address.ts'
import type { Services } from '../../platform/services.ts'
import {
  addTest,
  askDelivery,
  askWaiting,
  type DeliveryRow,
  isTestOpen,
  readDeliveries,
  readDelivery,
} from './delivery-store.ts'
import { requestTurn } from './jobs.ts'
import { newSecrets, openReceiver, type ReceiverSecrets, rotated, sealReceiver } from './secrets.ts'
import {
  addReceiver,
  countReceivers,
  type ReceiverRow,
  readReceiver,
  readReceivers,
  removeReceiver,
  setDisabled,
  writeReceiver,
} from './store.ts'

const DELIVERIES_SHOWN = 20
const LOST = 'The secret of this receiver can no longer be decrypted: delete it and add it again'

/** The calls on event receivers. */
export function receiverRoutes(services: Services): Handler[] {
  return [
    handle(listReceivers, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => ({
        receivers: (await readReceivers(tx, workspaceId)).map((row) => viewReceiver(services, row)),
      })),
    ),

    handle(createReceiver, async ({ caller, body: { url, ...fields } }) => {
      const { workspaceId } = caller
      await refuseAddress(services, caller, url)
      return inWorkspace(services.db, workspaceId, async (tx) => {
        if ((await countReceivers(tx, workspaceId)) >= MAX_RECEIVERS) {
          throw new ContractError('conflict', `A workspace has at most ${MAX_RECEIVERS} receivers`)
        }
        const id = randomUUID()
        const secrets = newSecrets(url)
        await addReceiver(tx, workspaceId, {
          ...fields,
          id,
          sealed: sealReceiver(services, id, secrets),
          at: services.now(),
        })
        return { receiver: await viewed(services, tx, workspaceId, id), secret: secrets.secret }
      })
    }),

    handle(updateReceiver, async ({ caller, params: { id }, body: { url, enabled, ...fields } }) => {
      const { workspaceId } = caller
      if (url !== undefined) await refuseAddress(services, caller, url)
      return inWorkspace(services.db, workspaceId, async (tx) => {
        const receiver = await found(tx, workspaceId, id, { lock: true })
        const sealed =
          url === undefined ? {} : { sealed: sealReceiver(services, id, { ...opened(services, receiver), url }) }
        await writeReceiver(tx, workspaceId, id, { ...fields, ...sealed })
        if (enabled !== undefined && enabled !== (receiver.disabledBecause === null)) {
          await setDisabled(tx, workspaceId, id, enabled ? null : 'person', services.now())
          if (enabled) await askWaiting(tx, workspaceId, id, services.now())
          if (enabled) await requestTurn(services, workspaceId, id, { tx })
        }
        return { receiver: await viewed(services, tx, workspaceId, id) }
      })
    }),

    handle(deleteReceiver, ({ caller: { workspaceId }, params: { id } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        if (!(await removeReceiver(tx, workspaceId, id))) throw missing()
        return { id }
      }),
    ),

    handle(rotateReceiverSecret, ({ caller: { workspaceId }, params: { id } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const secrets = rotated(opened(services, await found(tx, workspaceId, id, { lock: true })), services.now())
        await writeReceiver(tx, workspaceId, id, { sealed: sealReceiver(services, id, secrets) })
        return { receiver: await viewed(services, tx, workspaceId, id), secret: secrets.secret }
      }),
    ),

    handle(testReceiver, ({ caller: { workspaceId }, params: { id } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        refuseDisabled(await found(tx, workspaceId, id, { lock: true }))
        if (await isTestOpen(tx, workspaceId, id)) {
          throw new ContractError('conflict', 'A test event is still on its way to this receiver')
        }
        const delivery = await addTest(tx, workspaceId, id, services.now())
        await requestTurn(services, workspaceId, id, { tx })
        return { delivery: await viewedDelivery(services, tx, workspaceId, { receiver: id, id: delivery }) }
      }),
    ),

    handle(listReceiverDeliveries, ({ caller: { workspaceId }, params: { id } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const receiver = await viewed(services, tx, workspaceId, id)
        const rows = await readDeliveries(tx, workspaceId, id, DELIVERIES_SHOWN)
        return { receiver, deliveries: rows.map((row) => viewDelivery(row, services.now())) }
      }),
    ),

    handle(resendReceiverDelivery, ({ caller: { workspaceId }, params: { id, delivery_id } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        refuseDisabled(await found(tx, workspaceId, id, { lock: true }))
        await viewedDelivery(services, tx, workspaceId, { receiver: id, id: delivery_id })
        await askDelivery(tx, workspaceId, delivery_id, services.now())
        await requestTurn(services, workspaceId, id, { tx })
        return { delivery: await viewedDelivery(services, tx, workspaceId, { receiver: id, id: delivery_id }) }
      }),
    ),
  ]
}

async function refuseAddress({ config }: Services, caller: Caller, url: string): Promise<void> {
  if (await isRefusedAddress(url, config.allowPrivateAddresses)) throw privateAddressRefused(caller, 'url', url)
}

function refuseDisabled({ disabledBecause }: ReceiverRow): void {
  if (disabledBecause !== null) throw new ContractError('conflict', 'This receiver is disabled: enable it first')
}

function missing(): ContractError {
  return new ContractError('not_found', 'There is no such receiver')
}

async function found(...[tx, workspaceId, id, options]: Parameters<typeof readReceiver>): Promise<ReceiverRow> {
  const receiver = await readReceiver(tx, workspaceId, id, options)
  if (!receiver) throw missing()
  return receiver
}

function opened(services: Services, receiver: ReceiverRow): ReceiverSecrets {
  const secrets = openReceiver(services, receiver)
  if (!secrets) throw new ContractError('conflict', LOST)
  return secrets
}

async function viewed(services: Services, tx: Tx, workspaceId: string, id: string): Promise<Receiver> {
  return viewReceiver(services, await found(tx, workspaceId, id))
}

function viewReceiver(services: Services, row: ReceiverRow): Receiver {
  const secrets = openReceiver(services, row)
  const until = secrets?.old?.until ?? null
  return {
    id: row.id,
    url: secrets?.url ?? null,
    description: row.description,
    events: row.events,
    disabled: row.disabledBecause && {
      reason: row.disabledBecause,
      at: (row.disabledAt ?? row.createdAt).toISOString(),
    },
    failing_since: row.failingSince?.toISOString() ?? null,
    old_secret_until: until !== null && Date.parse(until) > services.now().getTime() ? until : null,
    created_at: row.createdAt.toISOString(),
  }
}

async function viewedDelivery(
  services: Services,
  tx: Tx,
  workspaceId: string,
  { receiver, id }: { receiver: string; id: string },
): Promise<ReceiverDelivery> {
  const row = await readDelivery(tx, workspaceId, receiver, id)
  if (!row) throw new ContractError('not_found', 'There is no such delivery')
  return viewDelivery(row, services.now())
}

/** A delivery whose worker is gone waits to be sent again. */
function viewDelivery(row: DeliveryRow, now: Date): ReceiverDelivery {
  const isLost = row.state === 'sending' && row.due_at !== null && row.due_at <= now
  return {
    ...row,
    state: isLost ? 'waiting' : row.state,
    happened_at: row.happened_at.toISOString(),
    due_at: row.due_at?.toISOString() ?? null,
    attempted_at: row.attempted_at?.toISOString() ?? null,
  }
}
