import * as z from 'zod/mini'

const Text = z.nullish(z.string())

const Generator = z.looseObject({
  label: Text,
  llm_model_name: Text,
  llm_temperature: z.nullish(z.union([z.number(), z.string()])),
  llm_reasoning: Text,
  llm_verbosity: Text,
  method: Text,
  system_prompt: Text,
  response_class: Text,
})

/** The fields that make generators different. */
export const GENERATOR_FIELDS = Object.keys(Generator.shape) as (keyof typeof Generator.shape)[]

/** One answer of one generator to one input, as a file holds it. The README beside this describes the format. */
export const Run = z.looseObject({
  generator: Generator,
  source_id: z.string().check(z.minLength(1), z.maxLength(500)),
  datetime_from: z.string(),
  datetime_to: z.string(),
  formatted_user_input: z.string(),
  responses: z.array(z.record(z.string(), z.unknown())),
})
export type Run = z.infer<typeof Run>

/** A file of a comparison directory: answers of generators. */
export const Runs = z.looseObject({ runs: z.array(Run) })
