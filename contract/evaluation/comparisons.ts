import * as z from 'zod/mini'
import { route } from '../route.ts'
import { FileProblems } from './evals.ts'

const Names = z.array(z.string().check(z.maxLength(100_000))).check(z.maxLength(1_000))
const Temperatures = z.array(z.union([z.number(), z.string().check(z.maxLength(100))])).check(z.maxLength(1_000))

/**
 * The values that the generators of a directory were run with. As a filter it is a choice from them: a generator passes
 * when each of its values is among those chosen; an empty list matches everything.
 */
export const GeneratorOptions = z.object({
  llm_model_names: Names,
  llm_temperatures: Temperatures,
  llm_reasonings: Names,
  llm_verbosities: Names,
  methods: Names,
  system_prompts: Names,
  response_classes: Names,
})
export type GeneratorOptions = z.infer<typeof GeneratorOptions>

/** A filter with no option ticked, which every generator passes. */
export const NO_OPTIONS: GeneratorOptions = {
  llm_model_names: [],
  llm_temperatures: [],
  llm_reasonings: [],
  llm_verbosities: [],
  methods: [],
  system_prompts: [],
  response_classes: [],
}

/** `responses` holds one list per generator, in the order of `generators`. */
export const ComparisonSessions = z.object({
  generators: z.array(z.string()),
  comparisons: z.array(
    z.object({
      datetime_from: z.string(),
      datetime_to: z.string(),
      responses: z.array(z.array(z.record(z.string(), z.unknown()))),
      formatted_user_input: z.string(),
    }),
  ),
})
export type ComparisonSessions = z.infer<typeof ComparisonSessions>

const SourceId = z.string().check(z.minLength(1), z.maxLength(500))
const SourceIds = z.array(SourceId).check(z.minLength(1), z.maxLength(1_000))

const Done = z.object({ message: z.string() })

export const getDirOptions = route({
  name: 'getDirOptions',
  summary: 'The names of the comparison directories',
  method: 'GET',
  path: '/comparison/get_dir_options',
  access: 'admin',
  reply: z.array(z.string()),
  errors: [],
})

/** `not_found`: there is no such directory. */
export const setDir = route({
  name: 'setDir',
  summary: 'Choose a directory, for the signed-in person only; clears both filters',
  method: 'POST',
  path: '/comparison/set_dir',
  access: 'admin',
  audit: 'none',
  body: z.object({ dir_name: z.string().check(z.minLength(1)) }),
  reply: Done,
  errors: ['invalid_input', 'not_found'],
  example: () => ({ body: { dir_name: 'none' } }),
})

/** `conflict`: no directory is chosen. `not_found`: the chosen one no longer exists. */
export const getGeneratorOptions = route({
  name: 'getGeneratorOptions',
  summary: 'The options that the generators of the chosen directory were run with',
  method: 'GET',
  path: '/comparison/get_generator_options',
  access: 'admin',
  reply: GeneratorOptions,
  errors: ['conflict', 'not_found'],
})

/** `conflict`: no directory is chosen. `not_found`: the chosen one no longer exists. */
export const setGeneratorFilter = route({
  name: 'setGeneratorFilter',
  summary: 'Choose generators; an empty list means all of that kind. Clears the input filter',
  method: 'POST',
  path: '/comparison/set_generator_filter',
  access: 'admin',
  audit: 'none',
  body: GeneratorOptions,
  reply: Done,
  errors: ['invalid_input', 'conflict', 'not_found'],
  example: () => ({
    body: NO_OPTIONS,
  }),
})

/** `conflict`: no directory or no generators are chosen. `not_found`: the chosen directory no longer exists. */
export const getInputOptions = route({
  name: 'getInputOptions',
  summary: 'The input sources that the chosen generators responded to',
  method: 'GET',
  path: '/comparison/get_input_options',
  access: 'admin',
  reply: z.object({ source_ids: z.array(z.string()) }),
  errors: ['conflict', 'not_found'],
})

/**
 * `conflict`: no directory or no generators are chosen. `not_found`: the chosen directory no longer exists, or the chosen generators did not
 * respond to one of these sources.
 */
export const setInputFilter = route({
  name: 'setInputFilter',
  summary: 'Choose an input source: its id, a list of ids, or an object that holds either',
  method: 'POST',
  path: '/comparison/set_input_filter',
  access: 'admin',
  audit: 'none',
  body: z.object({
    input_filter: z.union([
      SourceId,
      SourceIds,
      z.object({ source_id: SourceId }),
      z.object({ source_ids: SourceIds }),
    ]),
  }),
  reply: Done,
  errors: ['invalid_input', 'conflict', 'not_found'],
  example: () => ({ body: { input_filter: 'none' } }),
})

/**
 * `conflict`: a directory, generators or an input source is not chosen yet, or the comparisons are larger than 64 MiB: then getComparisonPages returns them.
 * `not_found`: the chosen directory no longer exists.
 */
export const getComparisonSessions = route({
  name: 'getComparisonSessions',
  summary: 'The responses of the chosen generators to the chosen input, one page per time range',
  method: 'GET',
  path: '/comparison/get_comparison_sessions',
  access: 'admin',
  reply: ComparisonSessions,
  errors: ['conflict', 'not_found'],
})

/** The most comparisons that one call of getComparisonPages returns. */
export const MAX_COMPARISON_PAGES = 100

/**
 * Some comparisons: at most `count` from the one at `from` (from 0), and fewer, but at least one, when together they are larger than 8 MiB. `total`: how many
 * there are. `generators`: of all of them. `invalid_input`: there is none at `from`. `conflict`: a directory, generators or an input source is not chosen yet, or
 * a file is being written. `not_found`: the chosen directory no longer exists.
 */
export const getComparisonPages = route({
  name: 'getComparisonPages',
  summary: 'Some comparisons of the chosen generators and input, also when they are too large to be returned at once',
  method: 'GET',
  path: '/comparison/pages',
  access: 'admin',
  query: z.object({
    from: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(2_147_483_647)), 0),
    count: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(MAX_COMPARISON_PAGES)), 20),
  }),
  reply: z.extend(ComparisonSessions, { total: z.int() }),
  errors: ['invalid_input', 'conflict', 'not_found'],
})

/**
 * `generators` has those whose answers say what they took. `answers`: how many of them; the rest are sums over these. `seconds`: until the answer was there, of the
 * built-in engine with its encoder.
 */
export const getComparisonUsage = route({
  name: 'getComparisonUsage',
  summary:
    'What the answers of the chosen generators to the chosen input took: calls and tokens of a model, and seconds',
  method: 'GET',
  path: '/comparison/usage',
  access: 'admin',
  reply: z.object({
    generators: z.array(
      z.object({ generator: z.string(), answers: z.int(), calls: z.number(), tokens: z.number(), seconds: z.number() }),
    ),
  }),
  errors: ['conflict', 'not_found'],
})

export const listComparisonProblems = route({
  name: 'listComparisonProblems',
  summary: 'The files of the chosen directory that cannot be used, and why; none before one is chosen',
  method: 'GET',
  path: '/comparison/problems',
  access: 'admin',
  reply: FileProblems,
  errors: ['not_found'],
})
