import type { ModelChoice } from '@groundswell/encoder/index.ts'

/** What the child process is started with, as JSON in its only argument. */
export type ChildOptions = { model: ModelChoice; revectorize: boolean }

/** A request to the child. It answers one after the other, in their order. */
export type EncodeRequest = { id: number; texts: string[] }

/** Why the encoder cannot be used. */
export type UnusableReason = 'missing' | 'wrong vectors' | 'failed'

/** `vectors`: those of all texts of a request, one after the other. The first message is `ready` or `unusable`. */
export type ChildMessage =
  | { kind: 'ready'; model: string }
  | { kind: 'unusable'; reason: UnusableReason; message: string }
  | { kind: 'vectors'; id: number; vectors: Float32Array }
