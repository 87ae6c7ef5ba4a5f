import { analyse, EMPTY_FEATURES } from '../text/features.ts'
import type { NewNode, State } from './state.ts'

/** Characters kept of a text, enough for a name or a quote. */
export const MAX_KEPT_LENGTH = 400

/**
 * What a statement of this text has as its own node; without a text it has no terms and is compared with nothing. Later statements
 * of the same words follow this node.
 */
export function nodeContent(
  state: State,
  said: string | undefined,
): Pick<NewNode, 'features' | 'text' | 'language' | 'hash'> {
  if (said === undefined) return { features: EMPTY_FEATURES, text: '', language: 'en', hash: 0 }
  const text = state.boilerplate.stripWithoutCounting(said)
  const reading = analyse(text)
  state.nodesByHash.delete(reading.hash)
  const features = state.featureExtractor.extract(reading)
  return { features, text: text.slice(0, MAX_KEPT_LENGTH), language: reading.language, hash: reading.hash }
}
