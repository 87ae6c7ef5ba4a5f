import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Correction } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { MAX_RETURNED, readReturnable } from '../grouping/stores/review-move-store.ts'
import { readInsight } from '../store.ts'
import type { Request } from './correction-store.ts'
import {
  type PlannedRow,
  readCurrentNumber,
  readInsightFields,
  readLastNumber,
  readStatementsById,
  readStatementsOf,
  type StatementRow,
} from './store.ts'

/** A statement as it is and as it will be: its insight `to` (0: none) and its rule. */
export type Planned = { row: StatementRow; to: number; pin: number | null; bans: number[]; ruleOf: string | null }

/**
 * Exactly what a correction or its undo changes. Computed from the stored statements only, so that the preview matches what is
 * applied.
 */
export type Plan = {
  statements: Planned[]
  /** the insights that lose all their statements */
  whole: number[]
  merges: NonNullable<Correction['merges']>
  locks: NonNullable<Correction['locks']>
  shown: NonNullable<Correction['shown']>
  /** the insights whose rows are kept for undo, including those that do not exist yet */
  touched: number[]
  other: number | null
  mentions: number
  /** undo: ids of statements that do not return to where they were */
  elsewhere: string[]
}

/** A correction cannot be applied any more; the message tells the person why. */
export class Refused extends Error {
  override name = 'Refused'
}

/** A plan that changes nothing yet. */
export const emptyPlan = (touched: number[]): Plan => ({
  statements: [],
  whole: [],
  merges: [],
  locks: [],
  shown: [],
  touched,
  other: null,
  mentions: 0,
  elsewhere: [],
})

const pinTo = (row: StatementRow, to: number): Planned => ({ row, to, pin: to, bans: [], ruleOf: null })

/**
 * Plans a correction of an insight against the current state. An insight that was merged meanwhile is replaced by the one it was
 * merged into. Throws `Refused` when the correction changes nothing, or something that it names no longer exists.
 */
export async function planCorrection(
  tx: Tx,
  workspaceId: string,
  issueNumber: number | null,
  request: Request,
): Promise<Plan> {
  if (request.kind === 'create') {
    const number = (await readLastNumber(tx, workspaceId)) + 1
    return gatherInto(number, await readStatementsById(tx, workspaceId, request.mentions))
  }
  if (issueNumber === null) throw new Refused('No insight is named')
  const from = await currentInsight(tx, workspaceId, issueNumber)
  switch (request.kind) {
    case 'merge': {
      const into = await currentInsight(tx, workspaceId, request.into)
      if (into === from) throw new Refused('Both are already one insight')
      const own = await readStatementsOf(tx, workspaceId, [from])
      const theirs = await readStatementsOf(tx, workspaceId, [into])
      return {
        ...emptyPlan([from, into]),
        statements: [...own, ...theirs].map((row) => pinTo(row, into)),
        whole: [from, into],
        merges: [{ from, into }],
        other: into,
        mentions: own.length,
      }
    }
    case 'split': {
      const number = (await readLastNumber(tx, workspaceId)) + 1
      const picked = new Set(request.mentions)
      const all = await readStatementsOf(tx, workspaceId, [from])
      const chosen = await readStatementsById(tx, workspaceId, request.mentions)
      const parts = chosen.filter((row) => row.issueNumber === from)
      const rest = all.filter((row) => !picked.has(idOf(row)))
      if (parts.length === 0) throw new Refused('These mentions are no longer in this insight')
      if (rest.length === 0) throw new Refused('Leave at least one mention in the insight')
      return {
        ...emptyPlan([from, number]),
        statements: [...parts.map((row) => pinTo(row, number)), ...rest.map((row) => pinTo(row, from))],
        whole: [from, number],
        other: number,
        mentions: parts.length,
      }
    }
    case 'move': {
      const to = request.to === null ? 0 : await currentInsight(tx, workspaceId, request.to)
      const rows = await readStatementsById(tx, workspaceId, request.mentions)
      if (rows.length === 0) throw new Refused('These mentions no longer exist')
      if (rows.every((row) => (row.issueNumber ?? 0) === to && row.pin === to)) {
        throw new Refused('These mentions are already there')
      }
      const origins = rows.flatMap((row) => row.issueNumber ?? [])
      return {
        ...emptyPlan([...new Set([from, ...origins, ...(to === 0 ? [] : [to])])]),
        statements: rows.map((row) => ({ ...pinTo(row, to), bans: to === 0 ? (row.bans ?? []) : [] })),
        other: to === 0 ? null : to,
        mentions: rows.length,
      }
    }
    case 'add':
      return gatherInto(from, await readStatementsById(tx, workspaceId, request.mentions))
    case 'reject':
    case 'decline': {
      const rows = await readStatementsById(tx, workspaceId, request.mentions)
      if (rows.length === 0) throw new Refused('These mentions no longer exist')
      return {
        ...emptyPlan([from]),
        statements: rows.map((row) => ({
          row,
          to: row.issueNumber === from ? 0 : placeOf(row),
          pin: row.pin === from ? null : row.pin,
          bans: [...new Set([...(row.bans ?? []), from])],
          ruleOf: null,
        })),
        mentions: rows.length,
      }
    }
    case 'lock':
      return { ...emptyPlan([from]), locks: [{ issueId: from, locked: request.locked }] }
    case 'rename':
      return emptyPlan([from])
    case 'point':
      return { ...emptyPlan([from]), mentions: 1 }
  }
}

