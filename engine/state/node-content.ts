import { analyse, EMPTY_FEATURES, languageOf } from '../text/features.ts'
import type { NewNode, State } from './state.ts'

/** Characters kept of a text, enough for a name or a quote. */
export const MAX_KEPT_LENGTH = 400

/**
 * What a statement of this text, in which a model read `point`, has as its own node; without a text it has no terms and is compared with nothing. Later statements
 * of the same words follow this node.
 */
export function nodeContent(
  state: State,
  said: string | undefined,
  point?: string,
): Pick<NewNode, 'features' | 'text' | 'language' | 'point' | 'hash'> {
  if (said === undefined) return { features: EMPTY_FEATURES, text: '', language: 'en', hash: 0 }
  const text = state.boilerplate.stripWithoutCounting(said)
  const reading = analyse(point ?? text)
  state.nodesByHash.delete(reading.hash)
  const features = state.featureExtractor.extract(reading)
  const kept = { features, text: text.slice(0, MAX_KEPT_LENGTH), hash: reading.hash }
  return point === undefined ? { ...kept, language: reading.language } : { ...kept, language: languageOf(text), point }
}
