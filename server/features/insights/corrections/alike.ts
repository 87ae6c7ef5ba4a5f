import { setImmediate as letOthersRun } from 'node:timers/promises'
import { ContractError } from '@groundswell/contract/errors.ts'
import { likeness } from '@groundswell/engine/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readNewestEvidence } from '../evidence-store.ts'
import { readInsight, readLargestInsights } from '../store.ts'
import { readStatementsById } from './store.ts'

/** So many of the largest insights are compared. */
const COMPARED = 2_000
/** What an insight says is read from its name and so many of its newest mentions. Its summary only repeats them. */
const MENTIONS = 3
const ANSWERED = 100

/** An insight, or mentions by their ids. */
type Asked = { issue: number } | { mentions: readonly string[] }

type Said = { issueNumber: number; text: string }

/**
 * The numbers of the insights that say most what an insight or some mentions say, by meaning and shared words, the most
 * similar first. Throws `not_found` where there is no such insight or none of the mentions.
 */
export async function alikeInsights(services: Services, workspaceId: string, asked: Asked): Promise<number[]> {
  const { picked, others } = await inWorkspace(services.db, workspaceId, async (tx) => ({
    picked: await readPicked(tx, workspaceId, asked),
    others: await readCandidates(tx, workspaceId, 'issue' in asked ? asked.issue : null),
  }))
  const texts = [...picked, ...others.map(({ text }) => text)]
  const steps = likeness(texts, [...picked.keys()])
  let step = steps.next()
  for (; !step.done; step = steps.next()) await letOthersRun()
  const scores = step.value.subarray(picked.length)
  return others
    .map(({ issueNumber }, place) => ({ issueNumber, score: scores[place] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.issueNumber - b.issueNumber)
    .slice(0, ANSWERED)
    .map(({ issueNumber }) => issueNumber)
}

async function readPicked(tx: Tx, workspaceId: string, asked: Asked): Promise<string[]> {
  if ('mentions' in asked) {
    const texts = (await readStatementsById(tx, workspaceId, asked.mentions)).map(({ text }) => text ?? '')
    if (texts.length === 0) throw new ContractError('not_found', 'There are no such mentions')
    return texts
  }
  const insight = await readInsight(tx, workspaceId, asked.issue)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  return (await saidBy(tx, workspaceId, [insight])).map(({ text }) => text)
}

async function readCandidates(tx: Tx, workspaceId: string, except: number | null): Promise<Said[]> {
  const insights = await readLargestInsights(tx, workspaceId, COMPARED)
  return saidBy(
    tx,
    workspaceId,
    insights.filter(({ issueNumber }) => issueNumber !== except),
  )
}

async function saidBy(
  tx: Tx,
  workspaceId: string,
  insights: readonly { issueNumber: number; name: string }[],
): Promise<Said[]> {
  const numbers = insights.map(({ issueNumber }) => issueNumber)
  const mentions = Map.groupBy(
    await readNewestEvidence(tx, workspaceId, numbers, MENTIONS),
    (mention) => mention.issueNumber,
  )
  return insights.map(({ issueNumber, name }) => {
    const said = (mentions.get(issueNumber) ?? []).map(({ text }) => text)
    return { issueNumber, text: [name, ...said].join('. ') }
  })
}
