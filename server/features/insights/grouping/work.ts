import type { Advice, ReviewDecisions } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type CorrectionWork, readCorrectionWork } from '../corrections/work.ts'
import { readSettled } from '../settled-store.ts'
import { type KindWork, noKindWork, readKindWork } from './kind-work.ts'
import { type LateWork, noLateWork, readLateWork } from './late-vectors.ts'
import { type Founding, readAdvice, readFoundings } from './stores/advice-store.ts'
import { readEmergingMarks } from './stores/emerging-store.ts'
import { readDecisions } from './stores/review-move-store.ts'
import { readVersion } from './stores/state-store.ts'
import {
  type DeletionMark,
  type ForgottenItem,
  readForgotten,
  readMarks,
  readWaiting,
  type WaitingItem,
} from './stores/work-store.ts'
import type { GroupingModel, VectorSource } from './vector-source.ts'

/** What the next step of grouping does, as read when the groups of the workspace were at `version`. */
export type Work = {
  version: number
  items: WaitingItem[]
  forgotten: ForgottenItem[]
  marks: DeletionMark[]
  /** applied in its own step, before anything else */
  correction: CorrectionWork | null
  advice: Advice[]
  founded: Founding[]
  /** what reviews decided about insights */
  reviewed: ReviewDecisions
  /** insights that people settled, see `readSettled` */
  settled: readonly number[]
  late: LateWork
  kinds: KindWork
}

/** A step that handles nothing that waits. */
export const noWork = (version: number): Work => ({
  version,
  items: [],
  forgotten: [],
  marks: [],
  correction: null,
  advice: [],
  founded: [],
  reviewed: { moves: [], merges: [] },
  settled: [],
  late: noLateWork,
  kinds: noKindWork,
})

/** What the next step has to do in a workspace that groups with `model`, with at most `limit` items. */
export async function readWork(
  tx: Tx,
  workspaceId: string,
  { limit, model, vectors }: { limit: number; model: GroupingModel | null; vectors: VectorSource | undefined },
): Promise<Work> {
  const version = await readVersion(tx, workspaceId)
  const correction = await readCorrectionWork(tx, workspaceId)
  if (correction) return { ...noWork(version), correction }
  const items = await readWaiting(tx, workspaceId, limit)
  const forgotten = await readForgotten(tx, workspaceId)
  const marks = [...(await readMarks(tx, workspaceId)), ...(await readEmergingMarks(tx, workspaceId))]
  const advice = await readAdvice(tx, workspaceId)
  const founded = await readFoundings(tx, workspaceId)
  const reviewed = await readDecisions(tx, workspaceId)
  const late = await readLateWork(tx, workspaceId, model, vectors)
  const kinds = await readKindWork(tx, workspaceId, { late, items }, { model, vectors })
  const settled = await readSettled(tx, workspaceId)
  return { version, items, forgotten, marks, correction: null, advice, founded, reviewed, settled, late, kinds }
}

/** Whether a step has nothing to do. */
export function isEmpty({
  items,
  forgotten,
  marks,
  correction,
  advice,
  founded,
  reviewed,
  late,
  kinds,
}: Work): boolean {
  const waiting = [
    items,
    forgotten,
    marks,
    advice,
    founded,
    reviewed.moves,
    reviewed.merges,
    late.items,
    kinds.requests,
  ]
  return correction === null && waiting.every((one) => one.length === 0)
}
