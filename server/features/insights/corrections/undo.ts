import type { Tx } from '../../../platform/db/tenant.ts'
import type { CorrectionRow } from './correction-store.ts'
import { emptyPlan, idOf, type Plan, type Planned, placeOf, Refused } from './plan.ts'
import {
  type InsightFields,
  type OriginalRow,
  readCurrentNumber,
  readInsightFields,
  readLiveEmerging,
  readOriginals,
} from './store.ts'

/** Why a correction cannot be undone now, as a text for people; null: it can. `now`: current rows of the insights it touched. */
export function undoObstacle(row: CorrectionRow, now: readonly InsightFields[]): string | null {
  if (row.state === 'undone') return 'It was already undone'
  if (row.state === 'refused') return 'It was never applied'
  if (row.state === 'waiting') return null
  if (row.undoing) return 'It is already being undone'
  if (row.overruled) return 'The same correction was made again since: undo that one first'
  const insight = now.find((one) => one.issue_number === row.issueNumber)
  const made = row.made.find((one) => one.issue_number === row.issueNumber)
  if (row.kind === 'rename') {
    const same = insight && made && insight.name === made.name && insight.name_by_person === made.name_by_person
    return same ? null : 'The insight was renamed again since'
  }
  if (row.kind === 'lock') {
    return insight && made && insight.locked === made.locked ? null : 'It was locked or unlocked again since'
  }
  if (row.kind === 'point') return row.pointLeft ? null : 'The message was changed or deleted since'
  return row.rulesLeft > 0 ? null : 'A later correction has replaced it: undo that one first'
}

/**
 * Plans the undo of a correction: every statement that still has its rule returns to where it was, with the rule it had before; one that was
 * declined had stayed, and stays. Later corrections and later decisions of the engine stay. Throws `Refused` when nothing is left to undo.
 */
export async function planUndo(tx: Tx, workspaceId: string, row: CorrectionRow): Promise<Plan> {
  const now = await readInsightFields(tx, workspaceId, row.touched)
  const problem = undoObstacle({ ...row, undoing: false }, now)
  if (problem !== null) throw new Refused(problem)
  const current = byNumber(now)
  const made = byNumber(row.made)
  const revived = new Set<number>()
  for (const { issue_number: number, ended_at } of row.found) {
    const endedByIt = ended_at === null && made.get(number)?.ended_at
    if (endedByIt && current.get(number)?.ended_at === endedByIt) revived.add(number)
  }
  const homes = new Map<number, number>()
  const home = async (number: number): Promise<number> => {
    const known = homes.get(number)
    if (known !== undefined) return known
    const found = revived.has(number) ? number : ((await readCurrentNumber(tx, workspaceId, number)) ?? number)
    homes.set(number, found)
    return found
  }
  const statements: Planned[] = []
  const elsewhere: string[] = []
  const originals = await readOriginals(tx, workspaceId, row.id)
  const emerging = await emergingHomes(tx, workspaceId, originals)
  for (const { was, ...found } of originals) {
    const formerly = was.issueNumber ?? was.emergingNumber ?? 0
    const former = was.issueNumber === null ? (emerging.has(formerly) ? formerly : 0) : await home(was.issueNumber)
    const to = row.kind === 'decline' ? placeOf(found) : former
    // An insight that it was rejected from may have been merged since into the one where it was.
    const clashing = new Set<number>()
    for (const banned of was.bans ?? []) if (to > 0 && (await home(banned)) === to) clashing.add(banned)
    const bans = (was.bans ?? []).filter((banned) => !was.pin || !clashing.has(banned))
    const barred = !was.pin && clashing.size > 0
    if (barred || to !== formerly || row.kind === 'decline') elsewhere.push(idOf(found))
    statements.push({ row: found, to: barred ? 0 : to, pin: was.pin, bans, ruleOf: was.ruleOf })
  }
  const restore = restoredFields(row, now)
  const lockable = row.kind === 'lock' ? restore : restore.filter((one) => revived.has(one.issue_number) && one.locked)
  return {
    ...emptyPlan(row.touched),
    statements,
    merges: [...revived].map((from) => ({ from, into: null })),
    locks: lockable.map(({ issue_number, locked }) => ({ issueId: issue_number, locked })),
    shown: (statements.length > 0 ? restore : []).map((one) => ({
      issueId: one.issue_number,
      name: one.engine_name ?? one.name,
      summary: one.summary,
      hash: one.described_hash ?? '',
    })),
    other: row.other,
    mentions: row.mentions,
    elsewhere,
  }
}

/** The emerging insights to which statements return: those that still exist, or exist again because two messages return to them. */
async function emergingHomes(tx: Tx, workspaceId: string, originals: readonly OriginalRow[]): Promise<Set<number>> {
  const items = new Map<number, Set<number>>()
  for (const { was, itemId } of originals) {
    if (was.emergingNumber === null) continue
    items.set(was.emergingNumber, (items.get(was.emergingNumber) ?? new Set()).add(itemId))
  }
  const live = await readLiveEmerging(tx, workspaceId, [...items.keys()])
  return new Set([...items].filter(([number, { size }]) => size > 1 || live.includes(number)).map(([number]) => number))
}

/** The fields of the insights that a correction touched, after its undo. `now`: their current rows. */
export function restoredFields(row: CorrectionRow, now: readonly InsightFields[]): InsightFields[] {
  const current = byNumber(now)
  const made = byNumber(row.made)
  return row.found.flatMap((found) => {
    const [left, is] = [made.get(found.issue_number), current.get(found.issue_number)]
    return left && is ? [restored(found, left, is)] : []
  })
}

const byNumber = (rows: readonly InsightFields[]) => new Map(rows.map((one) => [one.issue_number, one]))

const TEAM = ['team_status', 'team_status_by', 'team_status_at'] as const

/** Restores each field that is still as the correction left it. */
function restored(found: InsightFields, made: InsightFields, is: InsightFields): InsightFields {
  const pick = <K extends keyof InsightFields>(field: K): InsightFields[K] =>
    is[field] === made[field] ? found[field] : is[field]
  // Together: who set it and when also tells that it was set to the same again since.
  const team = TEAM.every((field) => is[field] === made[field]) ? found : is
  return {
    issue_number: found.issue_number,
    name: pick('name'),
    summary: pick('summary'),
    described_hash: pick('described_hash'),
    engine_name: pick('engine_name'),
    name_by_person: pick('name_by_person'),
    status: pick('status'),
    locked: pick('locked'),
    ended_at: pick('ended_at'),
    merged_into: pick('merged_into'),
    team_status: team.team_status ?? null,
    team_status_by: team.team_status_by ?? null,
    team_status_at: team.team_status_at ?? null,
    assigned_to: pick('assigned_to') ?? null,
  }
}
