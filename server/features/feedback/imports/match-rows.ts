import { isDeepStrictEqual } from 'node:util'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { clean, cleanName } from '../clean.ts'
import {
  beginningsOfFile,
  type FileRow,
  type ImportTarget,
  type RowCandidates,
  readCandidates,
  readStored,
  type StoredItem,
} from './row-store.ts'

/**
 * What a row is: a stored item (`stored`) or a new one (null). `item` is the stored item as the row has it. `lines` are all lines
 * of this batch with the row's id, its own last. `repeats` is the line before it in the file with the same id.
 */
export type MatchedRow = FileRow & {
  stored: StoredItem | null
  written: StoredItem | null
  lines: { line: number; repeats: number | null }[]
  /** Another item that has the row's id now and has to give it up. */
  displaces: number | null
}

/**
 * Determines which stored item each row is. Within one import an id stands for one item. Otherwise a row is, in this order: the item
 * with its id, unless that came from another line of the same file; the item that the same line of the same file was; a new
 * one. So ids distinguish rows of different files, and a corrected mapping changes the items instead of adding others.
 */
export async function matchRows(
  tx: Tx,
  workspaceId: string,
  target: ImportTarget,
  rows: readonly FileRow[],
  { importedAt, lock }: { importedAt: Date; lock: boolean },
): Promise<MatchedRow[]> {
  if (rows.length === 0) return []
  const candidates = await readCandidates(tx, workspaceId, target, rows)
  const groups = new Map<string, number[]>()
  for (const [at, { item }] of rows.entries()) groups.set(item.externalId, [...(groups.get(item.externalId) ?? []), at])
  const taken = new Set<number>()
  const chosen = [...groups.values()].map((places) => {
    const last = places.at(-1) as number
    const row = rows[last] as FileRow
    const { id, repeats } = choose(
      places.map((at) => candidates[at] as RowCandidates),
      taken,
    )
    if (id !== null) taken.add(id)
    const { holdsId } = candidates[last] as RowCandidates
    const lines = places.map((at, index) => ({
      line: (rows[at] as FileRow).line,
      repeats: index === 0 ? repeats : (rows[places[index - 1] as number] as FileRow).line,
    }))
    return { row, id, lines, displaces: holdsId !== id ? holdsId : null }
  })
  const stored = await readStored(tx, workspaceId, [...taken], { lock })
  const undated = target.fileHash === null ? [] : await beginningsOfFile(tx, workspaceId, target)
  return chosen.map(({ row, id, lines, displaces }) => {
    const found = (id !== null && stored.get(id)) || null
    return { ...row, stored: found, written: found && rewritten(found, row, importedAt, undated), lines, displaces }
  })
}

/** Chooses among the candidates of all rows with one id. `repeats`: the line of an earlier batch that was this item already. */
function choose(
  found: readonly RowCandidates[],
  taken: ReadonlySet<number>,
): { id: number | null; repeats: number | null } {
  const { holder, holderOfFile, holderLine } = found[0] as RowCandidates
  if (holder !== null && holderLine !== null) return { id: holder, repeats: holderLine }
  if (holder !== null && !holderOfFile && !taken.has(holder)) return { id: holder, repeats: null }
  const before = found.find(
    ({ sameLine, sameLineLine }) => sameLine !== null && sameLineLine === null && !taken.has(sameLine),
  )
  return { id: before?.sameLine ?? null, repeats: null }
}

/** The item as the row has it. A row without a date leaves the item's own, unless that came from a column no longer mapped. */
function rewritten(stored: StoredItem, { item }: FileRow, importedAt: Date, undated: readonly Date[]): StoredItem {
  const hasDate = item.dateKnown !== false
  const dateWasRead =
    undated.length > 0 && !undated.some((beginning) => beginning.getTime() === stored.saidAt.getTime())
  const dateStays = !hasDate && !dateWasRead
  return {
    id: stored.id,
    externalId: item.externalId,
    text: clean(item.text),
    original: clean(item.original ?? null),
    author: cleanName(item.author),
    link: safeLink(item.link),
    thread: clean(item.thread),
    place: cleanName(item.place),
    attributes: item.attributes ?? {},
    saidAt: dateStays ? stored.saidAt : item.at,
    dateKnown: dateStays ? stored.dateKnown : hasDate,
    dateOnly: dateStays ? stored.dateOnly : item.dateOnly === true,
  }
}

/** Whether the item's text differs. */
export function textChanges({ stored, written }: MatchedRow): boolean {
  return stored !== null && written !== null && stored.text !== written.text
}

/** Whether author or date differ while the text is the same: counts of the insights change, groups do not. */
export function labelsChange({ stored, written }: MatchedRow): boolean {
  if (!stored || !written || stored.text !== written.text) return false
  const sameDate = stored.saidAt.getTime() === written.saidAt.getTime() && stored.dateOnly === written.dateOnly
  return stored.author !== written.author || !sameDate
}

/** Whether anything differs. */
export function itemChanges({ stored, written }: MatchedRow): boolean {
  if (!stored || !written) return false
  const { saidAt, attributes, ...rest } = stored
  return (
    !isDeepStrictEqual(attributes, written.attributes) ||
    saidAt.getTime() !== written.saidAt.getTime() ||
    Object.entries(rest).some(([key, value]) => value !== written[key as keyof typeof rest])
  )
}
