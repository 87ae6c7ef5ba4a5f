import { type Intents, isCue } from '../text/intents.ts'
import { dot, meanWordVector } from '../text/word-vectors.ts'

/** Interchangeable forms of one question. */
const QUESTION_FORMS = new Set(['?what', '?which', '?if', '?who'])
/** Questions that only one of two paraphrases may ask explicitly. */
const FACT_CUE = /^\?(?:where|how .+)$/
/** From this cosine on, two titles have the same subject. */
const MIN_COSINE = 0.65

/**
 * Whether two titles ask the same in another form: `What is the way to pay` and `how do I pay`. Ignores stems below
 * `minShare`.
 */
export function isRephrasing(
  one: Intents,
  other: Intents,
  share: (intent: string) => number,
  minShare: number,
): boolean {
  const isMore = (intents: Intents, than: Intents) =>
    [...intents].some(
      (intent) =>
        !than.has(intent) &&
        !QUESTION_FORMS.has(intent) &&
        intent !== '!get' &&
        (isCue(intent) || share(intent) >= minShare),
    )
  return !isMore(one, other) && !isMore(other, one)
}

/**
 * Returns a test for titles that say the same with synonyms: `list my reminders` and `what are my
 * reminders`. Titles that want different things are never paraphrases. Caches vectors: use one test per group.
 */
export function paraphraseTest(): (one: Intents, other: Intents) => boolean {
  const directions = new Map<Intents, Float32Array>()
  const direction = (intents: Intents) => {
    const known =
      directions.get(intents) ??
      meanWordVector(
        [...intents].filter((intent) => !isCue(intent)),
        'en',
      )
    directions.set(intents, known)
    return known
  }
  return (one, other) => {
    const [a, b] = [extraCues(one, other), extraCues(other, one)]
    if ((a.length > 0 && b.length > 0) || ![...a, ...b].every((cue) => FACT_CUE.test(cue))) return false
    return dot(direction(one), direction(other)) >= MIN_COSINE
  }
}

/** The cues of `intents` that `other` lacks. */
function extraCues(intents: Intents, other: Intents): string[] {
  return [...intents].filter((intent) => isCue(intent) && !QUESTION_FORMS.has(intent) && !other.has(intent))
}
