import { normalise, tokenise } from '@groundswell/engine/text/normalise.ts'

/** Sparse word weights; unit length, or empty for a text without words. */
export type Vector = Map<number, number>

/** Standard (1 + log count) × idf weights over a list of texts. Independent of the engine's weighting. */
export class TfIdf {
  readonly #ids = new Map<string, number>()
  readonly #frequency: number[] = []
  readonly #texts: number

  constructor(texts: string[]) {
    this.#texts = texts.length
    for (const text of texts) {
      for (const word of new Set(wordsOf(text))) {
        const id = this.#ids.get(word) ?? this.#ids.size
        this.#ids.set(word, id)
        this.#frequency[id] = (this.#frequency[id] ?? 0) + 1
      }
    }
  }

  /** Number of distinct words. */
  get size(): number {
    return this.#ids.size
  }

  /** A text's vector; words not in the texts are ignored. */
  vector(text: string): Vector {
    const counts: Vector = new Map()
    for (const word of wordsOf(text)) {
      const id = this.#ids.get(word)
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    let squares = 0
    for (const [id, count] of counts) {
      const weight = (1 + Math.log(count)) * (Math.log((this.#texts + 1) / ((this.#frequency[id] ?? 0) + 1)) + 1)
      counts.set(id, weight)
      squares += weight * weight
    }
    const length = Math.sqrt(squares)
    for (const [id, weight] of counts) counts.set(id, weight / length)
    return counts
  }
}

/** The cosine of two vectors. */
export function cosine(a: Vector, b: Vector): number {
  const [less, more] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [id, weight] of less) sum += weight * (more.get(id) ?? 0)
  return sum
}

/** The engine's tokens of a text, unstemmed. */
export function wordsOf(text: string): string[] {
  return tokenise(normalise(text))
}
