import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Correction } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readInsight } from '../store.ts'
import type { Request } from './correction-store.ts'
import {
  type PlannedRow,
  readHeir,
  readInsightFields,
  readLastNumber,
  readStatementsById,
  readStatementsOf,
  type StatementRow,
} from './store.ts'

/** A statement as it is, and as it will be: where it goes (0: nowhere) and its rule. */
export type Planned = { row: StatementRow; to: number; pin: number | null; bans: number[]; ruleOf: string | null }

/**
 * Exactly what a correction, or taking one back, does: worked out from the stored statements alone, so that the preview and
 * what is carried out are one.
 */
export type Plan = {
  statements: Planned[]
  /** the insights of which all statements are among these */
  whole: number[]
  merges: NonNullable<Correction['merges']>
  locks: NonNullable<Correction['locks']>
  shown: NonNullable<Correction['shown']>
  /** the insights whose rows are kept for undo; those that do not exist yet among them */
  touched: number[]
  other: number | null
  mentions: number
  /** taking back: statements that do not go where they were found */
  elsewhere: string[]
}

/** It cannot be carried out any more; the message says why, in words for the person who asked. */
export class Refused extends Error {
  override name = 'Refused'
}

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
 * Plans a correction of an insight as things stand. Throws `Refused` when it says nothing new or what it names is gone: an
 * insight that was merged meanwhile stands for the one it went into.
 */
export async function planCorrection(
  tx: Tx,
  workspaceId: string,
  issueNumber: number | null,
  request: Request,
): Promise<Plan> {
  if (request.kind === 'create') {
    const number = (await readLastNumber(tx, workspaceId)) + 1
    return gathered(number, await readStatementsById(tx, workspaceId, request.mentions))
  }
  if (issueNumber === null) throw new Refused('It names no insight')
  const from = await living(tx, workspaceId, issueNumber)
  switch (request.kind) {
    case 'merge': {
      const into = await living(tx, workspaceId, request.into)
      if (into === from) throw new Refused('Both are one insight already')
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
      const to = request.to === null ? 0 : await living(tx, workspaceId, request.to)
      const rows = await readStatementsById(tx, workspaceId, request.mentions)
      if (rows.length === 0) throw new Refused('These mentions are gone')
      if (rows.every((row) => (row.issueNumber ?? 0) === to && row.pin === to)) {
        throw new Refused('These mentions are there already')
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
      return gathered(from, await readStatementsById(tx, workspaceId, request.mentions))
    case 'reject': {
      const rows = await readStatementsById(tx, workspaceId, request.mentions)
      if (rows.length === 0) throw new Refused('These mentions are gone')
      return {
        ...emptyPlan([from]),
        statements: rows.map((row) => ({
          row,
          to: row.issueNumber === from ? 0 : (row.issueNumber ?? 0),
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
  }
}

/** Puts these statements into an insight, also those that have come into another one meanwhile. */
function gathered(into: number, rows: StatementRow[]): Plan {
  if (rows.length === 0) throw new Refused('These mentions are gone')
  const origins = rows.flatMap((row) => row.issueNumber ?? [])
  return {
    ...emptyPlan([...new Set([into, ...origins])]),
    statements: rows.map((row) => pinTo(row, into)),
    mentions: rows.length,
  }
}

/** The insight that a number means now. */
async function living(tx: Tx, workspaceId: string, issueNumber: number): Promise<number> {
  const heir = await readHeir(tx, workspaceId, issueNumber)
  if (heir === null) throw new Refused(`Insight #${issueNumber} is not there any more`)
  return heir
}

export function idOf({ itemId, number }: Pick<StatementRow, 'itemId' | 'number'>): string {
  return `${itemId}:${number}`
}

/**
 * Checks what a person asks for against what they see: the insight is shown, the mentions are in it, the other one is
 * there. Throws `not_found`, `conflict` or `invalid_input`.
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
      throw new ContractError('conflict', `Insight #${other} is not there any more`, { [field]: 'no insight' })
    }
  }
  if (request.kind === 'add') await checkUngrouped(tx, workspaceId, request.mentions)
  else if ('mentions' in request) {
    const rows = await readStatementsById(tx, workspaceId, request.mentions)
    const inside = new Set(rows.filter((row) => row.issueNumber === issueNumber).map(idOf))
    if (request.mentions.some((id) => !inside.has(id))) {
      throw new ContractError('conflict', 'Some of these mentions are no longer in this insight: look at it again', {
        'body.mentions': 'not all of them are in this insight',
      })
    }
    if (request.kind === 'split' && inside.size >= insight.mentionCount) {
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
        request.locked ? 'This insight is locked already' : 'This insight is not locked',
      )
    }
  }
}

/** Checks what a new insight is asked to be made of. Throws `conflict` or `invalid_input`. */
export async function checkCreation(tx: Tx, workspaceId: string, mentions: readonly string[]): Promise<void> {
  const rows = await checkUngrouped(tx, workspaceId, mentions)
  if (new Set(rows.map((row) => row.itemId)).size < 2) {
    throw new ContractError('invalid_input', 'An insight is what at least two messages say', {
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
    'Some of these mentions are in an insight by now, or gone: look at the list again',
    {
      'body.mentions': 'not all of them are in no insight',
    },
  )
}

/** The rows of a plan as the engine is told of them. */
export function forEngine(plan: Plan): Correction {
  return {
    statements: plan.statements.map(({ row, to, pin, bans }) => ({
      statementId: idOf(row),
      issueId: to,
      pin: pin ?? -1,
      bans,
      ...(row.text === null ? {} : { text: row.text }),
      at: row.saidAt.getTime(),
    })),
    merges: plan.merges,
    locks: plan.locks,
    shown: plan.shown,
  }
}

/** The rows of a plan as they are stored. */
export function forStore(plan: Plan): PlannedRow[] {
  return plan.statements.map(({ row, to, pin, bans, ruleOf }) => ({
    itemId: row.itemId,
    number: row.number,
    to: to === 0 ? null : to,
    pin,
    bans,
    ruleOf,
  }))
}
