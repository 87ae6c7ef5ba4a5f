import type { Advice } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type CorrectionWork, readCorrectionWork } from '../corrections/work.ts'
import { readAdvice } from './advice-store.ts'
import { readVersion } from './state-store.ts'
import {
  type DeletionMark,
  type ForgottenItem,
  readForgotten,
  readMarks,
  readWaiting,
  type WaitingItem,
} from './work-store.ts'

/** What the next step of grouping does, as read when the groups of the workspace were at `version`. */
export type Work = {
  version: number
  items: WaitingItem[]
  forgotten: ForgottenItem[]
  marks: DeletionMark[]
  /** applied in a step of its own, before anything else */
  correction: CorrectionWork | null
  advice: Advice[]
}

/** A step that handles nothing that waits. */
export const noWork = (version: number): Work => ({
  version,
  items: [],
  forgotten: [],
  marks: [],
  correction: null,
  advice: [],
})

/** What the next step has to do, with at most `limit` items. */
export async function readWork(tx: Tx, workspaceId: string, limit: number): Promise<Work> {
  const version = await readVersion(tx, workspaceId)
  const correction = await readCorrectionWork(tx, workspaceId)
  if (correction) return { ...noWork(version), correction }
  const items = await readWaiting(tx, workspaceId, limit)
  const forgotten = await readForgotten(tx, workspaceId)
  const marks = await readMarks(tx, workspaceId)
  const advice = await readAdvice(tx, workspaceId)
  return { version, items, forgotten, marks, correction: null, advice }
}

export function isEmpty({ items, forgotten, marks, correction, advice }: Work): boolean {
  return correction === null && [items, forgotten, marks, advice].every((one) => one.length === 0)
}
