/** What a statement is, see `docs/kinds.md`. */
export type Kind = 'problem' | 'request' | 'question' | 'praise' | 'small talk'

const PLACES: Readonly<Record<Kind, number>> = { problem: 0, request: 1, question: 2, praise: 3, 'small talk': 4 }

/** All kinds, in the order of the classifier's outputs. */
export const KINDS = Object.keys(PLACES) as readonly Kind[]

/** Whether a statement of this kind has no subject that others could share. */
export function hasNoSubject(kind: Kind | null): boolean {
  return kind === 'praise' || kind === 'small talk'
}

/** The place of a kind in `KINDS`. */
export function placeOf(kind: Kind): number {
  return PLACES[kind]
}
