import type { Why } from '@groundswell/contract/corrections.ts'
import { formatMoment } from '../../../ui/moment.ts'

/** Who decided and when: a sentence. */
export function deciderInWords({ decided_by, person, decided_at }: Why): string {
  const who = { engine: 'The engine', model: 'A language model', person: person ?? 'A person' }[decided_by]
  return `${who} decided this on ${formatMoment(decided_at)}.`
}

/** What it was decided with: the engine and, if one took part, the model and its prompt. */
export function meansInWords({ engine_version, model, prompt_version }: Why): string {
  const engine = engine_version === null ? '' : `Engine ${engine_version} · `
  if (model === null) return `${engine}${engine === '' ? 'No' : 'no'} model was used`
  return `${engine}model ${model}${prompt_version === null ? '' : `, prompt ${prompt_version}`}`
}
