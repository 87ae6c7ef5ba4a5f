import { isEmerging } from '@groundswell/engine/index.ts'
import { discardStalePlans } from '../../../platform/db/stale-plans.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { assignCustomers } from '../../customers/index.ts'
import { markGrouped } from '../../feedback/index.ts'
import { recountMessages } from '../attributes/count-store.ts'
import { assignAttributes } from '../attributes/value-store.ts'
import { noteDeletions, noteRereadings, type Rereading, readLastGrouped } from '../changes/move-store.ts'
import { beginCorrection, endCorrection } from '../corrections/work.ts'
import { readMessages } from '../customers/message-store.ts'
import { foldKinds } from '../kinds/count-store.ts'
import { raiseRevision } from '../revision.ts'
import { tagInsights } from '../tagging/jobs.ts'
import type { StepResult } from './protocol.ts'
import { detachAdvice, settleAdvice, settleFoundings } from './stores/advice-store.ts'
import { recount } from './stores/count-store.ts'
import { confirmEmergingMarks, describeEmerging, endEmerging, recountEmerging } from './stores/emerging-store.ts'
import {
  addLostMentions,
  clearForgotten,
  confirmMarks,
  storeDescriptions,
  storeEnds,
  storeMoves,
  storeStatements,
} from './stores/group-store.ts'
import { clearWaitingKinds, settleKeptKinds, storeKinds, storeKindsAfter } from './stores/kind-work-store.ts'
import { clearLateItems } from './stores/late-store.ts'
import { settleReadings } from './stores/point-store.ts'
import { claimDecisions, forgetMoves, settleMerges, settleMoves, tellReviewed } from './stores/review-move-store.ts'
import { settleSplits } from './stores/split-store.ts'
import { lockVersion, storeVersion } from './stores/state-store.ts'
import { forgetSuggestions, storeSuggestions } from './stores/suggestion-store.ts'
import { type FoundThemes, storeThemes } from './stores/theme-store.ts'
import type { DeletionMark, ForgottenItem } from './stores/work-store.ts'
import type { Work } from './work.ts'

/** What other features do in the transaction of a step. */
export type StepHooks = {
  /** Called in the transaction that changed these insights, with their numbers. */
  changed(tx: Tx, workspaceId: string, issueNumbers: number[]): Promise<void>
  /** Called in the transaction that stored the statements of these messages. `isRegrouped`: they had other ones before. */
  grouped?(tx: Tx, workspaceId: string, items: readonly { id: number; isRegrouped: boolean }[]): Promise<void>
}

/** Another process changed the groups, or an item changed, between reading and storing. */
export class ConcurrentChange extends Error {
  override name = 'ConcurrentChange'
}

type ChangedInsight = StepResult['touched'][number]

/**
 * Stores a step in the caller's transaction. Throws `ConcurrentChange`, for the transaction to be rolled back, when what the step was
 * computed from has changed since.
 */
