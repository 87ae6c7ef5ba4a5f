import type { Correction } from '@groundswell/contract/corrections.ts'
import { REASON_MODEL, REASON_REVIEWED } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { type EvidenceRow, evidenceColumns, withText } from '../evidence-store.ts'

/** Why a mention is where it is, as stored. */
export type Reason = {
  score: number
  reason: string
  candidates: { issueId: number; score: number }[] | null
  decidedBy: 'engine' | 'person' | 'model'
  decidedAt: Date
  version: string | null
  text: string
  start: number
  end: number
  pin: number | null
  kind: Correction['kind'] | null
  person: string | null
  model: string | null
  prompt: string | null
}

/**
 * Reads the reason; null when the mention is not in the insight. A mention that followed another one, about which a language model
 * answered, has that answer: the model's last one about this insight.
 */
export async function readReason(tx: Tx, workspaceId: string, issueNumber: number, id: string): Promise<Reason | null> {
  const [itemId = '', number = ''] = id.split(':')
  const { rows } = await sql<Reason>`
    select s.score, s.reason, s.candidates, s.decided_by as "decidedBy", s.decided_at as "decidedAt",
      s.engine_version as version, left(item.text, s.end_offset) as text, s.start_offset as start, s.end_offset as "end",
      rule.pin, correction.kind, correction.person, coalesce(said.model, moved.model) as model, coalesce(said.prompt, moved.prompt) as prompt
    from statement s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    left join statement_rule rule
      on rule.workspace_id = ${workspaceId} and rule.item_id = s.item_id and rule.number = s.number
    left join correction on correction.workspace_id = ${workspaceId} and correction.id = rule.correction_id
    left join lateral (
      select model, prompt_version as prompt from model_join
      where workspace_id = ${workspaceId} and verdict = 'yes' and s.reason = ${REASON_MODEL}
        and ((item_id = s.item_id and number = s.number) or (issue_number = s.issue_number and decided_at <= s.decided_at))
      order by item_id = s.item_id and number is not distinct from s.number desc, decided_at desc limit 1
    ) said on true
    left join lateral (
      select model, prompt_version as prompt from model_move
      where workspace_id = ${workspaceId} and item_id = s.item_id and number = s.number and to_number = s.issue_number
        and s.reason = ${REASON_REVIEWED}
      order by decided_at desc limit 1
    ) moved on true
    where s.workspace_id = ${workspaceId} and s.item_id = ${itemId}::bigint and s.number = ${Number(number)}
      and s.issue_number = ${issueNumber}`.execute(tx)
  return rows[0] ?? null
}

/** The first mention of the conversation that a message belongs to; null when it began that conversation itself, or belongs to none. */
export async function readConversationStart(tx: Tx, workspaceId: string, itemId: number): Promise<EvidenceRow | null> {
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, left(item.text, s.end_offset) as message
    from ${feedbackItemsView} own
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.connection_id = own.connection_id
      and item.thread = own.thread and item.grouped_seq < own.grouped_seq
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = item.id and s.kind <> 'noise'
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where own.workspace_id = ${workspaceId} and own.id = ${itemId}
    order by item.grouped_seq, s.number limit 1`.execute(tx)
  return rows[0] ? withText(rows[0]) : null
}
