import { ContractError } from '@groundswell/contract/errors.ts'
import type { listMergeSuggestions, listSuggestions } from '@groundswell/contract/insights/suggestions.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNewestEvidence } from '../evidence-store.ts'
import { fullMention, shortMention } from '../mention.ts'
import { readInsight } from '../store.ts'
import { requiredScore } from './answers.ts'
import {
  type OpenInsight,
  readKeptApart,
  readMemberAnswers,
  readMemberSuggestions,
  readMergeAnswers,
  readMergeGroups,
  readOpenInsights,
} from './store.ts'

const MAX_GROUPS = 20
const MAX_MENTIONS = 2

/** The mentions that may belong to a shown insight. Throws `not_found`. */
export async function viewSuggestions(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  now: Date,
): Promise<ReplyOf<typeof listSuggestions>> {
  if (!(await readInsight(tx, workspaceId, issueNumber))?.shown) {
    throw new ContractError('not_found', 'There is no such insight')
  }
  const minScore = requiredScore(await readMemberAnswers(tx, workspaceId, now))
  const rows = await readMemberSuggestions(tx, workspaceId, issueNumber, minScore)
  return { total: rows.length, mentions: rows.map((row) => ({ ...fullMention(row), score: clamp(row.score) })) }
}

/** The groups of insights that look like one subject, without those that a person keeps apart. An insight is in one group only. */
export async function viewMergeSuggestions(
  tx: Tx,
  workspaceId: string,
  now: Date,
): Promise<ReplyOf<typeof listMergeSuggestions>> {
  const minScore = requiredScore(await readMergeAnswers(tx, workspaceId, now))
  const found = await readMergeGroups(tx, workspaceId, minScore)
  if (found.length === 0) return { total: 0, groups: [] }
  const apart = await readKeptApart(tx, workspaceId)
  const open = await readOpenInsights(
    tx,
    workspaceId,
    found.flatMap(({ numbers }) => numbers),
  )
  const used = new Set<number>()
  const groups: { score: number; members: OpenInsight[] }[] = []
  let total = 0
  for (const { numbers, score } of found) {
    const candidates = open.filter(({ issueNumber }) => numbers.includes(issueNumber) && !used.has(issueNumber))
    const members = withoutKeptApart(candidates, apart)
    if (members.length < 2) continue
    for (const { issueNumber } of members) used.add(issueNumber)
    total += 1
    if (groups.length < MAX_GROUPS) groups.push({ score, members })
  }
  const evidence = Map.groupBy(
    await readNewestEvidence(
      tx,
      workspaceId,
      groups.flatMap(({ members }) => members.map(({ issueNumber }) => issueNumber)),
      MAX_MENTIONS,
    ),
    (mention) => mention.issueNumber,
  )
  return {
    total,
    groups: groups.map(({ score, members }) => ({
      score: clamp(score),
      insights: members.map(({ issueNumber, name, mentionCount, peopleCount }) => ({
        issue_number: issueNumber,
        name,
        mention_count: mentionCount,
        people_count: peopleCount,
        evidence: (evidence.get(issueNumber) ?? []).map(shortMention),
      })),
    })),
  }
}

/** Leaves out each insight that is kept apart from one before it. */
function withoutKeptApart(insights: readonly OpenInsight[], apart: readonly (readonly number[])[]): OpenInsight[] {
  const kept: OpenInsight[] = []
  for (const one of insights) {
    const isApart = kept.some((other) =>
      apart.some((list) => list.includes(one.issueNumber) && list.includes(other.issueNumber)),
    )
    if (!isApart) kept.push(one)
  }
  return kept
}

function clamp(score: number): number {
  return Math.min(1, Math.max(0, Math.round(score * 1_000) / 1_000))
}
