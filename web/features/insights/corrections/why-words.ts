import type { Why } from '@groundswell/contract/corrections.ts'
import { formatMoment } from '../../../ui/text/moment.ts'

/** Who decided and when: a sentence. */
export function deciderText({ decided_by, person, decided_at }: Why): string {
  const who = { engine: 'The engine', model: 'A language model', person: person ?? 'A person' }[decided_by]
  return `${who} decided this on ${formatMoment(decided_at)}.`
}

/** The version of the engine that decided, and whether a model was used. */
export function meansText({ engine_version, model }: Why): string {
  const engine = engine_version === null ? [] : [`Engine ${engine_version}`]
  if (model === null) return [...engine, engine.length === 0 ? 'No model was used' : 'no model was used'].join(' · ')
  return engine.join('')
}

/**
 * The model that was used, or null. A language model has a prompt, and the rule contains its answer; an embedding model has
 * none.
 */
export function modelText({ model, prompt_version, terms }: Why): { title: string; words: string; by: string } | null {
  if (model === null) return null
  if (prompt_version !== null) return { title: 'Language model', words: '', by: `${model}, prompt ${prompt_version}` }
  const words = 'Sentences were also compared by meaning, using embeddings.'
  return {
    title: 'Meaning',
    words: terms.length === 0 ? `${words} This decided it: no distinctive word is shared.` : words,
    by: model,
  }
}
