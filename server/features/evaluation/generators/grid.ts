import { z } from 'zod'
import { Generator } from './generator.ts'

const MAX_GENERATORS = 200

const Choice = z.record(z.string(), z.unknown())
const Moment = z.iso.datetime({ offset: true })

/** A grid of generators over sources and windows, as a person writes it. */
export const GridFile = z.strictObject({
  /** The name of the comparison directory. */
  name: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'letters, digits, spaces, dots and dashes')
    .max(80),
  /** The fields of a generator, each a value or a list of values: every combination is one generator. */
  generators: z.array(Choice).min(1).max(MAX_GENERATORS),
  windows: z
    .strictObject({
      /** Default: all of the feedback. */
      source_ids: z.array(z.string().min(1)).min(1).optional(),
      /** The messages of all these sources in the same windows, which have the source `All sources`. Default: each source has its own. */
      together: z.boolean().optional(),
      datetime_from: Moment,
      /** Not included. */
      datetime_to: Moment,
      /** The length of one window. Default: from beginning to end. */
      days: z.number().positive().max(3_660).optional(),
      /** Windows with fewer messages are left out. */
      min_messages: z.int().min(1).default(1),
    })
    .optional()
    .describe('Default: one window of each source, with all of its messages'),
  /** How often each generator answers each window again, so that its stability can be graded. */
  repeats: z.int().min(0).max(10).default(0),
})
export type GridFile = z.infer<typeof GridFile>

/** A grid as it is run: each generator with all its values. */
export type Grid = Omit<GridFile, 'generators'> & { generators: Generator[] }

/** A grid that cannot be used; the message names the place. */
export class BrokenGrid extends Error {
  override name = 'BrokenGrid'
}

/** The grid of a file's text, with every generator. Throws `BrokenGrid`. */
export function parseGrid(text: string): Grid {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new BrokenGrid('The grid is not JSON.')
  }
  const { generators: choices, ...grid } = fitting(GridFile, content, '')
  const generators = choices.flatMap((choice, at) =>
    combinations(choice).map((one) => fitting(Generator, one, `generators.${at}`)),
  )
  const unique = [...new Map(generators.map((one) => [JSON.stringify(one), one])).values()]
  if (unique.length > MAX_GENERATORS) throw new BrokenGrid(`The grid has more than ${MAX_GENERATORS} generators.`)
  return { ...grid, generators: unique }
}

/** Every combination of the values of the lists, in order: the last field changes first. */
function combinations(choice: Record<string, unknown>): Record<string, unknown>[] {
  let made: Record<string, unknown>[] = [{}]
  for (const [field, value] of Object.entries(choice)) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    made = made.flatMap((one) => values.map((each) => ({ ...one, [field]: each }))).slice(0, MAX_GENERATORS + 1)
  }
  return made
}

function fitting<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = [where, ...(issue?.path.map(String) ?? [])].filter((part) => part !== '').join('.')
  throw new BrokenGrid(`The grid cannot be used. ${place === '' ? 'It' : `"${place}"`}: ${issue?.message ?? ''}.`)
}
