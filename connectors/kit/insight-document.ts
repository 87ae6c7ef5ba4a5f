/**
 * What a tracker's item shows of an insight, without any provider's format. Texts are plain and not escaped. `marker` is the key of the
 * remote item, by which it is found again; `link` is the insight's page in this product.
 */
export type InsightDocument = {
  title: string
  summary: string
  counts: { mentions: number; people: number }
  tags: readonly { name: string; value: string }[]
  quotes: readonly { text: string; author: string | null; at: Date; source: string; link: string | null }[]
  link: string | null
  marker: string
  updated: Date
}
