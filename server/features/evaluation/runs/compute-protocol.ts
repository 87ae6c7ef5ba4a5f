import type { Grouping, SentenceEncoder, SplitItem } from '@groundswell/engine/index.ts'
import type { Run } from '../../comparisons/index.ts'
import type { Session } from '../evaluators/grade-run.ts'

/** What the thread computes: groups of messages, or the session of one answer. */
export type Task =
  | { op: 'group'; items: SplitItem[]; options: { encoder?: SentenceEncoder } }
  | { op: 'grade'; run: Run }

/** The reply of the thread to a request with this `op`. */
export type Result = { op: 'group'; grouping: Grouping } | { op: 'grade'; session: Session }

/** `error`: the message and the stack of what was thrown. */
export type Answer = { id: number; result: Result } | { id: number; error: { message: string; stack?: string } }
