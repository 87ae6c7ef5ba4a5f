import { connectorById } from '@groundswell/connectors/index.ts'
import { PREVIEW_ID } from '@groundswell/contract/deliveries.ts'
import { examplePayload } from '../../connections/index.ts'
import { storeDocument } from '../trackers/insight-document.ts'

/** Example data in the form in which a delivery to this connector is frozen, for a workspace without insights. */
export function exampleContent(connector: string, at: Date, site: string): string {
  const payload = examplePayload(PREVIEW_ID, at, site)
  if (!connectorById(connector)?.tracker) return JSON.stringify(payload)
  const { insight, ...data } = payload.data
  return storeDocument({
    title: insight.issue_name,
    summary: insight.summary,
    counts: { mentions: insight.mention_count, people: insight.people_count },
    tags: [],
    quotes: data.evidence.map(({ date, ...quote }) => ({ ...quote, at: new Date(date) })),
    companies: [],
    link: insight.url,
    updated: at,
  })
}
