import { type Intents, isCue } from '../text/intents.ts'
import { dot, meanWordVector } from '../text/word-vectors.ts'

/** What a question of one thing may be asked with. */
const QUESTION_FORMS = new Set(['?what', '?which', '?if', '?who'])
/** What one side alone may ask of a thing that both are about. */
const FACT_CUE = /^\?(?:where|how .+)$/
/** From this cosine on two titles speak of the same. */
const MIN_COSINE = 0.65

/** `What is the way to pay` for `how do I pay`: the same subject, asked in another form. Rarer intents than `least` do not count. */
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
 * Whether titles say the same in words of near meaning: `list my reminders` and `what are my reminders`. Never of two that want
 * other things of their subject. Keeps each title's direction, so ask it of the titles of one group only.
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

/** What it asks or wants that the other does not. */
function extraCues(intents: Intents, other: Intents): string[] {
  return [...intents].filter((intent) => isCue(intent) && !QUESTION_FORMS.has(intent) && !other.has(intent))
}
