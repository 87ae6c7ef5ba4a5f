import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readSettings } from '../../settings/index.ts'
import { raiseRevision } from '../revision.ts'
import { markInsights } from '../store.ts'
import { readerOf } from './reader.ts'
import { markChecked, readShares, readTotals, writeEngineTags } from './work-store.ts'

/**
 * Updates the shares of all insights in the transaction that changed the totals: one more mention anywhere changes every share.
 * Only insights whose shown value changes get a new revision, so that a poll reads no others. Call after `raiseRevision`, whose
 * lock keeps the totals from changing.
 */
export async function refreshShares(
  services: Pick<Services, 'caches' | 'now'>,
  tx: Tx,
  workspaceId: string,
): Promise<void> {
  const { categories } = await readSettings(tx, workspaceId)
  const shares = new Map<string, 'mention-share' | 'people-share'>()
  if (categories.length === 0) return
  for (const { name, plan } of (await readerOf(services, categories)).tags) {
    if ('measure' in plan && (plan.measure === 'mention-share' || plan.measure === 'people-share')) {
      shares.set(name, plan.measure)
    }
  }
  if (shares.size === 0) return
  const totals = await readTotals(tx, workspaceId, [...shares.values()].includes('people-share'))
  const stored = await readShares(tx, workspaceId, [...shares.keys()])
  const changed = stored.flatMap(({ issueNumber, tag, value, mentions, people }) => {
    const measure = shares.get(tag)
    if (measure === undefined) return []
    const share = measure === 'people-share' ? percent(people, totals.people) : percent(mentions, totals.mentions)
    return share === null || share === value
      ? []
      : [{ issueNumber, tag, kind: 'calculated' as const, value: share, colour: null }]
  })
  if (changed.length === 0) return
  const numbers = [...new Set(changed.map((one) => one.issueNumber))]
  const revision = await raiseRevision(tx, workspaceId)
  await writeEngineTags(tx, workspaceId, changed, services.now())
  await markChecked(tx, workspaceId, numbers, revision)
  await markInsights(tx, workspaceId, numbers, revision)
}

/** Rounded to one decimal, as in `reader.ts`; null without a total. */
function percent(part: number, all: number): number | null {
  return all > 0 ? Math.round((1000 * part) / all) / 10 : null
}
