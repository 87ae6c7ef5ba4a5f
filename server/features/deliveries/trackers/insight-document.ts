import { connectorById } from '@groundswell/connectors/index.ts'
import type { InsightDocument } from '@groundswell/connectors/kit/documents/insight-document.ts'
import { z } from 'zod'
import type { EvidenceRow, InsightRow, NamedCustomer, TagRow } from '../../insights/index.ts'
import { insightAddress } from '../payload.ts'

/** A document as it is stored with its delivery. The marker belongs to the remote item and is added when it is sent. */
const StoredDocument = z.object({
  title: z.string(),
  summary: z.string(),
  counts: z.object({ mentions: z.number(), people: z.number() }),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
  quotes: z.array(
    z.object({
      text: z.string(),
      author: z.string().nullable(),
      at: z.coerce.date(),
      source: z.string(),
      link: z.string().nullable(),
    }),
  ),
  /** Absent in deliveries of earlier versions. */
  companies: z.array(z.string()).default([]),
  customers: z
    .object({
      total: z.number(),
      largest: z.array(z.object({ name: z.string(), plan: z.string().nullable() })),
    })
    .optional(),
  link: z.string().nullable(),
  updated: z.coerce.date(),
})

const WITHDRAWN = 'The messages behind this insight were deleted.'

/** The text from which every attempt makes its document, so that all of them send the same. Of a withdrawn insight nothing is quoted. */
export function freezeDocument(given: {
  insight: InsightRow
  evidence: readonly EvidenceRow[]
  tags: readonly TagRow[]
  companies: readonly string[]
  customers: readonly NamedCustomer[]
  /** The address of the web app, without a trailing slash. */
  site: string
  at: Date
}): string {
  const { insight, evidence, tags, companies, customers, site, at } = given
  const quoted = insight.withdrawn ? [] : evidence
  const document: Omit<InsightDocument, 'marker'> = {
    title: insight.issue_name,
    summary: insight.withdrawn ? WITHDRAWN : insight.summary,
    counts: { mentions: insight.mention_count, people: insight.people_count },
    tags: tags.flatMap(({ tag, value }) => (value === null ? [] : [{ name: tag, value: String(value) }])),
    quotes: quoted.map(({ text, author, saidAt, source, link }) => ({
      text,
      author,
      at: saidAt,
      source: connectorById(source)?.manifest.label ?? source,
      link,
    })),
    companies: insight.withdrawn ? [] : companies,
    ...(insight.withdrawn || insight.customer_count === 0
      ? {}
      : { customers: { total: insight.customer_count, largest: customers.map(({ name, plan }) => ({ name, plan })) } }),
    link: insightAddress(site, insight.issue_number),
    updated: at,
  }
  return storeDocument(document)
}

/** The text of a document as it is stored with its delivery. */
export const storeDocument = (document: Omit<InsightDocument, 'marker'>): string => JSON.stringify(document)

/** The document of a delivery, for the item with this marker. */
export function readDocument(frozen: string, marker: string): InsightDocument {
  return { ...StoredDocument.parse(JSON.parse(frozen)), marker }
}
