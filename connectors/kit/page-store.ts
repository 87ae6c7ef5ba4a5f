import type { FeedbackItem, Page } from '../connector.ts'

/** What a database would hold of the pages of a source. For tests. */
export type PageStore = {
  items: Map<string, FeedbackItem>
  /** How often each item arrived. */
  times: Map<string, number>
  /** The cursor of the last page, after a round trip through JSON. */
  cursor: () => unknown
  commit: (page: Page<unknown>) => void
}

/** Stores pages as the core does: items by id, without deleted ones and those that a complete span lacks. */
export function createPageStore(): PageStore {
  const items = new Map<string, FeedbackItem>()
  const times = new Map<string, number>()
  let cursor: unknown = null
  return {
    items,
    times,
    cursor: () => cursor,
    commit(page) {
      for (const item of page.items) {
        items.set(item.externalId, item)
        times.set(item.externalId, (times.get(item.externalId) ?? 0) + 1)
      }
      for (const id of page.deleted ?? []) items.delete(id)
      const threads = new Set(page.deletedThreads)
      for (const [id, { thread }] of items) if (thread !== null && threads.has(thread)) items.delete(id)
      for (const { prefix, thread, after, before, ids } of page.complete ?? []) {
        for (const [id, item] of items) {
          const isOfSpan = thread === null ? item.thread === id : item.thread === thread && id !== thread
          const isWithin = (after === null || item.at > after) && (before === null || item.at < before)
          if (id.startsWith(prefix) && isOfSpan && isWithin && !ids.includes(id)) items.delete(id)
        }
      }
      cursor = JSON.parse(JSON.stringify(page.cursor))
    },
  }
}