export async function storeStep(
  tx: Tx,
  services: Services,
  workspaceId: string,
  work: Work,
  result: StepResult & { themes?: FoundThemes | null },
  hooks: StepHooks | undefined,
): Promise<void> {
  const now = services.now()
  const { correction } = work
  await discardStalePlans(tx, work.items.length)
  await claimWork(tx, workspaceId, work)
  const changed = changedInsights(result.touched, work)
  const emerging = changedEmerging(result, work)
  // Before the correction: the lock on the revision keeps anyone else from renaming an insight meanwhile.
  const revision = changed.length + emerging.length > 0 ? await raiseRevision(tx, workspaceId) : 0
  // Before any mention changes: undo needs what was there.
  const found = correction && (await beginCorrection(tx, workspaceId, correction, now))
  const rereadings = rereadingsOf(work, await readLastGrouped(tx, workspaceId))
  await removeOldMentions(tx, workspaceId, work)
  const itemIds = work.items.map(({ id }) => id)
  if (itemIds.length > 0) {
    const messages = await readMessages(tx, workspaceId, itemIds)
    await assignCustomers(tx, workspaceId, messages)
    await assignAttributes(tx, workspaceId, messages)
  }
  await recountMessages(tx, workspaceId)
  await settleAdvice(tx, workspaceId, work.advice, result.advised)
  await settleFoundings(tx, workspaceId, work.founded, result.founded)
  await settleMoves(tx, workspaceId, work.reviewed.moves, result.reviewed.taken)
  await settleMerges(tx, workspaceId, work.reviewed.merges, result.reviewed.merged, now)
  await storeGroups(tx, workspaceId, result, itemIds, now)
  await tellReviewed(tx, workspaceId, result.reviewed)
  await noteRereadings(tx, workspaceId, rereadings, now)
  await noteDeletions(tx, workspaceId, work.forgotten, now)
  const isOfEmerging = ({ issueNumber }: DeletionMark) => isEmerging(issueNumber)
  await confirmMarks(
    tx,
    workspaceId,
    work.marks.filter((mark) => !isOfEmerging(mark)),
  )
  await confirmEmergingMarks(tx, workspaceId, work.marks.filter(isOfEmerging))
  await clearLateItems(tx, workspaceId, work.late.items)
  await settleKinds(tx, workspaceId, work, result)
  // After the mentions are stored: counts are made from them.
  await addLostMentions(tx, workspaceId, lostMentions(work.forgotten))
  await recount(tx, workspaceId, changed, revision)
  await recountEmerging(tx, workspaceId, emerging)
  // After the counts: its record says what became of the insights.
  if (correction && found && !(await endCorrection(tx, workspaceId, correction, found, now))) {
    throw new ConcurrentChange('the correction was undone meanwhile')
  }
  if (result.suggestions !== undefined) {
    const isNew = await storeSuggestions(tx, workspaceId, result.suggestions)
    if (isNew && revision === 0) await raiseRevision(tx, workspaceId)
  }
  // After the insights, which are in them.
  if (result.themes) {
    if (revision === 0) await raiseRevision(tx, workspaceId)
    await storeThemes(tx, workspaceId, result.themes)
  }
  const counted = await foldKinds(tx, workspaceId, revision === 0 ? null : revision)
  await storeVersion(tx, workspaceId, result.version, result.snapshot, now)
  if (changed.length > 0) await announce(tx, services, workspaceId, changed, hooks)
  // Whether an insight is pushed also depends on what its mentions are.
  const others = counted.filter((number) => !changed.some(({ issueId }) => issueId === number))
  if (others.length > 0) await hooks?.changed(tx, workspaceId, others)
  const grouped = work.items.map(({ id, numbers }) => ({ id, isRegrouped: numbers !== null }))
  if (grouped.length > 0) await hooks?.grouped?.(tx, workspaceId, grouped)
}

/** Locks the groups at the version that the step was computed for, and marks the items as grouped. Throws `ConcurrentChange`. */
async function claimWork(tx: Tx, workspaceId: string, { version, items, reviewed }: Work): Promise<void> {
  if ((await lockVersion(tx, workspaceId)) !== version) throw new ConcurrentChange('the groups changed meanwhile')
  if (!(await markGrouped(tx, workspaceId, version, items))) throw new ConcurrentChange('an item changed meanwhile')
  const isSettled = (await settleSplits(tx, workspaceId, items)) && (await settleReadings(tx, workspaceId, items))
  if (!isSettled) throw new ConcurrentChange('a correction was made meanwhile')
  if (!(await claimDecisions(tx, workspaceId, reviewed))) throw new ConcurrentChange('reviews were withdrawn meanwhile')
}

/** Removes what was stored of earlier texts of edited items, and the notes about deleted items. */
async function removeOldMentions(tx: Tx, workspaceId: string, { items, forgotten }: Work): Promise<void> {
  const edited = items.filter((item) => item.numbers !== null).map((item) => item.id)
  const deleted = forgotten.map((item) => item.itemId)
  await clearForgotten(tx, workspaceId, edited, deleted)
  await detachAdvice(tx, workspaceId, edited)
  await forgetMoves(tx, workspaceId, edited)
  await forgetSuggestions(tx, workspaceId, edited)
}

