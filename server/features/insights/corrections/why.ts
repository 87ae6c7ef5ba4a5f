import type { Correction, Why } from '@groundswell/contract/corrections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import {
  type Language,
  REASON_AGREES,
  REASON_CLEARER,
  REASON_CONVERSATION,
  REASON_FORMER,
  REASON_GROUP,
  REASON_MEANING,
  REASON_MODEL,
  REASON_PERSON,
  REASON_REVIEWED,
  REASON_SAME,
  sharedWords,
  similarWords,
} from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNewestEvidence } from '../evidence-store.ts'
import { shortMention } from '../mention.ts'
import type { SearchByMeaning } from '../search/compared-search.ts'
import { readNames } from '../shown-store.ts'
import { readInsight } from '../store.ts'
import { readConversationStart, readReason, type Reason as StoredReason } from './why-store.ts'

/** What grouping and searches compare beside words. */
export type MeaningHooks = {
  search: SearchByMeaning
  /** The embedding model whose vectors a revision compared at that time; null if there was no vector of this mention. */
  comparedBy(
    tx: Tx,
    workspaceId: string,
    mention: { itemId: number; number: number; decidedAt: Date },
  ): Promise<string | null>
  /** The languages that sentences are compared in; null: in all, or they are not compared. */
  languages(tx: Tx, workspaceId: string): Promise<readonly Language[] | null>
  /** The mentions among `others` whose vectors are nearest to that of mention `id`, most similar first; none without its vector. */
  nearest(
    tx: Tx,
    workspaceId: string,
    id: string,
    others: readonly string[],
    limit: number,
  ): Promise<{ id: string; similarity: number }[]>
}

/** `embedder`: the model that a revision compared with, see `MeaningHooks`; null for a mention that no revision placed. */
type Reason = StoredReason & { embedder: string | null }

/** Shared words are looked for in this many of the insight's newest mentions. */
const MAX_COMPARED = 100
/** With fewer shared words, words of the same meaning are shown too. */
const MIN_SHARED = 3
/** The nearest mention is looked for among this many of the newest. */
const MAX_NEAREST_COMPARED = 500
const MAX_NEAREST = 3

/** The engine's reasons, explained for people. */
const EXPLANATIONS: Record<string, string> = {
  'same words': 'It says the same, word for word, as another mention.',
  [REASON_CONVERSATION]: 'It replies to a message of this insight and is about nothing else.',
  [REASON_AGREES]: 'It agrees with the message that began its conversation.',
  'similar spelling': 'Its spelling is similar to that of mentions of this insight.',
  [REASON_FORMER]: 'Its message was in this insight before it was grouped again.',
  [REASON_SAME]:
    'A language model reviewed the insight that it was in and this one, and said that both are the same problem.',
  [REASON_GROUP]: 'A comparison of all mentions found that it says the same as these.',
  [REASON_CLEARER]: 'It fits these mentions clearly better than those of the insight that it was in before.',
  [REASON_MEANING]: 'It means nearly the same as mentions of this insight, in other words.',
  'like one that a person put there': 'It is similar to a mention that a person put here.',
}

/** Reasons that no words of the mention support. */
const WITHOUT_TERMS: ReadonlySet<string> = new Set([
  REASON_FORMER,
  REASON_CLEARER,
  REASON_MEANING,
  REASON_CONVERSATION,
  REASON_AGREES,
  REASON_REVIEWED,
  REASON_SAME,
])

const ACTIONS: Record<Correction['kind'], string> = {
  merge: 'made two insights one',
  split: 'split an insight in two',
  move: 'moved it here',
  add: 'put it here',
  create: 'made this insight of it and others',
  reject: 'said that it is not another insight',
  decline: 'said that it is not another insight',
  rename: 'named the insight',
  lock: 'locked the insight',
  point: 'corrected what it is read as',
}

