import { hasNoSubject, KINDS, type Kind } from './kind.ts'
import { modelOf, probabilitiesOf } from './model.ts'
import { inputOf, read, type Space } from './reading.ts'
import { type Teaching, taughtKind } from './teaching.ts'
import { isUnknownLanguage } from './unknown-language.ts'

/**
 * A statement to be classified. `vector`: by the built-in sentence encoder, see `read`. `role`: of its author, where the source tells
 * it.
 */
export type KindStatement = { text: string; vector?: ArrayLike<number>; role?: 'customer' | 'company' }

/**
 * `kind`: null where the language is unknown: such a statement must not be treated as small talk. `confidence`: the probability of the
 * kind; where it is null, all are equal. `by`: what decided.
 */
export type KindDecision = {
  kind: Kind | null
  confidence: number
  probabilities: Readonly<Record<Kind, number>>
  by: 'role' | 'teaching' | 'language' | 'model'
  /** what was compared: the vector given, or those of the words */
  space: Space
}

/**
 * The kind of a statement (docs/kinds.md). What the company's own side writes is small talk; otherwise a person's correction of the same
 * or a very similar statement decides, then the model. Deterministic, never throws.
 */
export function classifyKind({ text, vector, role }: KindStatement, teaching?: Teaching): KindDecision {
  const reading = read(text, vector)
  const { space } = reading
  if (role === 'company') return certain('small talk', 1, { by: 'role', space })
  const taught = teaching && taughtKind(teaching, reading)
  if (taught) return certain(taught.kind, taught.cosine, { by: 'teaching', space })
  if (isUnknownLanguage(reading.analysed)) {
    const share = 1 / KINDS.length
    return { kind: null, confidence: share, probabilities: byKind(() => share), by: 'language', space }
  }
  const values = probabilitiesOf(modelOf(reading.space), inputOf(reading))
  const best = values.reduce((most, value, kind) => (value > (values[most] as number) ? kind : most), 0)
  return {
    kind: KINDS[best] as Kind,
    confidence: values[best] as number,
    probabilities: byKind((_, kind) => values[kind] as number),
    by: 'model',
    space,
  }
}

function certain(kind: Kind, confidence: number, how: Pick<KindDecision, 'by' | 'space'>): KindDecision {
  const rest = (1 - confidence) / (KINDS.length - 1)
  return { kind, confidence, probabilities: byKind((one) => (one === kind ? confidence : rest)), ...how }
}

function byKind(value: (kind: Kind, place: number) => number): Record<Kind, number> {
  return Object.fromEntries(KINDS.map((kind, place) => [kind, value(kind, place)])) as Record<Kind, number>
}

/** Below this probability, a statement that looks like praise or small talk may have a subject. Words are less certain. */
const MIN_SUBJECTLESS: Readonly<Record<Space, number>> = { encoder: 0.75, words: 0.85 }

/** Whether a statement is praise or small talk, which are not grouped: with high certainty, because nobody sees in an insight what is left out here. */
export function isSubjectless({ kind, probabilities, by, space }: KindDecision): boolean {
  if (by !== 'model') return hasNoSubject(kind)
  return probabilities.praise + probabilities['small talk'] >= MIN_SUBJECTLESS[space]
}
