import type { MeaningUse } from '@groundswell/contract/feedback/feedback-search.ts'
import type { Tx } from '../../../platform/db/tenant.ts'

/** A search whose meaning can be compared with that of stored statements and insights. A similarity of 1 is the same meaning, about 0 none in common. */
export type ComparedSearch = {
  /** By statement (`item:number`), of all statements of these messages that can be compared. */
  similarities(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<Map<string, number>>
  /** The similarity of each insight that can be compared, in no order. */
  nearInsights(tx: Tx, workspaceId: string): Promise<{ issueNumber: number; similarity: number }[]>
}

/** Reads what someone searches for, within seconds; or why meanings are not compared. */
export type SearchByMeaning = (words: string) => Promise<ComparedSearch | Exclude<MeaningUse, 'used'>>