/** Why a mention is in a shown insight: who or what decided, and by which words. Throws `not_found` when it is not in it. */
export async function explainMention(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  id: string,
  meaning: MeaningHooks | undefined,
): Promise<Why> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  const stored = insight?.shown ? await readReason(tx, workspaceId, issueNumber, id) : null
  if (!stored) throw new ContractError('not_found', 'There is no such mention in this insight')
  const [itemId, number] = id.split(':').map(Number) as [number, number]
  const { reason, decidedAt } = stored
  const isOfRevision = [REASON_GROUP, REASON_MEANING, REASON_CLEARER].includes(reason)
  const embedder = isOfRevision ? await meaning?.comparedBy(tx, workspaceId, { itemId, number, decidedAt }) : null
  const found: Reason = { ...stored, embedder: embedder ?? null }
  const candidates = candidatesOf(found, issueNumber)
  const names = await readNames(
    tx,
    workspaceId,
    candidates.map((one) => one.issueId),
  )
  const { shared, meant } = await termsOf(tx, workspaceId, issueNumber, id, found)
  const isReply = reason === REASON_CONVERSATION || reason === REASON_AGREES
  const start = isReply ? await readConversationStart(tx, workspaceId, itemId) : null
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
    replies_to: start && shortMention(start),
    nearest: meaning && embedder ? await nearestOf(tx, workspaceId, issueNumber, id, meaning) : [],
  }
}

function ruleOf(found: Reason, issueNumber: number, shared: readonly string[]): string {
  const { decidedBy, reason, pin, kind, person } = found
  const sentence = kind && person ? `${person} ${ACTIONS[kind]}.` : 'A person put it here.'
  if (decidedBy === 'person' || reason === REASON_PERSON) return sentence
  const rule =
    reason === REASON_MODEL
      ? byModel(found)
      : reason === REASON_REVIEWED
        ? byReview(found)
        : reason.startsWith('shared: ')
          ? 'It is closest to mentions of this insight.'
          : reason === REASON_GROUP && shared.length === 0
            ? 'A comparison of all mentions found that it means the same as these, in other words.'
            : (EXPLANATIONS[reason] ?? reason)
  return pin === issueNumber ? `${rule} ${sentence} So it stays here.` : rule
}

function byReview(found: Reason): string {
  return `A language model${whichModel(found)} reviewed the insight that it was in, and said that it belongs here instead.`
}

function whichModel({ model, prompt }: Pick<Reason, 'model' | 'prompt'>): string {
  return model === null || prompt === null ? '' : ` (${model}, prompt ${prompt})`
}

function byModel(found: Reason): string {
  return `A language model${whichModel(found)} said that one focused change would resolve this and the other mentions of this insight. It was close to them, but not close enough for the engine to decide.`
}

/**
 * `shared`: the words that the decision itself names, else those that the mention shares with the insight's other mentions now.
 * `meant`: if these are few and no vectors were compared, also words that the others express in other words or another language.
 */
async function termsOf(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  id: string,
  { reason, decidedBy, embedder, text, start, end }: Reason,
): Promise<{ shared: string[]; meant: string[] }> {
  if (decidedBy === 'person' || WITHOUT_TERMS.has(reason)) return { shared: [], meant: [] }
  if (reason.startsWith('shared: ')) return { shared: reason.slice('shared: '.length).split(', '), meant: [] }
  const newest = await readNewestEvidence(tx, workspaceId, [issueNumber], MAX_COMPARED)
  const others = newest.filter((other) => `${other.itemId}:${other.number}` !== id).map((other) => other.text)
  const statement = text.slice(start, end)
  const shared = sharedWords(statement, others)
  const asks = reason === REASON_GROUP && embedder === null && shared.length < MIN_SHARED
  return { shared, meant: asks ? similarWords(statement, others) : [] }
}

/** The mentions of the insight that a mention means the same as, most similar first. */
async function nearestOf(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  id: string,
  meaning: MeaningHooks,
): Promise<NonNullable<Why['nearest']>> {
  const newest = await readNewestEvidence(tx, workspaceId, [issueNumber], MAX_NEAREST_COMPARED)
  const others = new Map(newest.map((row) => [`${row.itemId}:${row.number}`, row]))
  others.delete(id)
  const found = await meaning.nearest(tx, workspaceId, id, [...others.keys()], MAX_NEAREST)
  return found.flatMap(({ id: near, similarity }) => {
    const row = others.get(near)
    return row ? [{ ...shortMention(row), similarity: clamp(similarity) }] : []
  })
}

/** The insights that it was compared with, always including the one it is in. */
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