/** Moves these statements into an insight, including those that another one has taken meanwhile. */
function gatherInto(into: number, rows: StatementRow[]): Plan {
  if (rows.length === 0) throw new Refused('These mentions no longer exist')
  const origins = rows.flatMap((row) => row.issueNumber ?? [])
  return {
    ...emptyPlan([...new Set([into, ...origins])]),
    statements: rows.map((row) => pinTo(row, into)),
    mentions: rows.length,
  }
}

/** The insight that a number refers to now, after merges. Throws `Refused` when there is none. */
async function currentInsight(tx: Tx, workspaceId: string, issueNumber: number): Promise<number> {
  const heir = await readCurrentNumber(tx, workspaceId, issueNumber)
  if (heir === null) throw new Refused(`Insight #${issueNumber} no longer exists`)
  return heir
}

/** The number of the insight or emerging insight that a statement is in; 0: neither. */
export function placeOf({ issueNumber, emergingNumber }: StatementRow): number {
  return issueNumber ?? emergingNumber ?? 0
}

/** The id of a statement: `<item>:<number>`. */
export function idOf({ itemId, number }: Pick<StatementRow, 'itemId' | 'number'>): string {
  return `${itemId}:${number}`
}

/**
 * Validates a request: the insight is shown, the mentions are in it, and the other insight exists. Throws `not_found`, `conflict`
 * or `invalid_input`.
 */
export async function checkRequest(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  request: CorrectionRequest,
): Promise<void> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) throw new ContractError('not_found', 'There is no such insight')
  const other = request.kind === 'merge' ? request.into : request.kind === 'move' ? request.to : null
  if (other !== null) {
    const field = request.kind === 'merge' ? 'body.into' : 'body.to'
    if (other === issueNumber)
      throw new ContractError('conflict', 'This is the same insight', { [field]: 'the same insight' })
    const target = await readInsight(tx, workspaceId, other)
    if (!target?.shown) {
      throw new ContractError('conflict', `Insight #${other} no longer exists`, { [field]: 'no insight' })
    }
  }
  if (request.kind === 'decline') await checkUngrouped(tx, workspaceId, request.mentions)
  else if (request.kind === 'add') {
    const moved = new Set(await readReturnable(tx, workspaceId, issueNumber, MAX_RETURNED))
    await checkUngrouped(
      tx,
      workspaceId,
      request.mentions.filter((id) => !moved.has(id)),
    )
  } else if ('mentions' in request || request.kind === 'point') {
    const [mentions, field] =
      'mentions' in request ? [request.mentions, 'body.mentions'] : [[request.mention], 'body.mention']
    const rows = await readStatementsById(tx, workspaceId, mentions)
    const inside = new Set(rows.filter((row) => row.issueNumber === issueNumber).map(idOf))
    if (mentions.some((id) => !inside.has(id))) {
      throw new ContractError('conflict', 'Some of these mentions are no longer in this insight: reload it', {
        [field]: 'not all of them are in this insight',
      })
    }
    if (request.kind === 'split' && inside.size >= insight.mention_count) {
      throw new ContractError('invalid_input', 'Leave at least one mention in the insight', {
        'body.mentions': 'all of its mentions',
      })
    }
  }
  if (request.kind === 'lock') {
    const [row] = await readInsightFields(tx, workspaceId, [issueNumber])
    if (row?.locked === request.locked) {
      throw new ContractError(
        'conflict',
        request.locked ? 'This insight is already locked' : 'This insight is not locked',
      )
    }
  }
}

/** Validates the mentions for a new insight. Throws `conflict` or `invalid_input`. */
export async function checkCreation(tx: Tx, workspaceId: string, mentions: readonly string[]): Promise<void> {
  const rows = await checkUngrouped(tx, workspaceId, mentions)
  if (new Set(rows.map((row) => row.itemId)).size < 2) {
    throw new ContractError('invalid_input', 'An insight needs at least two messages', {
      'body.mentions': 'all of them are in one message',
    })
  }
}

async function checkUngrouped(tx: Tx, workspaceId: string, mentions: readonly string[]): Promise<StatementRow[]> {
  const rows = await readStatementsById(tx, workspaceId, mentions)
  const free = new Set(rows.filter((row) => row.issueNumber === null).map(idOf))
  if (mentions.every((id) => free.has(id))) return rows
  throw new ContractError(
    'conflict',
    'Some of these mentions have been added to an insight or deleted: reload the list',
    {
      'body.mentions': 'not all of them are in no insight',
    },
  )
}

/** A plan in the engine's form. */
export function forEngine(plan: Plan): Correction {
  return {
    statements: plan.statements.map(({ row, to, pin, bans }) => ({
      statementId: idOf(row),
      issueId: to,
      pin: pin ?? -1,
      bans,
      ...(row.text === null ? {} : { text: row.text }),
      ...(row.point === null ? {} : { point: row.point }),
      at: row.saidAt.getTime(),
    })),
    merges: plan.merges,
    locks: plan.locks,
    shown: plan.shown,
  }
}

/** A plan in the form of the store. */
export function storedRows(plan: Plan): PlannedRow[] {
  return plan.statements.map(({ row, to, pin, bans, ruleOf }) => ({
    itemId: row.itemId,
    number: row.number,
    to: to === 0 ? null : to,
    pin,
    bans,
    ruleOf,
  }))
}
