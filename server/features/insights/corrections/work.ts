import type { Tx } from '../../../platform/db/tenant.ts'
import { notePersonChange } from '../store.ts'
import { changesOf } from './changes.ts'
import {
  addEvent,
  type CorrectionRow,
  completeCorrection,
  completeUndo,
  readNextCorrection,
  refuseCorrection,
  setEventAuthor,
} from './correction-store.ts'
import { type Plan, planCorrection, Refused, storedRows } from './plan.ts'
import {
  deleteOriginals,
  dropRules,
  type InsightFields,
  readInsightFields,
  restoreStatements,
  saveOriginals,
  writeInsightFields,
  writeLocks,
  writeRules,
} from './store.ts'
import { planUndo, restoredFields } from './undo.ts'

/** A correction that the next step of grouping applies or undoes. */
export type CorrectionWork = { row: CorrectionRow; undo: boolean; plan: Plan }

/** The next correction that can be applied. Earlier ones that no longer can be are refused, with the reason. */
export async function readCorrectionWork(tx: Tx, workspaceId: string): Promise<CorrectionWork | null> {
  for (;;) {
    const row = await readNextCorrection(tx, workspaceId)
    if (!row) return null
    try {
      const plan = row.undoing
        ? await planUndo(tx, workspaceId, row)
        : await planCorrection(tx, workspaceId, row.issueNumber, row.request)
      return { row, undo: row.undoing, plan }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      await refuseCorrection(tx, workspaceId, row.id, error.message)
    }
  }
}

/** The state before the step was stored. `restore`: for an undo, the fields of the insights after it. */
export type Before = { insights: InsightFields[]; changes: CorrectionRow['changes']; restore: InsightFields[] }

/**
 * Saves what a correction is about to change, or restores it for an undo. To be called after the revision was raised, so that no one
 * else renames an insight meanwhile, and before anything of the step is stored.
 */
export async function beginCorrection(
  tx: Tx,
  workspaceId: string,
  { row, undo, plan }: CorrectionWork,
  now: Date,
): Promise<Before> {
  await setEventAuthor(tx, (undo ? row.undoneBy : row.person) ?? row.person)
  if (!undo) await saveOriginals(tx, workspaceId, row.id, storedRows(plan))
  const insights = await readInsightFields(tx, workspaceId, plan.touched)
  if (undo) {
    await restoreStatements(tx, workspaceId, row.id, { rows: plan.statements.length, elsewhere: plan.elsewhere, now })
    return { insights, changes: [], restore: restoredFields(row, insights) }
  }
  return { insights, changes: await changesOf(tx, workspaceId, plan), restore: [] }
}

/**
 * Stores the rules, the history and the outcome of the correction. To be called after the moves are stored and counted. False when the
 * correction, or its undo, is no longer requested: the step must then be rolled back.
 */
export async function endCorrection(
  tx: Tx,
  workspaceId: string,
  { row, undo, plan }: CorrectionWork,
  before: Before,
  now: Date,
): Promise<boolean> {
  await writeRules(tx, workspaceId, row.id, storedRows(plan))
  await writeLocks(tx, workspaceId, plan.locks)
  // What is declined stays where it was.
  if (row.kind !== 'decline') await notePersonChange(tx, workspaceId, plan.touched, now)
  if (undo) {
    const person = row.undoneBy ?? row.person
    await dropRules(tx, workspaceId, row.id)
    await deleteOriginals(tx, workspaceId, row.id, row.mentions + plan.statements.length)
    await writeInsightFields(tx, workspaceId, before.restore, now)
    // What was declined had not changed the insight.
    for (const { issue_number: number } of row.kind === 'decline' ? [] : before.insights) {
      await addEvent(tx, workspaceId, number, 'undone', { by: person, tag: row.kind })
    }
    return completeUndo(tx, workspaceId, row.id, person, now, 'undoing')
  }
  await addEvents(tx, workspaceId, row, plan)
  const made = await readInsightFields(tx, workspaceId, plan.touched)
  const named = new Map(made.map((one) => [one.issue_number, one.name]))
  const changes = before.changes.map((change, at) => {
    const number = plan.touched[at] as number
    return { ...change, issue_number: named.has(number) ? number : null, name: named.get(number) ?? change.name }
  })
  const { other, mentions, touched } = plan
  return completeCorrection(tx, workspaceId, row.id, {
    other,
    mentions,
    touched,
    changes,
    found: before.insights,
    made,
  })
}

/** Adds the correction to the history of the insights it changed. Database triggers record merges and renames. */
async function addEvents(tx: Tx, workspaceId: string, row: CorrectionRow, plan: Plan): Promise<void> {
  const by = row.person
  const [from] = plan.touched
  if (from === undefined) return
  const note = (issueNumber: number, event: string, detail: { count?: number; other?: number } = {}) =>
    addEvent(tx, workspaceId, issueNumber, event, { by, ...detail })
  if (row.kind === 'lock') {
    for (const { issueId, locked } of plan.locks) await note(issueId, locked ? 'locked' : 'unlocked')
  } else if (row.kind === 'reject') await note(from, 'rejected', { count: plan.mentions })
  else if (row.kind === 'split' && plan.other !== null) {
    await note(from, 'split_off', { count: plan.mentions, other: plan.other })
    await note(plan.other, 'split_from', { count: plan.mentions, other: from })
  } else if (row.kind === 'move' || row.kind === 'add' || row.kind === 'create') {
    const into = row.kind === 'move' ? plan.other : from
    const moved = plan.statements.filter(({ row: one, to }) => (one.issueNumber ?? 0) !== to)
    for (const [origin, { length: count }] of Map.groupBy(moved, ({ row: one }) => one.issueNumber)) {
      if (origin !== null) await note(origin, 'moved_out', { count, ...(into === null ? {} : { other: into }) })
      if (into !== null) await note(into, 'moved_in', { count, ...(origin === null ? {} : { other: origin }) })
    }
  }
}
