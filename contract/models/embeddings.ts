import * as z from 'zod/mini'
import { route } from '../route.ts'

/**
 * A model that computes vectors of sentences. `openai-compatible`: a server, whose host is `where`; `local`: a model on this
 * machine, run by transformers.js. The operator sets which one is offered, as for the language model.
 */
export const EmbeddingModel = z.object({
  provider: z.enum(['openai-compatible', 'local']),
  model: z.string(),
  where: z.string(),
})
export type EmbeddingModel = z.infer<typeof EmbeddingModel>

/**
 * One insight that would change. `issue_number` is null for a new one; `others` are names: of the insights that it splits off
 * from or merges into. `changed` ones gain or lose mentions.
 */
export const SwitchExample = z.object({
  kind: z.enum(['born', 'ended', 'merged', 'split', 'changed']),
  issue_number: z.nullable(z.int()),
  name: z.string(),
  others: z.array(z.string()),
  mentions_before: z.int(),
  mentions_after: z.int(),
})
export type SwitchExample = z.infer<typeof SwitchExample>

/**
 * What applying a switch would change. `same` + `changed` + `merged` + `ended` are the insights shown now; `same` + `changed` +
 * `born` + `split` are those afterwards. `merged` merge into another, `split` split off from one, `born` are made of mentions
 * that are in none, `ended` are no longer shown. `mentions_moved` of `mentions` change their insight, or enter or leave one. At
 * most 5 examples of each kind, the largest first.
 */
export const SwitchPreview = z.object({
  insights_before: z.int(),
  insights_after: z.int(),
  same: z.int(),
  changed: z.int(),
  born: z.int(),
  ended: z.int(),
  merged: z.int(),
  split: z.int(),
  mentions: z.int(),
  mentions_moved: z.int(),
  examples: z.array(SwitchExample),
})
export type SwitchPreview = z.infer<typeof SwitchPreview>

/**
 * A switch to another model, or back to words alone (`to` is null). gathering: vectors are computed, `embedded` of `statements`.
 * grouping: the preview is computed. ready: `preview` is set; nothing shown has changed. applying: requested, done within
 * seconds. The last three have ended. `problem`: why it failed; in other states why it waits, or why the preview has to be
 * reviewed again.
 */
export const EmbeddingSwitch = z.object({
  switch_id: z.string(),
  to: z.nullable(z.string()),
  state: z.enum(['gathering', 'grouping', 'ready', 'applying', 'applied', 'discarded', 'failed']),
  embedded: z.int(),
  statements: z.int(),
  problem: z.nullable(z.string()),
  preview: z.nullable(SwitchPreview),
  began_by: z.string(),
  began_at: z.string(),
  ended_at: z.nullable(z.string()),
})
export type EmbeddingSwitch = z.infer<typeof EmbeddingSwitch>

/**
 * The sentence encoder that comes with the product. It has computed the vectors of `done` of `total` statements, whether or not
 * the workspace groups with them. `problem`: why it cannot be used, as a sentence, and since when.
 */
export const BuiltinEncoder = z.object({
  model: z.string(),
  done: z.int(),
  total: z.int(),
  problem: z.nullable(z.object({ what: z.string(), since: z.string() })),
})
export type BuiltinEncoder = z.infer<typeof BuiltinEncoder>

/**
 * `offered`: the model that the server was started with; null: none. `builtin`: the encoder that comes with the product; null:
 * the operator has switched it off. `using`: the model whose vectors this workspace groups with; null: words alone.
 * `using_builtin`: that is the built-in one. `ready` is false when `using` is neither the offered nor the built-in model: then
 * words alone decide, and stored vectors stay. `other_since`: since when the name of the model in use has referred to a different model, which is the offered one; null:
 * it has not changed. `embedded` of `statements` have a vector of the model in use (both 0 without one). `budget`: the tokens
 * that all workspaces may use of the offered model in a UTC day; `spent`: missing vectors wait for the next day; null: no budget.
 * `problem` is about the offered model, as a sentence; no call is made before `paused_until`. `switch`: the open one, or the
 * newest.
 */
