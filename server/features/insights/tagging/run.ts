import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readSettings } from '../../settings/index.ts'
import { raiseRevision } from '../revision.ts'
import { markInsights } from '../store.ts'
import { findTags, readerOf, type TagReader, tagsKey } from './reader.ts'
import { refreshShares } from './shares.ts'
import * as store from './work-store.ts'

const READ_AT_ONCE = 50
const COUNTED_AT_ONCE = 500
/** Growth and days change as time passes; they are counted again this often. */
const COUNT_EVERY_MS = 3_600_000

/** How far tagging is: insights read by the present tags, of all. */
export type TagProgress = { done: number; all: number }

/**
 * Tags insights in the transaction that changed them and has raised the revision for them, so that they are never seen
 * without, and brings everybody's shares up to date. Takes the first 50 of many, and says whether some are left.
 */
export async function tagChanged(
  services: Services,
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<{ left: boolean }> {
  const { categories } = await readSettings(tx, workspaceId)
  if (categories.length === 0) return { left: false }
  const reader = await readerOf(categories)
  const insights = await store.readBehind(tx, workspaceId, reader.key, READ_AT_ONCE, numbers)
  await settle(tx, workspaceId, reader, insights, services.now(), { words: true, raise: false })
  await refreshShares(tx, workspaceId, services.now())
  return { left: numbers.length > READ_AT_ONCE }
}

/**
 * Tags all that waits in a workspace, a bounded part in each transaction, so that being killed loses nothing. False when
 * the signal came first. `progress` is told after each part.
 */
export async function tagWorkspace(
  services: Services,
  workspaceId: string,
  { signal, progress }: { signal?: AbortSignal; progress?: (progress: TagProgress) => void } = {},
): Promise<boolean> {
  while (!signal?.aborted) {
    const told = await inWorkspace(services.db, workspaceId, (tx) => tagPart(services, tx, workspaceId))
    if (told === null) return true
    progress?.(told)
  }
  return false
}

/** How far tagging is. Without tags there is nothing to do. */
export async function tagProgress(tx: Tx, workspaceId: string): Promise<TagProgress> {
  const { categories } = await readSettings(tx, workspaceId)
  const progress = await store.readTagProgress(tx, workspaceId, tagsKey(categories))
  return categories.length === 0 ? { done: progress.all, all: progress.all } : progress
}

/** Whether there is anything for `tagWorkspace` to do. */
export async function needsTags(services: Services, tx: Tx, workspaceId: string): Promise<boolean> {
  const { categories } = await readSettings(tx, workspaceId)
  if (categories.length === 0) return store.hasForgottenTags(tx, workspaceId)
  const reader = await readerOf(categories)
  return store.hasTagWork(tx, workspaceId, reader.key, reader.drifts ? countedBefore(services.now()) : null)
}

async function tagPart(services: Services, tx: Tx, workspaceId: string): Promise<TagProgress | null> {
  const now = services.now()
  const { categories } = await readSettings(tx, workspaceId)
  if (categories.length === 0) {
    await store.forgetEngineTags(tx, workspaceId)
    return null
  }
  const reader = await readerOf(categories)
  const behind = await store.readBehind(tx, workspaceId, reader.key, READ_AT_ONCE)
  if (behind.length > 0) {
    await settle(tx, workspaceId, reader, behind, now, { words: true, raise: true })
    return store.readTagProgress(tx, workspaceId, reader.key)
  }
  const uncounted = reader.drifts ? await store.readUncounted(tx, workspaceId, countedBefore(now), COUNTED_AT_ONCE) : []
  if (uncounted.length === 0) return null
  await settle(tx, workspaceId, reader, uncounted, now, { words: false, raise: true })
  return store.readTagProgress(tx, workspaceId, reader.key)
}

function countedBefore(now: Date): Date {
  return new Date(now.getTime() - COUNT_EVERY_MS)
}

/**
 * Finds the tags of insights and stores what is not as before. What changed meanwhile is noted as of the revision that was
 * read, so that it is read again.
 */
async function settle(
  tx: Tx,
  workspaceId: string,
  reader: TagReader,
  insights: readonly store.TaggableInsight[],
  now: Date,
  { words, raise }: { words: boolean; raise: boolean },
): Promise<void> {
  if (insights.length === 0) return
  const numbers = insights.map((insight) => insight.issueNumber)
  const found = await findTags(tx, workspaceId, reader, insights, now, { words })
  const judged = new Set(reader.tags.filter(({ plan }) => words || 'measure' in plan).map(({ name }) => name))
  const known = new Set(reader.tags.map(({ name }) => name))
  const before = (await store.readEngineTags(tx, workspaceId, numbers)).filter(
    ({ tag }) => judged.has(tag) || !known.has(tag),
  )
  const stored = new Map(before.map((one) => [keyOf(one.issueNumber, one.tag), one]))
  const wanted = [...found].flatMap(([issueNumber, all]) => all.map((finding) => ({ issueNumber, ...finding })))
  const kept = new Set(wanted.map((one) => keyOf(one.issueNumber, one.tag)))
  const other = wanted.filter((one) => !isSame(stored.get(keyOf(one.issueNumber, one.tag)), one))
  const gone = before.filter((one) => !kept.has(keyOf(one.issueNumber, one.tag)))
  const changed = [...new Set([...other, ...gone].map((one) => one.issueNumber))]
  const revision = raise && changed.length > 0 ? await raiseRevision(tx, workspaceId) : null
  await store.deleteEngineTags(tx, workspaceId, gone)
  await store.writeEngineTags(tx, workspaceId, other, now)
  const raised = revision === null ? null : { revision, numbers: changed }
  await store.storeChecks(tx, workspaceId, reader.key, insights, raised, now)
  if (revision !== null) await markInsights(tx, workspaceId, changed, revision)
}

function keyOf(issueNumber: number, tag: string): string {
  return `${issueNumber}\n${tag}`
}

function isSame(stored: store.TagFinding | undefined, found: store.TagFinding): boolean {
  return stored?.value === found.value && stored.kind === found.kind && stored.colour === found.colour
}
