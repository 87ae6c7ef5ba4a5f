import type { Correction, Why } from '@groundswell/contract/corrections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { REASON_MODEL, REASON_PERSON, sharedWords, similarWords } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNames } from '../shown-store.ts'
import { readInsight, readNewestEvidence } from '../store.ts'

type Reason = {
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
  /** the model whose vectors the look at all mentions compared, if it had one of this mention */
  embedder: string | null
}

/** So many of the insight's newest mentions are asked which words they share with the one in question. */
const COMPARED = 100
/** Fewer shared words than these do not say enough. */
const FEW = 3

/** What the engine says of what a revision placed. */
const BY_GROUP = 'says the same as the rest of the group'

/** What the engine says of a decision, in words for everybody. */
const RULES: Record<string, string> = {
  'same words': 'It says the same, word for word, as another mention.',
  'same conversation': 'It stands in the same conversation as a mention of this insight.',
  'agrees within its conversation': 'It agrees with what began its conversation.',
  'similar spelling': 'Its spelling is like that of mentions of this insight.',
  [BY_GROUP]: 'A look at all mentions together found that it says the same as these.',
  'like one that a person put there': 'It is like a mention that a person put here.',
}

const DONE: Record<Correction['kind'], string> = {
  merge: 'made two insights one',
  split: 'split an insight in two',
  move: 'moved it here',
  add: 'put it here',
  create: 'made this insight of it and others',
  reject: 'said that it is not another insight',
  rename: 'named the insight',
  lock: 'locked the insight',
}

/** Why a mention is in a shown insight: who or what decided, by which words. Throws `not_found` when it is not in it. */
export async function explain(tx: Tx, workspaceId: string, issueNumber: number, id: string): Promise<Why> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  const found = insight?.shown ? await readReason(tx, workspaceId, issueNumber, id) : null
  if (!found) throw new ContractError('not_found', 'There is no such mention in this insight')
  const candidates = candidatesOf(found, issueNumber)
  const names = await readNames(
    tx,
    workspaceId,
    candidates.map((one) => one.issueId),
  )
  const { shared, meant } = await termsOf(tx, workspaceId, issueNumber, id, found)
  return {
    decided_by: found.decidedBy,
    person: found.decidedBy === 'person' || found.pin === issueNumber ? found.person : null,
    decided_at: found.decidedAt.toISOString(),
    score: clamp(found.score),
    rule: ruleOf(found, issueNumber, shared),
    terms: shared,
    meant,
    candidates: candidates.map(({ issueId, score }) => ({
      issue_number: issueId,
      name: names.get(issueId) ?? null,
      score: clamp(score),
      chosen: issueId === issueNumber,
    })),
    engine_version: found.version,
    model: found.model ?? found.embedder,
    prompt_version: found.prompt,
  }
}

function ruleOf(found: Reason, issueNumber: number, shared: readonly string[]): string {
  const { decidedBy, reason, pin, kind, person } = found
  const said = kind && person ? `${person} ${DONE[kind]}.` : 'A person put it here.'
  if (decidedBy === 'person' || reason === REASON_PERSON) return said
  const rule =
    reason === REASON_MODEL
      ? byModel(found)
      : reason.startsWith('shared: ')
        ? 'It is nearest to mentions of this insight.'
        : reason === BY_GROUP && shared.length === 0
          ? 'A look at all mentions together found that it means the same as these, in other words.'
          : (RULES[reason] ?? reason)
  return pin === issueNumber ? `${rule} ${said} So it stays here.` : rule
}

function byModel({ model, prompt }: Reason): string {
  const which = model === null || prompt === null ? '' : ` (${model}, prompt ${prompt})`
  return `A language model${which} said that one focused change would resolve this and the other mentions of this insight. It was near to them, but not near enough for the engine to decide.`
}

/**
 * Words that the decision itself names, else those that it shares with the insight's other mentions now; where these are few, and
 * no model's vectors were compared, also words that those say in other words or in another language.
 */
async function termsOf(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  id: string,
  { reason, decidedBy, embedder, text, start, end }: Reason,
): Promise<{ shared: string[]; meant: string[] }> {
  if (decidedBy === 'person') return { shared: [], meant: [] }
  if (reason.startsWith('shared: ')) return { shared: reason.slice('shared: '.length).split(', '), meant: [] }
  const newest = await readNewestEvidence(tx, workspaceId, [issueNumber], COMPARED)
  const others = newest.filter((other) => `${other.itemId}:${other.number}` !== id).map((other) => other.text)
  const said = text.slice(start, end)
  const shared = sharedWords(said, others)
  const asks = reason === BY_GROUP && embedder === null && shared.length < FEW
  return { shared, meant: asks ? similarWords(said, others) : [] }
}

/** The insight that it is in is always among them. */
function candidatesOf(
  { candidates, score, decidedBy }: Reason,
  issueNumber: number,
): { issueId: number; score: number }[] {
  const compared = candidates ?? []
  if (decidedBy === 'person' || compared.some((one) => one.issueId === issueNumber)) return compared
  return [{ issueId: issueNumber, score }, ...compared]
}

function clamp(score: number): number {
  return Math.min(1, Math.max(0, Math.round(score * 1_000) / 1_000))
}

/** What says the same as a mention that the model spoke of goes with it: then the last answer about this insight is meant. */
async function readReason(tx: Tx, workspaceId: string, issueNumber: number, id: string): Promise<Reason | null> {
  const [itemId = '', number = ''] = id.split(':')
  const { rows } = await sql<Reason>`
    select s.score, s.reason, s.candidates, s.decided_by as "decidedBy", s.decided_at as "decidedAt",
      s.engine_version as version, left(item.text, s.end_offset) as text, s.start_offset as start, s.end_offset as "end",
      rule.pin, correction.kind, correction.person, said.model, said.prompt,
      substr(used.space, strpos(used.space, '/') + 1) as embedder
    from statement s
    join feedback_item item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    left join statement_rule rule
      on rule.workspace_id = ${workspaceId} and rule.item_id = s.item_id and rule.number = s.number
    left join correction on correction.workspace_id = ${workspaceId} and correction.id = rule.correction_id
    left join lateral (
      select model, prompt_version as prompt from model_join
      where workspace_id = ${workspaceId} and verdict = 'yes' and s.reason = ${REASON_MODEL}
        and ((item_id = s.item_id and number = s.number) or (issue_number = s.issue_number and decided_at <= s.decided_at))
      order by item_id = s.item_id and number is not distinct from s.number desc, decided_at desc limit 1
    ) said on true
    left join embedding_choice used
      on used.workspace_id = ${workspaceId} and used.chosen_at <= s.decided_at and s.reason = ${BY_GROUP}
      and exists (
        select from statement_vector mine
        where mine.workspace_id = ${workspaceId} and mine.space = used.space and mine.item_id = s.item_id
          and mine.number = s.number and mine.vector is not null)
    where s.workspace_id = ${workspaceId} and s.item_id = ${itemId}::bigint and s.number = ${Number(number)}
      and s.issue_number = ${issueNumber}`.execute(tx)
  return rows[0] ?? null
}
