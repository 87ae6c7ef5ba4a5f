import { type Aims, isCue } from '../text/aims.ts'
import { directionOf, dot } from '../text/word-vectors.ts'

/** What a question of one thing may be asked with. */
const FORMS = new Set(['?what', '?which', '?if', '?who'])
/** What one side alone may ask of a thing that both are about. */
const FACTS = /^\?(?:where|how .+)$/
/** From this cosine on two titles speak of the same. */
const SAME_MEANING = 0.65

/** `What is the way to pay` for `how do I pay`: the same subject, asked in another form. Rarer aims than `least` do not count. */
export function isReworded(one: Aims, other: Aims, share: (aim: string) => number, least: number): boolean {
  const isMore = (aims: Aims, than: Aims) =>
    [...aims].some((aim) => !than.has(aim) && !FORMS.has(aim) && aim !== '!get' && (isCue(aim) || share(aim) >= least))
  return !isMore(one, other) && !isMore(other, one)
}

/**
 * Whether titles say the same in words of near meaning: `list my reminders` and `what are my reminders`. Never of two that want
 * other things of their subject. Keeps each title's direction, so ask it of the titles of one group only.
 */
export function wordings(): (one: Aims, other: Aims) => boolean {
  const directions = new Map<Aims, Float32Array>()
  const direction = (aims: Aims) => {
    const known =
      directions.get(aims) ??
      directionOf(
        [...aims].filter((aim) => !isCue(aim)),
        'en',
      )
    directions.set(aims, known)
    return known
  }
  return (one, other) => {
    const [a, b] = [wanted(one, other), wanted(other, one)]
    if ((a.length > 0 && b.length > 0) || ![...a, ...b].every((cue) => FACTS.test(cue))) return false
    return dot(direction(one), direction(other)) >= SAME_MEANING
  }
}

/** What it asks or wants that the other does not. */
function wanted(aims: Aims, other: Aims): string[] {
  return [...aims].filter((aim) => isCue(aim) && !FORMS.has(aim) && !other.has(aim))
}
