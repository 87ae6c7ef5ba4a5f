import type {
  ComparisonSessions,
  GeneratorOptions,
  getComparisonUsage,
} from '@groundswell/contract/evaluation/comparisons.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Run } from './run.ts'
import type { RunHead } from './run-index.ts'

type Generator = RunHead['generator']

/** Each list of the options, and the value of a generator that it lists. */
const kinds = {
  llm_model_names: 'llm_model_name',
  llm_temperatures: 'llm_temperature',
  llm_reasonings: 'llm_reasoning',
  llm_verbosities: 'llm_verbosity',
  methods: 'method',
  system_prompts: 'system_prompt',
  response_classes: 'response_class',
} as const satisfies Record<keyof GeneratorOptions, keyof Generator>

const kindList = Object.entries(kinds) as [keyof GeneratorOptions, (typeof kinds)[keyof GeneratorOptions]][]

/** Every value that the generators of these runs have, once, in order: numbers by size, text by the alphabet. */
export function optionsOf(runs: readonly RunHead[]): GeneratorOptions {
  const valuesOf = (name: (typeof kinds)[keyof GeneratorOptions]) => {
    const values = new Map<string, string | number>()
    for (const { generator } of runs) {
      const value = generator[name]
      if (value !== null && value !== undefined) values.set(String(value), value)
    }
    return [...values.values()].toSorted(inOrder)
  }
  const textsOf = (name: (typeof kinds)[keyof GeneratorOptions]) => valuesOf(name).map(String)
  return {
    llm_model_names: textsOf('llm_model_name'),
    llm_temperatures: valuesOf('llm_temperature'),
    llm_reasonings: textsOf('llm_reasoning'),
    llm_verbosities: textsOf('llm_verbosity'),
    methods: textsOf('method'),
    system_prompts: textsOf('system_prompt'),
    response_classes: textsOf('response_class'),
  }
}

/** The runs whose generators pass the filter. An empty list does not filter. */
export function filterRuns(runs: readonly RunHead[], filter: GeneratorOptions): RunHead[] {
  const asked = kindList
    .map(([list, name]) => ({ name, values: new Set(filter[list].map(String)) }))
    .filter(({ values }) => values.size > 0)
  return runs.filter(({ generator }) =>
    asked.every(({ name, values }) => {
      const value = generator[name]
      return value !== null && value !== undefined && values.has(String(value))
    }),
  )
}

/** The sources of these runs, once each. */
export function sourcesOf(runs: readonly RunHead[]): string[] {
  return [...new Set(runs.map((run) => run.source_id))].toSorted()
}

/** One comparison: the runs of one source, time range and input. `bytes`: of its runs, with their input once. */
type Group = Pick<RunHead, 'datetime_from' | 'datetime_to'> & { heads: RunHead[]; bytes: number }

/** The outputs of the generators side by side, before their runs are read. */
export type Layout = {
  /** Their labels, sorted. */
  generators: string[]
  /** The place of each generator among them, by its key. */
  columns: Map<string, number>
  groups: Group[]
}

/** Puts the runs of the generators side by side: one group for each source, time range and input, oldest first. */
export function layoutOf(heads: readonly RunHead[]): Layout {
  const labels = labelsOf(heads)
  const generators = [...labels.values()].toSorted(inOrder)
  const columns = new Map([...labels].map(([key, label]) => [key, generators.indexOf(label)]))
  const groups = new Map<string, Group>()
  for (const head of heads) {
    const { subject, datetime_from, datetime_to, bytes, inputBytes } = head
    const group = groups.get(subject) ?? { datetime_from, datetime_to, heads: [], bytes: inputBytes }
    groups.set(subject, group)
    group.heads.push(head)
    group.bytes += Math.max(0, bytes - inputBytes)
  }
  return {
    generators,
    columns,
    groups: [...groups.values()].toSorted(
      (a, b) => inOrder(a.datetime_from, b.datetime_from) || inOrder(a.datetime_to, b.datetime_to),
    ),
  }
}

/**
 * Groups of a layout with the runs of their heads, in order: a list of responses for each generator, empty where it has none. Two runs of one generator on one
 * input are joined.
 */
export function comparisonsOf(
  { generators, columns }: Layout,
  groups: readonly Group[],
  runs: readonly Run[],
): ComparisonSessions['comparisons'] {
  let at = 0
  return groups.map(({ datetime_from, datetime_to, heads }) => {
    const own = runs.slice(at, at + heads.length)
    at += heads.length
    const responses: Run['responses'][] = generators.map(() => [])
    for (const [index, head] of heads.entries())
      for (const response of own[index]?.responses ?? [])
        responses[columns.get(head.generatorKey) ?? -1]?.push(response)
    return { datetime_from, datetime_to, responses, formatted_user_input: own[0]?.formatted_user_input ?? '' }
  })
}

/** What the answers of each generator took, in the order of `layoutOf`. An answer whose file does not say it is left out, and so is a generator without any. */
export function usageOf(runs: readonly RunHead[]): ReplyOf<typeof getComparisonUsage>['generators'] {
  const labels = labelsOf(runs)
  const sums = new Map<string, { answers: number; calls: number; tokens: number; seconds: number }>()
  for (const run of runs) {
    if (!run.usage) continue
    const label = labels.get(run.generatorKey) ?? ''
    const { answers, calls, tokens, seconds } = sums.get(label) ?? { answers: 0, calls: 0, tokens: 0, seconds: 0 }
    sums.set(label, {
      answers: answers + 1,
      calls: calls + run.usage.calls,
      tokens: tokens + run.usage.tokens,
      seconds: seconds + run.usage.seconds,
    })
  }
  return [...sums]
    .map(([generator, sum]) => ({ generator, ...sum }))
    .toSorted((a, b) => inOrder(a.generator, b.generator))
}

/** A label for each different generator. Those of the same name get a number, so that no two columns have the same name. */
function labelsOf(runs: readonly RunHead[]): Map<string, string> {
  const labels = new Map<string, string>()
  const taken = new Set<string>()
  for (const { generator, generatorKey: key } of runs) {
    if (labels.has(key)) continue
    const name = generator.label || nameOf(generator)
    let label = name
    for (let number = 2; taken.has(label); number += 1) label = `${name} (${number})`
    taken.add(label)
    labels.set(key, label)
  }
  return labels
}

function nameOf(generator: Generator): string {
  const parts = [generator.llm_model_name, generator.llm_temperature, generator.method].filter(
    (part) => part !== null && part !== undefined && part !== '',
  )
  return parts.join(' · ') || 'Generator'
}

function inOrder(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [String(a), String(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
