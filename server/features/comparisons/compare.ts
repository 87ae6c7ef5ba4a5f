import type {
  ComparisonSessions,
  GeneratorOptions,
  getComparisonUsage,
} from '@groundswell/contract/evaluation/comparisons.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import * as z from 'zod/mini'
import type { Run } from './run.ts'

type Generator = Run['generator']

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
export function optionsOf(runs: readonly Run[]): GeneratorOptions {
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
export function filterRuns(runs: readonly Run[], filter: GeneratorOptions): Run[] {
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
export function sourcesOf(runs: readonly Run[]): string[] {
  return [...new Set(runs.map((run) => run.source_id))].toSorted()
}

/**
 * Puts the outputs of the generators side by side: one comparison for each source, time range and input, oldest first, with a
 * list of responses for each generator, empty where it has none. Two runs of one generator on one input are joined.
 */
export function compare(runs: readonly Run[]): ComparisonSessions {
  const labels = labelsOf(runs)
  const generators = [...labels.values()].toSorted(inOrder)
  const place = new Map(generators.map((label, index) => [label, index]))
  const comparisons = new Map<string, ComparisonSessions['comparisons'][number]>()
  for (const run of runs) {
    const { source_id, datetime_from, datetime_to, formatted_user_input } = run
    const key = JSON.stringify([source_id, datetime_from, datetime_to, formatted_user_input])
    const comparison = comparisons.get(key) ?? {
      datetime_from,
      datetime_to,
      responses: generators.map(() => []),
      formatted_user_input,
    }
    comparisons.set(key, comparison)
    const column = comparison.responses[place.get(labels.get(identity(run.generator)) ?? '') ?? -1]
    for (const response of run.responses) column?.push(response)
  }
  const ordered = [...comparisons.values()].toSorted(
    (a, b) => inOrder(a.datetime_from, b.datetime_from) || inOrder(a.datetime_to, b.datetime_to),
  )
  return { generators, comparisons: ordered }
}

const Usage = z.object({
  calls: z.number().check(z.minimum(0)),
  tokens: z.number().check(z.minimum(0)),
  seconds: z.number().check(z.minimum(0)),
})

/** What the answers of each generator took, in the order of `compare`. An answer whose file does not say it is left out, and so is a generator without any. */
export function usageOf(runs: readonly Run[]): ReplyOf<typeof getComparisonUsage>['generators'] {
  const labels = labelsOf(runs)
  const sums = new Map<string, { answers: number; calls: number; tokens: number; seconds: number }>()
  for (const run of runs) {
    const usage = Usage.safeParse(run['usage'])
    if (!usage.success) continue
    const label = labels.get(identity(run.generator)) ?? ''
    const { answers, calls, tokens, seconds } = sums.get(label) ?? { answers: 0, calls: 0, tokens: 0, seconds: 0 }
    sums.set(label, {
      answers: answers + 1,
      calls: calls + usage.data.calls,
      tokens: tokens + usage.data.tokens,
      seconds: seconds + usage.data.seconds,
    })
  }
  return [...sums]
    .map(([generator, sum]) => ({ generator, ...sum }))
    .toSorted((a, b) => inOrder(a.generator, b.generator))
}

/** A label for each different generator. Those of the same name get a number, so that no two columns are named alike. */
function labelsOf(runs: readonly Run[]): Map<string, string> {
  const labels = new Map<string, string>()
  const taken = new Set<string>()
  for (const { generator } of runs) {
    const key = identity(generator)
    if (labels.has(key)) continue
    const name = generator.label || nameOf(generator)
    let label = name
    for (let number = 2; taken.has(label); number += 1) label = `${name} (${number})`
    taken.add(label)
    labels.set(key, label)
  }
  return labels
}

function identity(generator: Generator): string {
  return JSON.stringify([generator.label ?? null, ...kindList.map(([, name]) => generator[name] ?? null)])
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
