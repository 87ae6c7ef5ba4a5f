import { REASONINGS, VERBOSITIES } from '@groundswell/contract/evaluation/runs.ts'
import { z } from 'zod'
import { ResponseClass } from './response-classes.ts'

const METHODS = ['built-in', 'read-group-review', 'single-prompt'] as const

/** What the built-in method compares: words alone, or also sentences, by the built-in encoder. */
const BUILT_IN_MODELS = ['words', 'sentences'] as const

const fields = {
  /** Names its column; by default made of model, class and method. */
  label: z.string().trim().min(1).max(100).nullable().default(null),
  /** For `built-in` one of `BUILT_IN_MODELS`; else the name at the provider of the settings. */
  llm_model_name: z.string().trim().min(1).max(200),
  temperature: z.number().min(0).max(2).nullable().default(null),
  reasoning: z.enum(REASONINGS).nullable().default(null),
  /** For `built-in`: `low` gives regular insights with one quote, `medium` (the default) also emerging ones and three quotes, `high` all quotes. */
  verbosity: z.enum(VERBOSITIES).nullable().default(null),
  method: z.enum(METHODS),
  /** Only for `single-prompt`; the other methods have the product's own prompts, or none. */
  system_prompt: z.string().trim().min(1).max(20_000).nullable().default(null),
  response_class: ResponseClass,
}

/** One configuration that turns a window of feedback into responses. */
export const Generator = z.strictObject(fields).superRefine((one, context) => {
  const refuse = (path: keyof typeof fields, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  const isBuiltIn = (BUILT_IN_MODELS as readonly string[]).includes(one.llm_model_name)
  if (one.method === 'single-prompt' && one.system_prompt === null) refuse('system_prompt', 'single-prompt needs one')
  if (one.method !== 'single-prompt' && one.system_prompt !== null)
    refuse('system_prompt', `${one.method} takes none: it has its own`)
  if (one.method !== 'built-in') return
  if (!isBuiltIn) refuse('llm_model_name', `built-in takes ${BUILT_IN_MODELS.join(' or ')}`)
  if (one.temperature !== null) refuse('temperature', 'built-in takes none: it asks no model')
  if (one.reasoning !== null) refuse('reasoning', 'built-in takes none: it asks no model')
})
export type Generator = z.infer<typeof Generator>

/** A name for a generator without a label. */
export function labelOf({ label, llm_model_name, temperature, verbosity, method, response_class }: Generator): string {
  if (label !== null) return label
  const parts = [llm_model_name, temperature, verbosity, response_class, method]
  return parts.filter((part) => part !== null).join(' · ')
}
