import type { GeneratorOptions } from '@groundswell/contract/evaluation/comparisons.ts'
import { formatDay } from '../../ui/text/moment.ts'
import { isPlainObject, listOf, textOf } from '../../ui/text/plain-text.ts'

/** The seven groups of generator options, in their order on the screen. */
export const OPTION_GROUPS = [
  ['llm_model_names', 'LLM Model Names'],
  ['llm_temperatures', 'Temperatures'],
  ['llm_reasonings', 'Reasonings'],
  ['llm_verbosities', 'Verbosities'],
  ['methods', 'Methods'],
  ['system_prompts', 'System Prompts'],
  ['response_classes', 'Response Classes'],
] as const satisfies readonly (readonly [keyof GeneratorOptions, string])[]

type ResponseEntries = readonly (readonly [string, unknown])[]

/** The answers of all generators to one window of feedback; `from`, `to`: ISO times. */
export type ComparisonView = {
  from: string
  to: string
  /** Row by row, for each generator its response or null. */
  rows: (ResponseEntries | null)[][]
  input: string
}

/** All comparisons of a source. `generators`: in the order of the responses in each row. */
export type SessionsView = { generators: string[]; comparisons: ComparisonView[] }

/** A directory without sessions. */
export const NO_SESSIONS: SessionsView = { generators: [], comparisons: [] }

/** Generator options with all seven lists, even if a server omits some. */
export function viewOptions(options: unknown): GeneratorOptions {
  const given = isPlainObject(options) ? options : {}
  const texts = (name: keyof GeneratorOptions) => listOf(given[name]).filter(isOption).map(String)
  return {
    llm_model_names: texts('llm_model_names'),
    llm_temperatures: listOf(given['llm_temperatures']).filter(isOption),
    llm_reasonings: texts('llm_reasonings'),
    llm_verbosities: texts('llm_verbosities'),
    methods: texts('methods'),
    system_prompts: texts('system_prompts'),
    response_classes: texts('response_classes'),
  }
}

/** The options with one value ticked or unticked. */
export function toggleOption(
  ticked: GeneratorOptions,
  group: keyof GeneratorOptions,
  value: string | number,
): GeneratorOptions {
  const now: (string | number)[] = ticked[group]
  const next = now.includes(value) ? now.filter((one) => one !== value) : [...now, value]
  return { ...ticked, [group]: next }
}

/** The ids of the input sources. */
export function viewSources(options: unknown): string[] {
  return listOf(isPlainObject(options) ? options['source_ids'] : null)
    .filter(isOption)
    .map(String)
}

/**
 * Comparisons for the screen. The responses of a comparison are a list for each generator, in the order of the generators or
 * keyed by their labels; servers do either.
 */
export function viewSessions(sessions: unknown): SessionsView {
  const given = isPlainObject(sessions) ? sessions : {}
  const generators = listOf(given['generators']).map(textOf)
  const comparisons = listOf(given['comparisons']).filter(isPlainObject)
  return { generators, comparisons: comparisons.map((one) => viewComparison(one, generators)) }
}

function viewComparison(comparison: Record<string, unknown>, generators: readonly string[]): ComparisonView {
  const responses = comparison['responses']
  const columns = generators.map((label, index) => {
    return listOf(isPlainObject(responses) ? responses[label] : listOf(responses)[index]).map(entriesOf)
  })
  const count = Math.max(0, ...columns.map((column) => column.length))
  return {
    from: formatDay(textOf(comparison['datetime_from'])),
    to: formatDay(textOf(comparison['datetime_to'])),
    rows: Array.from({ length: count }, (_, row) => columns.map((column) => column[row] ?? null)),
    input: textOf(comparison['formatted_user_input']),
  }
}

function entriesOf(response: unknown): ResponseEntries {
  return isPlainObject(response) ? Object.entries(response) : [['Response', response]]
}

function isOption(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