export const EmbeddingState = z.object({
  offered: z.nullable(EmbeddingModel),
  builtin: z.nullable(BuiltinEncoder),
  using: z.nullable(z.string()),
  using_builtin: z.boolean(),
  ready: z.boolean(),
  other_since: z.nullable(z.string()),
  embedded: z.int(),
  statements: z.int(),
  budget: z.nullable(z.object({ used: z.int(), per_day: z.int(), spent: z.boolean() })),
  problem: z.nullable(z.object({ what: z.string(), since: z.string(), paused_until: z.nullable(z.string()) })),
  switch: z.nullable(EmbeddingSwitch),
})
export type EmbeddingState = z.infer<typeof EmbeddingState>

const SwitchId = z.object({ switch_id: z.uuid() })

export const getEmbeddings = route({
  name: 'getEmbeddings',
  summary: 'Which embedding model is offered and used, its progress, and the newest switch',
  method: 'GET',
  path: '/api/embeddings',
  access: 'viewer',
  reply: EmbeddingState,
  errors: [],
})

/**
 * `reading`: the pass over many messages that is under way, such as those of an import; null if there is none, or it has not advanced for two
 * minutes. `ended_at`: when the last one ended.
 */
export const getReading = route({
  name: 'getReading',
  summary: 'The progress of the built-in encoder on many new messages',
  method: 'GET',
  path: '/api/embeddings/reading',
  access: 'viewer',
  reply: z.object({
    reading: z.nullable(z.object({ done: z.int(), total: z.int() })),
    ended_at: z.nullable(z.string()),
  }),
  errors: [],
})

/**
 * `offered` prepares grouping with the model that the server offers, and `builtin` with the one that comes with the product, also
 * when it is already in use: then feedback that arrived while the model was unavailable is grouped again. `words` prepares going
 * back. Conflict while another switch is open, and when
 * there is nothing to switch to.
 */
export const beginEmbeddingSwitch = route({
  name: 'beginEmbeddingSwitch',
  summary: 'Prepare a switch: vectors and a preview are made in the background; nothing shown changes',
  method: 'POST',
  path: '/api/embeddings/switches',
  access: 'admin',
  audit: { action: 'embeddings.prepared' },
  body: z.object({ to: z.enum(['offered', 'builtin', 'words']) }),
  reply: z.object({ switch_id: z.string() }),
  errors: ['invalid_input', 'conflict'],
  needs: 'an embedding model',
  example: () => ({ body: { to: 'words' } }),
})

/** For a `ready` switch: it is `applying`, then `applied`; or `ready` again with a newer preview when much has changed. */
export const applyEmbeddingSwitch = route({
  name: 'applyEmbeddingSwitch',
  summary: 'Apply a prepared switch in one transaction',
  method: 'POST',
  path: '/api/embeddings/switches/{switch_id}/apply',
  access: 'admin',
  audit: { action: 'embeddings.applied', target: 'switch_id' },
  params: SwitchId,
  reply: z.object({ switch_id: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ embeddingSwitch }) => ({ params: { switch_id: embeddingSwitch } }),
})

/** Cancels a switch to another model, even while it is prepared. Vectors computed so far are kept for the next time. */
export const discardEmbeddingSwitch = route({
  name: 'discardEmbeddingSwitch',
  summary: 'Discard a switch that has not been applied; nothing changes',
  method: 'DELETE',
  path: '/api/embeddings/switches/{switch_id}',
  access: 'admin',
  audit: { action: 'embeddings.discarded', target: 'switch_id' },
  params: SwitchId,
  reply: z.object({ switch_id: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ embeddingSwitch }) => ({ params: { switch_id: embeddingSwitch } }),
})
