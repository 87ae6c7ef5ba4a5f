import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import type { Looked } from '../../../platform/sweep/changes.ts'
import { readSettings } from '../../settings/index.ts'
import { raiseRevision } from '../revision.ts'
import { markInsights } from '../store.ts'
import { findTags, readerOf, type TagReader, tagsKey } from './reader.ts'
import { refreshShares } from './shares.ts'
import * as store from './work-store.ts'

const MAX_READ = 50
const MAX_RECOUNTED = 500
/** Growth and days change as time passes; they are recounted at this interval. */
const COUNT_EVERY_MS = 3_600_000

/** How many insights have been tagged with the current tags, of all. */
export type TagProgress = { done: number; all: number }

/**
 * Tags insights in the transaction that changed them and raised the revision, so that they are never shown untagged, and updates the
 * shares of all insights. Tags at most 50; `left`: there are more.
 */
export async function tagChanged(
  services: Services,
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<{ left: boolean }> {
  const { categories } = await readSettings(tx, workspaceId)
  if (categories.length === 0) return { left: false }
  const reader = await readerOf(services, categories)
  const insights = await store.readBehind(tx, workspaceId, reader.key, MAX_READ, numbers)
  await storeTags(tx, workspaceId, reader, insights, services.now(), { words: true, raise: false })
  await refreshShares(services, tx, workspaceId)
  return { left: numbers.length > MAX_READ }
}

/**
 * Tags everything that waits in a workspace, a bounded batch per transaction, so that it can be killed at any moment. False when the
 * signal was aborted first. `progress` is called after each batch.
 */
export async function tagWorkspace(
  services: Services,
  workspaceId: string,
  { signal, progress }: { signal?: AbortSignal; progress?: (progress: TagProgress) => void } = {},
): Promise<boolean> {
  while (!signal?.aborted) {
    const batch = await inWorkspace(services.db, workspaceId, (tx) => tagBatch(services, tx, workspaceId))
    if (batch === null) return true
    progress?.(batch)
  }
  return false
}

/** How far tagging is. Without tags everything is done. */
export async function tagProgress(tx: Tx, workspaceId: string): Promise<TagProgress> {
  const { categories } = await readSettings(tx, workspaceId)
  const progress = await store.readTagProgress(tx, workspaceId, tagsKey(categories))
  return categories.length === 0 ? { done: progress.all, all: progress.all } : progress
}

/** Whether there is anything for `tagWorkspace` to do, or when insights have to be recounted although nothing changes. */
export async function lookForTagWork(services: Services, tx: Tx, workspaceId: string): Promise<Looked> {
  const { categories } = await readSettings(tx, workspaceId)
  if (categories.length === 0) return (await store.hasForgottenTags(tx, workspaceId)) ? 'due' : 'idle'
  const reader = await readerOf(services, categories)
  const before = reader.drifts ? countedBefore(services.now()) : null
  if (await store.hasTagWork(tx, workspaceId, reader.key, before)) return 'due'
  const counted = reader.drifts ? await store.readOldestCount(tx, workspaceId) : null
  return counted ? { againAt: new Date(counted.getTime() + COUNT_EVERY_MS) } : 'idle'
}

async function tagBatch(services: Services, tx: Tx, workspaceId: string): Promise<TagProgress | null> {
  const now = services.now()
  const { categories } = await readSettings(tx, workspaceId)
  if (categories.length === 0) {
    await store.forgetEngineTags(tx, workspaceId)
    return null
  }
  const reader = await readerOf(services, categories)
  const behind = await store.readBehind(tx, workspaceId, reader.key, MAX_READ)
  if (behind.length > 0) {
    await storeTags(tx, workspaceId, reader, behind, now, { words: true, raise: true })
    return store.readTagProgress(tx, workspaceId, reader.key)
  }
  const uncounted = reader.drifts ? await store.readUncounted(tx, workspaceId, countedBefore(now), MAX_RECOUNTED) : []
  if (uncounted.length === 0) return null
  await storeTags(tx, workspaceId, reader, uncounted, now, { words: false, raise: true })
  return store.readTagProgress(tx, workspaceId, reader.key)
}

function countedBefore(now: Date): Date {
  return new Date(now.getTime() - COUNT_EVERY_MS)
}

/**
 * Finds the tags of insights and stores the differences. Each insight is recorded with the revision that was read: one that changed
 * meanwhile is read again.
 */
async function storeTags(
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
  const evaluated = new Set(reader.tags.filter(({ plan }) => words || 'measure' in plan).map(({ name }) => name))
  const known = new Set(reader.tags.map(({ name }) => name))
  const before = (await store.readEngineTags(tx, workspaceId, numbers)).filter(
    ({ tag }) => evaluated.has(tag) || !known.has(tag),
  )
  const stored = new Map(before.map((one) => [keyOf(one.issueNumber, one.tag), one]))
  const wanted = [...found].flatMap(([issueNumber, all]) => all.map((finding) => ({ issueNumber, ...finding })))
  const wantedKeys = new Set(wanted.map((one) => keyOf(one.issueNumber, one.tag)))
  const changedTags = wanted.filter((one) => !isSame(stored.get(keyOf(one.issueNumber, one.tag)), one))
  const removed = before.filter((one) => !wantedKeys.has(keyOf(one.issueNumber, one.tag)))
  const changed = [...new Set([...changedTags, ...removed].map((one) => one.issueNumber))]
  const revision = raise && changed.length > 0 ? await raiseRevision(tx, workspaceId) : null
  await store.deleteEngineTags(tx, workspaceId, removed)
  await store.writeEngineTags(tx, workspaceId, changedTags, now)
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
