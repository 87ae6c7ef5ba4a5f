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

export const Runs = z.looseObject({ runs: z.array(Run) })

/** What a file may hold: one run, a list of them, or an object with `runs`. */
export function runSchemaFor(content: unknown): z.ZodMiniType<Run | Run[] | { runs: Run[] }> {
  if (Array.isArray(content)) return z.array(Run)
  return typeof content === 'object' && content !== null && 'runs' in content ? Runs : Run
}

/** The runs of a file's content that has been parsed by its schema. */
export function runsOf(content: Run | Run[] | { runs: Run[] }): Run[] {
  if (Array.isArray(content)) return content
  return 'runs' in content && Array.isArray(content.runs) ? (content.runs as Run[]) : [content as Run]
}
