import { type GeneratorOptions, NO_OPTIONS } from '@groundswell/contract/evaluation/comparisons.ts'
import { OPTION_GROUPS } from './comparison-view.ts'

/** The position in the flow, as in the address. `ticked` is null before the filter is applied. */
export type FlowPlace = { directory: string; ticked: GeneratorOptions | null; source: string; index: number }

const APPLIED = 'filtered'

/** What the screen shows besides its position: two generators word by word, and the analysis, with what is chosen in them. */
const KEPT = ['words', 'first', 'second', 'different', 'analysis', 'measure', 'across', 'up'] as const
/** A parameter of the address that another position keeps. */
export type KeptPart = (typeof KEPT)[number]

/** A position in an address, with what the screen showed there; that ends with the source. */
export function keepParts(place: URLSearchParams, before: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(place)
  if (!place.has('source')) return next
  for (const part of KEPT) {
    const value = before.get(part)
    if (value && value !== '0') next.set(part, value)
  }
  return next
}

/** The place of a generator that an address names; `otherwise` where it is not among them. */
export function generatorAt(generators: readonly string[], name: string | null, otherwise: number): number {
  const place = name === null ? -1 : generators.indexOf(name)
  return place < 0 ? Math.max(0, Math.min(otherwise, generators.length - 1)) : place
}

/** Writes a position into an address: `dir`, the selected options by group, `source`, and `page` counted from 1. */
export function placeToAddress({ directory, ticked, source, index }: FlowPlace): URLSearchParams {
  const address = new URLSearchParams()
  if (directory === '') return address
  address.set('dir', directory)
  if (ticked === null) return address
  address.set(APPLIED, '1')
  for (const [group] of OPTION_GROUPS) for (const value of ticked[group]) address.append(group, JSON.stringify(value))
  if (source !== '') address.set('source', source)
  if (source !== '' && index > 0) address.set('page', String(index + 1))
  return address
}

/** Reads a position from an address; invalid parts are omitted. */
export function placeFromAddress(address: URLSearchParams): FlowPlace {
  const directory = address.get('dir') ?? ''
  const applied = directory !== '' && address.has(APPLIED)
  const texts = (group: keyof GeneratorOptions) => valuesOf(address, group).map(String)
  const page = Number(address.get('page') ?? '1')
  return {
    directory,
    ticked: applied
      ? {
          ...NO_OPTIONS,
          llm_model_names: texts('llm_model_names'),
          llm_temperatures: valuesOf(address, 'llm_temperatures'),
          llm_reasonings: texts('llm_reasonings'),
          llm_verbosities: texts('llm_verbosities'),
          methods: texts('methods'),
          system_prompts: texts('system_prompts'),
          response_classes: texts('response_classes'),
        }
      : null,
    source: applied ? (address.get('source') ?? '') : '',
    index: Number.isInteger(page) && page > 0 ? page - 1 : 0,
  }
}

function valuesOf(address: URLSearchParams, group: string): (string | number)[] {
  return address.getAll(group).flatMap((text) => {
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'string' || typeof value === 'number' ? [value] : []
    } catch {
      return []
    }
  })
}
