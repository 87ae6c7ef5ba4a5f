import type { PeoplesWork } from '@groundswell/contract/feedback/import-undo.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { importBegan, itemsOfImport } from '../../feedback/index.ts'
import { described, shownName } from '../shown-store.ts'

const shown = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden`

/** A shown insight with messages of an import. `created`: it did not exist before the import began. */
export type ImportInsight = { issue_number: number; name: string; mentions: number; created: boolean }

/** When an import began. */
export async function readImportBegan(tx: Tx, workspaceId: string, importId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select ${importBegan(workspaceId, importId)} as at`.execute(tx)
  return rows[0]?.at ?? null
}

/** The shown insights with messages that this import added or edited, largest first. */
export async function readImportInsights(tx: Tx, workspaceId: string, importId: string): Promise<ImportInsight[]> {
  const { rows } = await sql<ImportInsight>`
    with item as materialized (select item_id from ${itemsOfImport(workspaceId, importId)} items), touched as (
      select distinct s.issue_number from item
      join statement s on s.workspace_id = ${workspaceId} and s.item_id = item.item_id and s.issue_number is not null
    )
    select insight.issue_number, ${shownName} as name, insight.mention_count as mentions,
      insight.created_at >= ${importBegan(workspaceId, importId)} as created
    from touched
    join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = touched.issue_number and ${shown}
    ${described}
    order by insight.mention_count desc, insight.issue_number`.execute(tx)
  return rows
}

/** What a shown insight loses when feedback is deleted. */
export type InsightLoss = {
  issue_number: number
  name: string
  mentions_before: number
  mentions_after: number
  disappears: boolean
}

/** The shown insights that lose messages when these items are deleted, largest loss first. */
export async function readLosses(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<InsightLoss[]> {
  const { rows } = await sql<InsightLoss>`
    with gone as materialized (select id from unnest(${[...itemIds]}::bigint[]) as given (id)),
    hit as (
      select distinct s.issue_number from gone
      join statement s on s.workspace_id = ${workspaceId} and s.item_id = gone.id and s.issue_number is not null
    ), counted as (
      select s.issue_number, count(*) as before, count(*) filter (where gone.id is null) as after,
        coalesce(min(s.item_id) filter (where gone.id is null) < max(s.item_id) filter (where gone.id is null), false)
          as recurs
      from hit
      join statement s on s.workspace_id = ${workspaceId} and s.issue_number = hit.issue_number
      left join gone on gone.id = s.item_id
      group by s.issue_number
    )
    select insight.issue_number, ${shownName} as name, counted.before as mentions_before, counted.after as mentions_after,
      not counted.recurs as disappears
    from counted
    join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = counted.issue_number and ${shown}
    ${described}
    order by counted.before - counted.after desc, insight.issue_number`.execute(tx)
  return rows
}

/**
 * What people did with what these items brought, without comments. `disappearing`: the insights that are left with less than two
 * messages, also those that are not shown.
 */
export async function readWorkOn(
  tx: Tx,
  workspaceId: string,
  itemIds: readonly number[],
): Promise<Omit<PeoplesWork, 'comments'> & { disappearing: number[] }> {
  const { rows } = await sql<Omit<PeoplesWork, 'comments'> & { disappearing: number[] }>`
    with gone as materialized (select id from unnest(${[...itemIds]}::bigint[]) as given (id)),
    hit as (
      select distinct s.issue_number from gone
      join statement s on s.workspace_id = ${workspaceId} and s.item_id = gone.id and s.issue_number is not null
    ), counted as (
      select s.issue_number, coalesce(min(s.item_id) < max(s.item_id), false) as recurs
      from hit
      join statement s on s.workspace_id = ${workspaceId} and s.issue_number = hit.issue_number
        and not exists (select from gone where gone.id = s.item_id)
      group by s.issue_number
    ), touched as (
      select insight.issue_number, insight.status <> 'created' as pushed, not coalesce(counted.recurs, false) as disappears,
        insight.person_changed_at is not null or insight.deleted_at is not null as changed
      from hit
      join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = hit.issue_number
      left join counted on counted.issue_number = hit.issue_number
    ), corrected as (
      select rule.item_id from gone join statement_rule rule on rule.workspace_id = ${workspaceId} and rule.item_id = gone.id
      union
      select kind.item_id from gone join kind_correction kind on kind.workspace_id = ${workspaceId} and kind.item_id = gone.id
    )
    select (select count(*)::int from corrected) as messages,
      count(*) filter (where disappears and changed)::int as insights,
      count(*) filter (where pushed)::int as pushed,
      coalesce(array_agg(issue_number) filter (where disappears), '{}') as disappearing
    from touched`.execute(tx)
  return rows[0] ?? { messages: 0, insights: 0, pushed: 0, disappearing: [] }
}
