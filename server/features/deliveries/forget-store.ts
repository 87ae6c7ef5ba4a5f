import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { statementsView } from '../insights/index.ts'

/**
 * Removes the content and the answers of deliveries where the insight has one of these items or the content names this author. The ledger
 * keeps that they were sent; one that is still to be sent, or sent again, has new content.
 */
export async function forgetContents(
  tx: Tx,
  workspaceId: string,
  { author, itemIds }: { author: string; itemIds: readonly number[] },
): Promise<void> {
  await sql`
    with forgotten as (
      update delivery set payload = null
      where workspace_id = ${workspaceId} and payload is not null and (
        strpos(lower(payload), lower(trim(both '"' from to_json(${author}::text)::text))) > 0 or issue_number in (
          select said.issue_number from ${statementsView} said
          where said.workspace_id = ${workspaceId} and said.item_id = any(${[...itemIds]}::bigint[])))
      returning id
    )
    update attempt set answer = null
    where workspace_id = ${workspaceId} and delivery_id in (select id from forgotten)`.execute(tx)
}
