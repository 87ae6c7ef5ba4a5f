import type { CorrectionChange, CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { raiseRevision } from '../revision.ts'
import { markInsights, notePersonChange } from '../store.ts'
import { addCorrection, addEvent, type CorrectionRow } from './correction-store.ts'
import { readPoint, writePoint } from './point-store.ts'

type PointRequest = Extract<CorrectionRequest, { kind: 'point' }>
type Author = { person: string; now: Date }

/**
 * Corrects what a mention is read as: shown at once, and its message waits to be grouped by it. `issueNumber`: of the insight that it is in; null: none.
 * To be called under the lock on the version of the groups. Returns the id of the correction. Throws `conflict`.
 */
export async function correctPoint(
  tx: Tx,
  workspaceId: string,
  issueNumber: number | null,
  request: PointRequest,
  { changes, person, now }: Author & { changes: CorrectionChange[] },
): Promise<string> {
  const found = await readPoint(tx, workspaceId, request.mention)
  if (!found)
    throw new ContractError('conflict', 'This mention is not grouped by what was read in it, or is being read again')
  const point = request.point ?? found.read
  if (point === found.point) throw new ContractError('conflict', 'It is read as that already')
  await writePoint(tx, workspaceId, found, point)
  const touched = issueNumber === null ? [] : [issueNumber]
  await tell(tx, workspaceId, touched, { event: 'point', detail: { by: person, from: found.point, to: point }, now })
  return addCorrection(tx, workspaceId, {
    issueNumber,
    request: { ...request, was: found.point, made: point },
    person,
    state: 'applied',
    other: null,
    mentions: 1,
    touched,
    changes,
  })
}

/** Has the mention of such a correction read as before. Under the same lock. Throws `conflict`. */
export async function restorePoint(
  tx: Tx,
  workspaceId: string,
  { request, touched }: CorrectionRow,
  { person, now }: Author,
): Promise<void> {
  const found = request.kind === 'point' ? await readPoint(tx, workspaceId, request.mention) : null
  if (!found || !('was' in request)) throw new ContractError('conflict', 'The message was changed or deleted since')
  await writePoint(tx, workspaceId, found, request.was)
  await tell(tx, workspaceId, touched, { event: 'undone', detail: { by: person, tag: 'point' }, now })
}

async function tell(
  tx: Tx,
  workspaceId: string,
  touched: readonly number[],
  { event, detail, now }: { event: string; detail: Parameters<typeof addEvent>[4]; now: Date },
): Promise<void> {
  const [issueNumber] = touched
  if (issueNumber === undefined) return
  const revision = await raiseRevision(tx, workspaceId)
  await notePersonChange(tx, workspaceId, [issueNumber], now)
  await addEvent(tx, workspaceId, issueNumber, event, detail)
  await markInsights(tx, workspaceId, [issueNumber], revision)
}
