import { dotAt } from '../../text/dot.ts'
import { MIXED_FACTOR, SENTENCE, type VectorRows } from '../../text/vector-rows.ts'

type Groups = readonly (readonly number[])[]

/**
 * The mean cosine between the members of each two groups of places, as a full symmetric matrix, row by row; the diagonal is
 * -Infinity. Statements without a vector count as 0.
 */
export function meanCosines(vectors: VectorRows, groups: Groups): Float32Array {
  const size = groups.length
  const means = meansOf(vectors, groups)
  const cosines = new Float32Array(size * size)
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) {
      const mean = product(means, a, means, b)
      cosines[a * size + b] = mean
      cosines[b * size + a] = mean
    }
    cosines[a * size + a] = Number.NEGATIVE_INFINITY
  }
  return cosines
}

/** The mean cosine of each group of `from` to each of `to`, a row for each of `from`. */
export function meanCosinesTo(vectors: VectorRows, from: Groups, to: Groups): Float32Array {
  const rows = meansOf(vectors, from)
  const columns = meansOf(vectors, to)
  const cosines = new Float32Array(from.length * to.length)
  for (let a = 0; a < from.length; a++) {
    for (let b = 0; b < to.length; b++) cosines[a * to.length + b] = product(rows, a, columns, b)
  }
  return cosines
}

/**
 * The cosine of the mean vectors of each two groups of places, as a full symmetric matrix, row by row; the diagonal is -Infinity.
 * Unlike the mean cosine of their members it does not depend on how similar the members of one group are. 0 where a group has no vector.
 */
export function cosinesOfMeans(vectors: VectorRows, groups: Groups): Float32Array {
  const size = groups.length
  const means = meansOf(vectors, groups)
  const lengths = groups.map((_, group) => Math.sqrt(Math.max(0, product(means, group, means, group))))
  const cosines = meanCosines(vectors, groups)
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      const scale = (lengths[a] as number) * (lengths[b] as number)
      if (a !== b) cosines[a * size + b] = scale > 0 ? (cosines[a * size + b] as number) / scale : 0
    }
  }
  return cosines
}

/** Sums of the rows of one kind, divided by the number of all members; `isEmpty` where there is none. */
type Sums = { rows: Float32Array; isEmpty: Uint8Array }
type Means = { dimensions: number; sentences: Sums; words: Sums }

function meansOf(vectors: VectorRows, groups: Groups): Means {
  return {
    dimensions: vectors.dimensions,
    sentences: sumsOf(vectors, groups, (known) => known === SENTENCE),
    words: sumsOf(vectors, groups, (known) => known !== SENTENCE),
  }
}

function sumsOf({ dimensions, values, known }: VectorRows, groups: Groups, belongs: (known: number) => boolean): Sums {
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

function product(left: Means, a: number, right: Means, b: number): number {
  const { dimensions } = left
  const same = dot(left.sentences, a, right.sentences, b, dimensions) + dot(left.words, a, right.words, b, dimensions)
  const mixed = dot(left.sentences, a, right.words, b, dimensions) + dot(left.words, a, right.sentences, b, dimensions)
  return same + MIXED_FACTOR * mixed
}

function dot(left: Sums, a: number, right: Sums, b: number, dimensions: number): number {
  if (left.isEmpty[a] === 1 || right.isEmpty[b] === 1) return 0
  return dotAt(left.rows, a * dimensions, right.rows, b * dimensions, dimensions)
}
