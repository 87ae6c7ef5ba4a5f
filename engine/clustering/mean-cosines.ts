import { MIXED_FACTOR, SENTENCE, type VectorRows } from '../text/vector-rows.ts'

/**
 * The mean cosine between the members of each two groups of places, as a full symmetric matrix, row by row; the diagonal is
 * -Infinity. Statements without a vector count as 0.
 */
export function meanCosines(vectors: VectorRows, groups: readonly (readonly number[])[]): Float32Array {
  const size = groups.length
  const sentences = means(vectors, groups, (known) => known === SENTENCE)
  const words = means(vectors, groups, (known) => known !== SENTENCE)
  const cosines = new Float32Array(size * size)
  const { dimensions } = vectors
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) {
      const same = product(sentences, a, sentences, b, dimensions) + product(words, a, words, b, dimensions)
      const mixed = product(sentences, a, words, b, dimensions) + product(words, a, sentences, b, dimensions)
      const mean = same + MIXED_FACTOR * mixed
      cosines[a * size + b] = mean
      cosines[b * size + a] = mean
    }
    cosines[a * size + a] = Number.NEGATIVE_INFINITY
  }
  return cosines
}

/** Sums of the rows of one kind, divided by the number of all members; `isEmpty` where there is none. */
type Means = { rows: Float32Array; isEmpty: Uint8Array }

function means(
  { dimensions, values, known }: VectorRows,
  groups: readonly (readonly number[])[],
  belongs: (known: number) => boolean,
): Means {
  const rows = new Float32Array(groups.length * dimensions)
  const isEmpty = new Uint8Array(groups.length).fill(1)
  groups.forEach((places, group) => {
    const at = group * dimensions
    for (const place of places) {
      if (!belongs(known[place] as number)) continue
      isEmpty[group] = 0
      const from = place * dimensions
      for (let i = 0; i < dimensions; i++)
        rows[at + i] = (rows[at + i] as number) + (values[from + i] as number) / places.length
    }
  })
  return { rows, isEmpty }
}

function product(left: Means, a: number, right: Means, b: number, dimensions: number): number {
  if (left.isEmpty[a] === 1 || right.isEmpty[b] === 1) return 0
  const from = a * dimensions
  const other = b * dimensions
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum += (left.rows[from + i] as number) * (right.rows[other + i] as number)
  return sum
}
