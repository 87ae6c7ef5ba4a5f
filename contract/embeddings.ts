import * as z from 'zod/mini'
import { route } from './route.ts'

/**
 * What makes vectors of sentences. `openai-compatible`: a server at an address, shown as `where`; `local`: a model on this
 * machine by transformers.js. Which one is offered is set where the server is started, as the language model is.
 */
export const EmbeddingModel = z.object({
  provider: z.enum(['openai-compatible', 'local']),
  model: z.string(),
  where: z.string(),
})
export type EmbeddingModel = z.infer<typeof EmbeddingModel>

/**
 * One insight that would be another. `issue_number` is null for one that has none yet; `others` are names: of what it came
 * from (split, merged: what it goes into). Of `changed` ones mentions come or go.
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
 * What applying a switch would do to the insights that are shown. `same` + `changed` + `merged` + `ended` are those of today;
 * `same` + `changed` + `born` + `split` are those of after. `merged` go into another one, `split` come out of one, `born` come
 * of mentions that were in none, `ended` are shown no more. `mentions_moved` of `mentions` change their insight, or come
 * into or out of one. At most 5 examples of each kind, the largest first.
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
 * A switch to another model, or back to words alone (`to` is null). gathering: vectors are made, `embedded` of `statements`.
 * grouping: what would change is worked out. ready: `preview` is there; nothing shown has changed. applying: asked for, done in
 * seconds. The last three are over: failed says why in `problem`. `problem` in other states: why it waits, or why the preview
 * has to be looked at again.
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
 * `offered`: the model that the server was started with; null: none. `using`: the model whose vectors this workspace groups
 * with; null: words alone. `ready` is false when `using` is not what is offered now: then words alone decide, and what was
 * made stays. `other_since`: since when the model in use answers otherwise than it did, so that behind its name is another
 * model, which is the one that is offered; null: it is as it was. `embedded` of `statements` have a vector of the model in use (both
 * 0 without one). `budget`: the tokens that all workspaces may use of the offered model in a UTC day; `spent`: what is missing waits
 * for the next one; null: it has none. `problem` is about the offered model, in plain words; it is not asked before
 * `paused_until`. `switch`: the newest one, also when it is over.
 */
export const EmbeddingState = z.object({
  offered: z.nullable(EmbeddingModel),
  using: z.nullable(z.string()),
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
  summary: 'Which embedding model is offered and used, how far it is, and the newest switch',
  method: 'GET',
  path: '/api/embeddings',
  access: 'member',
  reply: EmbeddingState,
  errors: [],
})

/**
 * `offered` prepares grouping with the model that the server offers, also when it is used already: then what came while the
 * model was away is grouped again. `words` prepares going back. Refused (conflict) while another one is under way, and where
 * there is nothing to switch to.
 */
export const beginEmbeddingSwitch = route({
  name: 'beginEmbeddingSwitch',
  summary: 'Prepare another model: its vectors and a preview are made in the background; nothing shown changes',
  method: 'POST',
  path: '/api/embeddings/switches',
  access: 'admin',
  body: z.object({ to: z.enum(['offered', 'words']) }),
  reply: z.object({ switch_id: z.string() }),
  errors: ['invalid_input', 'conflict'],
})

/** Accepted for a `ready` one: it is `applying`, then `applied`; or `ready` again with a newer preview when much has changed. */
export const applyEmbeddingSwitch = route({
  name: 'applyEmbeddingSwitch',
  summary: 'Apply a prepared switch, all at once',
  method: 'POST',
  path: '/api/embeddings/switches/{switch_id}/apply',
  access: 'admin',
  params: SwitchId,
  reply: z.object({ switch_id: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict'],
})

/** Also takes back one that is being prepared. Vectors that were made are kept for the next time. */
export const discardEmbeddingSwitch = route({
  name: 'discardEmbeddingSwitch',
  summary: 'Discard a switch that is not applied; nothing changes',
  method: 'DELETE',
  path: '/api/embeddings/switches/{switch_id}',
  access: 'admin',
  params: SwitchId,
  reply: z.object({ switch_id: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict'],
})
