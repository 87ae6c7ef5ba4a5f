/** What a tracker's item shows of an insight, without any provider's format. Texts are plain and not escaped. */
export type InsightDocument = {
  title: string
  summary: string
  mentions: number
  people: number
  tags: readonly { name: string; value: string }[]
  quotes: readonly { text: string; author: string | null; at: Date; source: string; link: string | null }[]
  /** The insight's page in this product. */
  link: string | null
  updatedAt: Date
}
