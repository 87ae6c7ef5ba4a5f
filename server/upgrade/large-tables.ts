import { locksOf } from '../platform/db/migration-locks.ts'

/**
 * The tables with rows for each message, mention, author or customer of a workspace. Reading or indexing one takes as long as there is history, so a
 * migration must not hold back others meanwhile. Insights, accounts and connections are few in comparison.
 */
export const largeTables: ReadonlySet<string> = new Set([
  'attribute_change',
  'context_message',
  'counted_author',
  'customer',
  'customer_change',
  'customer_due',
  'erased_message',
  'feedback_attribute',
  'feedback_customer',
  'feedback_item',
  'feedback_search',
  'forgotten_item',
  'import_chunk',
  'import_row',
  'insight_attribute',
  'insight_customer',
  'insight_day',
  'insight_person',
  'insight_source_day',
  'item_version',
  'kind_change',
  'late_vector',
  'member_suggestion',
  'mention_change',
  'mention_move',
  'model_answer',
  'model_join',
  'provider_event',
  'replaced_text',
  'report_day',
  'report_day_due',
  'statement',
  'statement_vector',
])

/**
 * How a migration would hold up others for as long as there is history: which of these tables it locks against writing or reading, while it reads, changes
 * or indexes which. In words; empty when it is fit to run beside processes that work. `before`: the text of all earlier migrations.
 */
export function lastingLocksOf(sql: string, before: string): string[] {
  return locksOf(sql, before).flatMap(({ table, mode, during }) => {
    const large = largeTables.has(table) ? during.filter((one) => largeTables.has(one)) : []
    return large.length > 0 ? [`${mode} lock of ${table} while it works on ${large.join(', ')}`] : []
  })
}
