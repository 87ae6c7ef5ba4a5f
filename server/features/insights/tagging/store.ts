import type { Category } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { tagsInSettings } from '../../settings/index.ts'
import { raiseRevision } from '../revision.ts'

/** A tag of an insight; `value` null: none. */
export type TagRow = {
  issueNumber: number
  tag: string
  setBy: 'engine' | 'person'
  kind: Category['cat_type']
  value: string | number | null
  colour: string | null
}

/**
 * The tags of these insights that exist in the settings, in the settings' order. A person's value replaces the engine's, even if it
 * is null.
 */
export async function readTags(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<TagRow[]> {
  const { rows } = await sql<TagRow>`
    select "issueNumber", tag, "setBy", kind, value, colour from (
      select distinct on (t.issue_number, t.tag) t.issue_number as "issueNumber", t.tag, t.set_by as "setBy", t.kind,
        t.value, t.colour, wanted.position
      from ${tagsInSettings(workspaceId)} wanted
      join insight_tag t on t.workspace_id = ${workspaceId} and t.tag = wanted.name
        and t.issue_number = any(${[...numbers]}::int[])
      order by t.issue_number, t.tag, t.set_by desc, wanted.position
    ) one
    order by "issueNumber", position`.execute(tx)
  return rows
}

/** Stores a person's value of a tag, replacing their earlier one. The engine's value is kept separately. */
export async function writePersonTag(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { tag, kind, value, colour }: Pick<TagRow, 'tag' | 'kind' | 'value' | 'colour'>,
): Promise<void> {
  await sql`
    insert into insight_tag (workspace_id, issue_number, tag, set_by, kind, value, colour)
    values (${workspaceId}, ${issueNumber}, ${tag}, 'person', ${kind}, ${JSON.stringify(value)}::jsonb, ${colour})
    on conflict (workspace_id, issue_number, tag, set_by) do update
    set kind = excluded.kind, value = excluded.value, colour = excluded.colour, set_at = now()`.execute(tx)
}

/** Removes a person's value: the engine's counts again. */
export async function clearPersonTag(tx: Tx, workspaceId: string, issueNumber: number, tag: string): Promise<void> {
  await sql`
    delete from insight_tag
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and tag = ${tag} and set_by = 'person'`.execute(
    tx,
  )
}

/** Adds to an insight's history that a person set a tag. */
export async function addTagEvent(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  tag: string,
  to: string | null,
): Promise<void> {
  await sql`
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (${workspaceId}, ${issueNumber}, 'tagged', ${JSON.stringify({ tag, ...(to === null ? {} : { to }) })}::jsonb)`.execute(
    tx,
  )
}

/** Gives all tagged insights a new revision, so that lists show them again, after the tags in the settings changed. */
export async function touchTaggedInsights(tx: Tx, workspaceId: string): Promise<void> {
  const revision = await raiseRevision(tx, workspaceId)
  await sql`
    update insight set revision = ${revision}::bigint
    where workspace_id = ${workspaceId}
      and issue_number in (select issue_number from insight_tag where workspace_id = ${workspaceId})`.execute(tx)
}
