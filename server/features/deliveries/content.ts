import { connectorById } from '@groundswell/connectors/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { siteAddress } from '../connections/index.ts'
import {
  type InsightRow,
  readCompanies,
  readInsight,
  readLargestCustomers,
  readNewestEvidence,
  readTags,
} from '../insights/index.ts'
import { buildPayload, PAYLOAD_CUSTOMERS, PAYLOAD_MENTIONS } from './payload.ts'
import type { DeliveryRow } from './store.ts'
import { freezeDocument } from './trackers/insight-document.ts'

/** `payload` is the text from which every attempt makes its requests; `at` is when it was built. */
export type Content = { payload: string; insight: InsightRow; at: Date }

/**
 * What a delivery tells about its insight, as it is now. `before`: all deliveries of the insight to the same destination. Null where the
 * insight is no longer shown, except when its messages were deleted after the destination got them: then it is reported as withdrawn.
 */
export async function buildContent(
  tx: Tx,
  services: Services,
  workspaceId: string,
  delivery: Pick<DeliveryRow, 'connector' | 'issueNumber' | 'event' | 'eventId'>,
  before: readonly DeliveryRow[],
): Promise<Content | null> {
  const { connector, issueNumber, event, eventId } = delivery
  const insight = await readInsight(tx, workspaceId, issueNumber)
  const reportedLost = before.reduce((most, { lost }) => Math.max(most, lost), 0)
  const withdrawn =
    insight?.withdrawn && insight.lost > reportedLost && before.some(({ deliveredAt }) => deliveredAt !== null)
  if (!insight || !(insight.shown || withdrawn)) return null
  const carried = before.reduce((most, { heard }) => Math.max(most, heard ?? 0), 0)
  const evidence = await readNewestEvidence(tx, workspaceId, [issueNumber], PAYLOAD_MENTIONS)
  const at = services.now()
  const tags = await readTags(tx, workspaceId, [issueNumber])
  const customers = await readLargestCustomers(tx, workspaceId, issueNumber, PAYLOAD_CUSTOMERS)
  const current = { insight, evidence, tags, customers, at, site: siteAddress(services.config) }
  const newMentions = event === 'insight.created' ? insight.mention_count : Math.max(0, insight.heard - carried)
  const payload = connectorById(connector)?.tracker
    ? freezeDocument({ ...current, companies: await readCompanies(tx, workspaceId, issueNumber) })
    : JSON.stringify(buildPayload({ ...current, type: event, eventId, newMentions }))
  return { payload, insight, at }
}
