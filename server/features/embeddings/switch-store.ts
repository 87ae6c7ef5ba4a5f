import type { SwitchPreview } from '@groundswell/contract/models/embeddings.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

type SwitchState = 'gathering' | 'grouping' | 'ready' | 'applying' | 'applied' | 'discarded' | 'failed'

/** A switch as it is stored. `asOf`: the version of the groups that the preview was computed from. */
export type SwitchRow = {
  id: string
  toSpace: string
  state: SwitchState
  asOf: number | null
  preview: SwitchPreview | null
  planHash: string | null
  problem: string | null
  beganBy: string
  beganAt: Date
  endedAt: Date | null
}

const columns = sql`id, to_space as "toSpace", state, as_of as "asOf", preview, plan_hash as "planHash", problem,
  began_by as "beganBy", began_at as "beganAt", ended_at as "endedAt"`
const isOpen = sql`state in ('gathering', 'grouping', 'ready', 'applying')`

/** The open switch of a workspace, or else its newest one. */
export async function readNewest(tx: Tx, workspaceId: string): Promise<SwitchRow | null> {
  const { rows } = await sql<SwitchRow>`
    select ${columns} from embedding_switch where workspace_id = ${workspaceId}
    order by ${isOpen} desc, began_at desc limit 1`.execute(tx)
  return rows[0] ?? null
}

/** The open switch; there is at most one. */
export async function readOpen(tx: Tx, workspaceId: string): Promise<SwitchRow | null> {
  const { rows } = await sql<SwitchRow>`
    select ${columns} from embedding_switch where workspace_id = ${workspaceId} and ${isOpen}`.execute(tx)
  return rows[0] ?? null
}

/** A switch of a workspace by its id; null where there is none. */
export async function readSwitch(tx: Tx, workspaceId: string, id: string): Promise<SwitchRow | null> {
  const { rows } = await sql<SwitchRow>`
    select ${columns} from embedding_switch where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** Starts a switch; null while another one is open. */
export async function startSwitch(
  tx: Tx,
  workspaceId: string,
  toSpace: string,
  by: { name: string; at: Date },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into embedding_switch (workspace_id, to_space, began_by, began_at)
    values (${workspaceId}, ${toSpace}, ${by.name}, ${by.at})
    on conflict (workspace_id) where state in ('gathering', 'grouping', 'ready', 'applying') do nothing
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Moves a switch from one state to another; false when it is no longer in that state. */
export async function moveSwitch(
  tx: Tx,
  workspaceId: string,
  id: string,
  from: SwitchState[],
  to: SwitchState,
  more: { problem?: string | null; endedAt?: Date } = {},
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update embedding_switch set state = ${to}, problem = ${more.problem ?? null},
      ended_at = ${more.endedAt ?? null}::timestamptz
    where workspace_id = ${workspaceId} and id = ${id} and state = any(${from}::text[])`.execute(tx)
  return Number(numAffectedRows) === 1
}

/** Stores a preview, which waits for approval. False when the switch was discarded meanwhile. */
export async function writePreview(
  tx: Tx,
  workspaceId: string,
  id: string,
  from: SwitchState,
  plan: { asOf: number; preview: SwitchPreview; hash: string; problem: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update embedding_switch set state = 'ready', as_of = ${plan.asOf}, preview = ${JSON.stringify(plan.preview)}::jsonb,
      plan_hash = ${plan.hash}, problem = ${plan.problem}
    where workspace_id = ${workspaceId} and id = ${id} and state = ${from}`.execute(tx)
  return Number(numAffectedRows) === 1
}

/** Records that a switch was applied, and what it changed. */
export async function writeApplied(
  tx: Tx,
  workspaceId: string,
  id: string,
  preview: SwitchPreview,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update embedding_switch set state = 'applied', preview = ${JSON.stringify(preview)}::jsonb, problem = null,
      ended_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and state = 'applying'`.execute(tx)
  return Number(numAffectedRows) === 1
}
