import * as z from 'zod/mini'
import { route } from '../route.ts'
import { ErrorRate } from './error-rate.ts'

/** What the model takes for 1,000 messages, in tokens: measured on our labelled sets, with names (docs/models.md). */
export const TOKENS_PER_THOUSAND = { least: 190_000, most: 350_000 }

/**
 * `model`: the one that the server was started with; null: none. `where`: the host, or the provider, that messages are sent to. `tokens`:
 * what it would take for what it has not been asked about yet, in the `messages` that are stored now: `undecided` ones in no insight, and
 * the names of `unnamed` insights. `tokens_per_day`: the budget of the server, for all workspaces; null without a model. `judge_errors`: how often it takes what is
 * surely wrong for an undecided message's insight, by which its answers are weighed; absent without a model.
 */
export const LanguageModel = z.object({
  model: z.nullable(z.string()),
  where: z.nullable(z.string()),
  messages: z.int(),
  undecided: z.int(),
  unnamed: z.int(),
  tokens: z.int(),
  tokens_per_thousand: z.object({ least: z.int(), most: z.int() }),
  tokens_per_day: z.optional(z.nullable(z.int())),
  judge_errors: z.optional(ErrorRate),
})
export type LanguageModel = z.infer<typeof LanguageModel>

export const getLanguageModel = route({
  name: 'getLanguageModel',
  summary: 'The language model of the server, and what it would take for the stored messages',
  method: 'GET',
  path: '/api/language-model',
  access: 'viewer',
  reply: LanguageModel,
  errors: [],
})
