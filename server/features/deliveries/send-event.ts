import type { Context, PushOutcome } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import type { WebhookPayload } from '@groundswell/contract/webhook-payload.ts'
import type { Connection } from '../connections/index.ts'

/** Sends one event; the real one is the connector's. */
export type Send = (
  connection: Pick<Connection, 'connector'>,
  eventId: string,
  payload: WebhookPayload,
  context: Context,
) => Promise<PushOutcome>

export const sendByConnector: Send = async (connection, deliveryId, payload, context) => {
  const push = connectorById(connection.connector)?.push
  if (!push) throw new Error(`${connection.connector} takes no pushes`)
  return push(context, { deliveryId, payload })
}

/** The event of a delivery, from the text that was frozen with it. */
export const readPayload = (frozen: string) => JSON.parse(frozen) as WebhookPayload
