import type { Context, PushOutcome } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import type { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import type { Connection } from '../connections/index.ts'

/** Sends one event; the real one is the connector's. */
export type SendEvent = (
  connection: Pick<Connection, 'connector'>,
  eventId: string,
  payload: WebhookPayload,
  context: Context,
) => Promise<PushOutcome>

/** Sends with the connector of the connection. Throws where that takes no pushes. */
export const sendByConnector: SendEvent = async (connection, deliveryId, payload, context) => {
  const push = connectorById(connection.connector)?.push
  if (!push) throw new Error(`${connection.connector} takes no pushes`)
  return push(context, { deliveryId, payload })
}

/**
 * The event of a delivery, from the text that was frozen with it. An earlier version may have frozen invalid links: they are null in every
 * attempt, also when the event is sent again.
 */
export function readPayload(frozen: string): WebhookPayload {
  const payload = JSON.parse(frozen) as WebhookPayload
  const evidence = payload.data.evidence.map((mention) => ({ ...mention, link: safeLink(mention.link) }))
  return { ...payload, data: { ...payload.data, evidence } }
}