/** The items that were grouped before, with the insights of their earlier mentions. They are grouped in the order of their ids. */
function rereadingsOf({ items }: Work, lastGrouped: number): Rereading[] {
  return items
    .filter(({ id, numbers }) => numbers !== null || id <= lastGrouped)
    .map(({ id, issueNumbers, pieces, points }) => ({
      itemId: id,
      former: issueNumbers ?? [],
      cause: points?.some(({ read }) => read !== undefined)
        ? 'person'
        : pieces === null && points === null
          ? 'edited'
          : 'read',
    }))
}

/** Stores what was decided again about kinds, and that the step has read what people said. */
async function settleKinds(tx: Tx, workspaceId: string, { items, kinds }: Work, result: StepResult): Promise<void> {
  const edited = items.filter((item) => item.numbers !== null).map((item) => item.id)
  await settleKeptKinds(tx, workspaceId, edited, result.keptKinds)
  // Before the kinds are stored: what waits after this was set while the step ran, and stays.
  await clearWaitingKinds(tx, workspaceId, kinds.waiting)
  await storeKinds(tx, workspaceId, result.kinds)
  if (kinds.after !== undefined) await storeKindsAfter(tx, workspaceId, kinds.after)
}

/** Insights before their mentions, which refer to them; the end of an insight after its mentions have left it. */
async function storeGroups(
  tx: Tx,
  workspaceId: string,
  result: StepResult,
  itemIds: readonly number[],
  now: Date,
): Promise<void> {
  await storeDescriptions(tx, workspaceId, result.descriptions, now)
  await describeEmerging(tx, workspaceId, result.emerging.descriptions, now)
  await storeStatements(tx, workspaceId, result.statements, now)
  await storeMoves(tx, workspaceId, result.moves, itemIds, now)
  await storeEnds(tx, workspaceId, result.events, now)
  await endEmerging(tx, workspaceId, result.emerging.ended)
}

/** Tags the changed insights, then calls the hook: a push contains the tags. */
async function announce(
  tx: Tx,
  services: Services,
  workspaceId: string,
  changed: readonly ChangedInsight[],
  hooks: StepHooks | undefined,
): Promise<void> {
  const numbers = changed.map((one) => one.issueId)
  await tagInsights(services)(tx, workspaceId, numbers)
  await hooks?.changed(tx, workspaceId, numbers)
}

/** The insights that a step changes: those that the engine names, and those that edited and deleted items were mentions of. */
function changedInsights(touched: StepResult['touched'], work: Work): ChangedInsight[] {
  const known = new Set(touched.map((one) => one.issueId))
  const before = [
    ...work.forgotten.map((item) => item.issueNumbers),
    ...work.items.map((item) => item.issueNumbers ?? []),
  ].flat()
  const more = new Set(before.filter((number) => !known.has(number)))
  return [...withoutRepeats(touched, work), ...[...more].map((issueId) => ({ issueId, gained: 0 }))]
}

/** The emerging insights that a step changes, in the same way. */
function changedEmerging({ emerging }: StepResult, { forgotten, items }: Work): number[] {
  const before = [...forgotten, ...items].flatMap((item) => item.emergingNumbers ?? [])
  return [...new Set([...emerging.touched, ...before])]
}

/** Splitting a message again, or reading it, is not a new report: its earlier mentions do not count as gained. */
function withoutRepeats(touched: StepResult['touched'], { items }: Work): ChangedInsight[] {
  const repeated = items.flatMap((item) =>
    item.pieces === null && item.points === null ? [] : (item.issueNumbers ?? []),
  )
  return touched.map(({ issueId, gained }) => {
    const before = repeated.filter((number) => number === issueId).length
    return { issueId, gained: gained > 0 ? Math.max(0, gained - before) : gained }
  })
}

/** How many mentions each insight loses because messages were deleted. */
function lostMentions(forgotten: readonly ForgottenItem[]): Map<number, number> {
  const lost = new Map<number, number>()
  for (const number of forgotten.flatMap((item) => item.issueNumbers)) lost.set(number, (lost.get(number) ?? 0) + 1)
  return lost
}
