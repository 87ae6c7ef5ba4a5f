import type { OfferedGenerator } from '@groundswell/contract/evaluation/runs.ts'
import type { Config } from '../../../platform/config/config.ts'
import { Generator } from '../generators/generator.ts'

type Offer = OfferedGenerator & { generator: Generator }

const common = { temperature: null, reasoning: null, system_prompt: null } as const
const withTags = { ...common, response_class: 'IssueWithQuotesAndTags' } as const
const builtIn = { ...withTags, method: 'built-in' } as const

const WORDS: Offer = {
  id: 'words',
  label: 'Words',
  says: 'The built-in engine, which compares words alone',
  generator: { ...builtIn, label: 'words', llm_model_name: 'words', verbosity: 'medium' },
}

const SENTENCES: Offer[] = [
  {
    id: 'sentences',
    label: 'Sentences',
    says: 'The built-in engine with its sentence encoder',
    generator: { ...builtIn, label: 'sentences', llm_model_name: 'sentences', verbosity: 'medium' },
  },
  {
    id: 'sentences-short',
    label: 'Sentences, short',
    says: 'The same without emerging insights, and with one quote for each',
    generator: { ...builtIn, label: 'sentences, short', llm_model_name: 'sentences', verbosity: 'low' },
  },
]

/** The generators of the built-in engine that runs of this installation can use. */
export function offeredGenerators({ encoder }: Pick<Config, 'encoder'>): Offer[] {
  // Parsed, so that their fields are in the order in which stored ones are: names of answers are made of them.
  return [WORDS, ...(encoder ? SENTENCES : [])].map((one) => ({ ...one, generator: Generator.parse(one.generator) }))
}
