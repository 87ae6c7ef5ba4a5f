import type { Tx } from '../../../platform/db/tenant.ts'
import { changesOf } from './changes.ts'
import {
  type CorrectionRow,
  inNameOf,
  noteEvent,
  readNextCorrection,
  refuseCorrection,
  settleCorrection,
  settleUndo,
} from './correction-store.ts'
import { forStore, type Plan, planCorrection, Refused } from './plan.ts'
import {
  dropRules,
  forgetFound,
  type InsightFields,
  keepFound,
  readInsightFields,
  restoreStatements,
  writeInsightFields,
  writeLocks,
  writeRules,
} from './store.ts'
import { planUndo, restoredFields } from './undo.ts'

/** A correction that the next step of grouping carries out, or takes back. */
export type CorrectionWork = { row: CorrectionRow; undo: boolean; plan: Plan }

/** The next one that can be carried out. Those before it that cannot any more are refused, with the reason. */
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

/** What was found before the step was stored. `restore`: taking back, the rows of insights as they were. */
export type Found = { insights: InsightFields[]; changes: CorrectionRow['changes']; restore: InsightFields[] }

/**
 * To be called when the revision was raised, so that nobody else gives a name meanwhile, and before anything of the step is
 * stored: remembers what is about to change, or puts back what was.
 */
export async function beginCorrection(
  tx: Tx,
  workspaceId: string,
  { row, undo, plan }: CorrectionWork,
): Promise<Found> {
  await inNameOf(tx, (undo ? row.undoneBy : row.person) ?? row.person)
  if (!undo) await keepFound(tx, workspaceId, row.id, forStore(plan))
  const insights = await readInsightFields(tx, workspaceId, plan.touched)
  if (undo) {
    await restoreStatements(tx, workspaceId, row.id, { rows: plan.statements.length, elsewhere: plan.elsewhere })
    return { insights, changes: [], restore: restoredFields(row, insights) }
  }
  return { insights, changes: await changesOf(tx, workspaceId, plan), restore: [] }
}

/**
 * To be called when the moves are stored and counted: writes the rules, the history and what became of the correction. False
 * when nobody asks for it any more; then nothing of the step may be kept.
 */
export async function endCorrection(
  tx: Tx,
  workspaceId: string,
  { row, undo, plan }: CorrectionWork,
  found: Found,
  now: Date,
): Promise<boolean> {
  await writeRules(tx, workspaceId, row.id, forStore(plan))
  await writeLocks(tx, workspaceId, plan.locks)
  if (undo) {
    const person = row.undoneBy ?? row.person
    await dropRules(tx, workspaceId, row.id)
    await forgetFound(tx, workspaceId, row.id, row.mentions + plan.statements.length)
    await writeInsightFields(tx, workspaceId, found.restore, now)
    for (const { issue_number: number } of found.insights) {
      await noteEvent(tx, workspaceId, number, 'undone', { by: person, tag: row.kind })
    }
    return settleUndo(tx, workspaceId, row.id, person, now, 'undoing')
  }
  await noteCorrection(tx, workspaceId, row, plan)
  const made = await readInsightFields(tx, workspaceId, plan.touched)
  const named = new Map(made.map((one) => [one.issue_number, one.name]))
  const changes = found.changes.map((change, at) => {
    const number = plan.touched[at] as number
    return { ...change, issue_number: named.has(number) ? number : null, name: named.get(number) ?? change.name }
  })
  const { other, mentions, touched } = plan
  return settleCorrection(tx, workspaceId, row.id, { other, mentions, touched, changes, found: found.insights, made })
}

/** The history of the insights that a person's word changed. Merges and names are written by the database itself. */
async function noteCorrection(tx: Tx, workspaceId: string, row: CorrectionRow, plan: Plan): Promise<void> {
  const by = row.person
  const [from] = plan.touched
  if (from === undefined) return
  const note = (issueNumber: number, event: string, detail: { count?: number; other?: number } = {}) =>
    noteEvent(tx, workspaceId, issueNumber, event, { by, ...detail })
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
