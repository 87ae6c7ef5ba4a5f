import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ContractError } from '@groundswell/contract/errors.ts'
import { similarityScores } from '@groundswell/engine/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readNewestEvidence } from '../evidence-store.ts'
import { type InsightRow, readInsight, readShownInsights } from '../store.ts'
import { readStatementsById } from './store.ts'

/** This many of the largest insights are compared. */
const MAX_COMPARED = 2_000
/** An insight is compared by its name and this many of its newest mentions; its summary only repeats them. */
const MAX_MENTIONS = 3
const MAX_RESULTS = 100

/** What to compare with: an insight, or mentions by their ids. */
type Target = { issue: number } | { mentions: readonly string[] }

type InsightText = { issueNumber: number; text: string }

/**
 * The numbers of the insights most similar to an insight or some mentions, by meaning and shared words, most similar first.
 * Throws `not_found` when there is no such insight, or none of the mentions.
 */
export async function similarInsights(services: Services, workspaceId: string, target: Target): Promise<number[]> {
  const { picked, others } = await inWorkspace(services.db, workspaceId, async (tx) => ({
    picked: await readPicked(tx, workspaceId, target),
    others: await readCandidates(tx, workspaceId, 'issue' in target ? target.issue : null),
  }))
  const texts = [...picked, ...others.map(({ text }) => text)]
  const steps = similarityScores(texts, [...picked.keys()])
  let step = steps.next()
  for (; !step.done; step = steps.next()) await yieldToEventLoop()
  const scores = step.value.subarray(picked.length)
  return others
    .map(({ issueNumber }, place) => ({ issueNumber, score: scores[place] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.issueNumber - b.issueNumber)
    .slice(0, MAX_RESULTS)
    .map(({ issueNumber }) => issueNumber)
}

async function readPicked(tx: Tx, workspaceId: string, target: Target): Promise<string[]> {
  if ('mentions' in target) {
    const texts = (await readStatementsById(tx, workspaceId, target.mentions)).map(({ text }) => text ?? '')
    if (texts.length === 0) throw new ContractError('not_found', 'There are no such mentions')
    return texts
  }
  const insight = await readInsight(tx, workspaceId, target.issue)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  return (await textsOf(tx, workspaceId, [insight])).map(({ text }) => text)
}

async function readCandidates(tx: Tx, workspaceId: string, except: number | null): Promise<InsightText[]> {
  const insights = await readShownInsights(tx, workspaceId, { limit: MAX_COMPARED })
  return textsOf(
    tx,
    workspaceId,
    insights.filter((one) => one.issue_number !== except),
  )
}

async function textsOf(
  tx: Tx,
  workspaceId: string,
  insights: readonly Pick<InsightRow, 'issue_number' | 'issue_name'>[],
): Promise<InsightText[]> {
  const numbers = insights.map((one) => one.issue_number)
  const mentions = Map.groupBy(
    await readNewestEvidence(tx, workspaceId, numbers, MAX_MENTIONS),
    (mention) => mention.issueNumber,
  )
  return insights.map(({ issue_number: issueNumber, issue_name: name }) => {
    const texts = (mentions.get(issueNumber) ?? []).map(({ text }) => text)
    return { issueNumber, text: [name, ...texts].join('. ') }
  })
}
