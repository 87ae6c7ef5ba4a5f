import {
  classifyKind,
  hasNoSubject,
  isSubjectless,
  type Kind,
  type KindDecision,
  type LateVector,
  type Reclassified,
  type Statement,
  type Teaching,
} from '@groundswell/engine/index.ts'
import { numberArray, textArray } from '../array-literal.ts'
import type { KeptKind, KindColumns, Step, StepResult } from './protocol.ts'

/** The kind of a statement; null in an unknown language. `by`: what decided. `subjectless`: it is grouped with nothing. */
export type DecidedKind = { kind: Kind | null; by: KindDecision['by'] | 'person' | 'reading'; subjectless: boolean }

/** `set`: the kind that a person gave it; `read`: the one that a language model read in it; `vector`: of the built-in encoder, no other. */
export type KindInput = {
  text: string
  set?: Kind | null | undefined
  read?: Kind | null | undefined
  vector?: ArrayLike<number> | undefined
}

/** Decides the kind of a statement: a person's, else what corrections teach, else that of its reading, else the classifier's. */
export function decideKind({ text, set, read, vector }: KindInput, teaching: Teaching | undefined): DecidedKind {
  if (set) return { kind: set, by: 'person', subjectless: hasNoSubject(set) }
  const decision = classifyKind(vector ? { text, vector } : { text }, teaching)
  if (read && decision.by !== 'teaching') return { kind: read, by: 'reading', subjectless: hasNoSubject(read) }
  return { kind: decision.kind, by: decision.by, subjectless: isSubjectless(decision) }
}

/** Whether people decided it, of this statement or of one nearly the same. */
export function isTaught(by: string | null): boolean {
  return by === 'person' || by === 'teaching'
}

/** The kinds of stored statements, by the ids of these. */
export function kindColumns(kinds: ReadonlyMap<string, DecidedKind>): KindColumns {
  const ids = [...kinds.keys()].map((id) => id.split(':') as [item: string, number: string])
  const decided = [...kinds.values()]
  return {
    count: decided.length,
    itemIds: numberArray(ids.map(([item]) => item)),
    numbers: numberArray(ids.map(([, number]) => number)),
    ...decisionColumns(decided),
  }
}

/** The columns of each decision, in order. */
export function decisionColumns(decided: readonly DecidedKind[]): Pick<KindColumns, 'kinds' | 'by' | 'subjectless'> {
  return {
    kinds: textArray(decided.map(({ kind }) => kind)),
    by: textArray(decided.map(({ by }) => by)),
    subjectless: `{${decided.map(({ subjectless }) => subjectless).join(',')}}`,
  }
}

/** What the group index has to know of the decided kinds of stored statements; late vectors tell it those of their own. */
export function reclassifiedBy(
  { kinds: requests, late }: Pick<Step, 'kinds' | 'late'>,
  decided: ReadonlyMap<string, DecidedKind>,
): Reclassified[] {
  const told = new Set(late?.map(({ statementId }) => statementId))
  return requests.flatMap(({ statementId, text, point, at, alone }) => {
    const { subjectless } = decided.get(statementId) as DecidedKind
    if (alone) return [{ statementId, subjectless, text, at, ...withPoint(point) }]
    return told.has(statementId) ? [] : [{ statementId, subjectless }]
  })
}

/** The point of a statement as the engine takes it; nothing where it has none. */
export function withPoint(point: string | null): { point?: string } {
  return point === null ? {} : { point }
}

/** A late vector that also tells whether its statement has a subject. */
export function withSubject(late: LateVector, decided: DecidedKind | undefined): LateVector {
  return decided ? { ...late, subjectless: decided.subjectless, taught: isTaught(decided.by) } : late
}

/** The kinds that people gave statements whose items are read again, found by their words. */
export class KeptKinds {
  readonly #kept: ReadonlyMap<string, KeptKind>
  readonly #found = new Map<KeptKind, StepResult['keptKinds'][number]>()

  constructor(kept: readonly KeptKind[]) {
    this.#kept = new Map(kept.map((one) => [`${one.itemId} ${one.text}`, one]))
  }

  of({ id, itemId, text }: Pick<Statement, 'id' | 'itemId' | 'text'>): Kind | null {
    const kept = this.#kept.get(`${itemId} ${text}`)
    if (!kept) return null
    if (!this.#found.has(kept))
      this.#found.set(kept, { itemId, key: kept.key, number: Number(id.slice(id.lastIndexOf(':') + 1)) })
    return kept.kind
  }

  /** The kept kinds that were looked up and found. */
  get found(): StepResult['keptKinds'] {
    return [...this.#found.values()]
  }
}
