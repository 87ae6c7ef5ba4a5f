import { KINDS, type Kind, placeOf } from './kind.ts'
import { DIMENSIONS, type Reading, read, type Space } from './reading.ts'

/** A statement whose kind a person corrected. `vector`: see `read`. */
export type TaughtStatement = { text: string; kind: Kind; vector?: ArrayLike<number> }

/**
 * From this cosine on, a statement is of the kind of a corrected one: nine of ten labelled statements that are this similar are of
 * one kind (docs/benchmarks/kinds.md).
 */
const MIN_COSINE: Readonly<Record<Space, number>> = { encoder: 0.8, words: 0.9 }
/** How many of the nearest corrected statements decide, each weighted by how far its cosine exceeds the minimum. */
const NEAREST = 5

type Rows = { values: Float32Array; kinds: Uint8Array }

/** What corrections teach, to be passed to `classifyKind`. */
export type Teaching = { exact: ReadonlyMap<string, Kind>; rows: Readonly<Record<Space, Rows>> }

/**
 * Prepares corrections, oldest first. Of several for the same words the last counts. Each costs one comparison of vectors per statement
 * that is classified: pass the newest few thousand at most.
 */
export function teach(statements: readonly TaughtStatement[]): Teaching {
  const latest = new Map<string, { reading: Reading; kind: Kind }>()
  for (const { text, kind, vector } of statements) {
    const reading = read(text, vector)
    latest.set(keyOf(reading), { reading, kind })
  }
  const all = [...latest.values()]
  return {
    exact: new Map([...latest].map(([key, { kind }]) => [key, kind])),
    rows: { encoder: rowsOf(all, 'encoder'), words: rowsOf(all, 'words') },
  }
}

/** The kind that corrections give this statement, and how similar the nearest is (1: the same words); null if none is similar. */
export function taughtKind({ exact, rows }: Teaching, reading: Reading): { kind: Kind; cosine: number } | null {
  const same = exact.get(keyOf(reading))
  if (same !== undefined) return { kind: same, cosine: 1 }
  if (reading.analysed.tokens.length === 0) return null
  const near = nearest(rows[reading.space], reading)
  const votes = new Float64Array(KINDS.length)
  for (const { kind, cosine } of near) votes[kind] = (votes[kind] as number) + cosine - MIN_COSINE[reading.space]
  const [first] = near
  if (!first) return null
  // On equal votes the nearest decides.
  const best = near.reduce(
    (most, { kind }) => ((votes[kind] as number) > (votes[most] as number) ? kind : most),
    first.kind,
  )
  return { kind: KINDS[best] as Kind, cosine: Math.min(1, first.cosine) }
}

/** The words in order, so that case and punctuation do not matter; texts without words are compared by their characters. */
function keyOf({ text, analysed }: Reading): string {
  return analysed.tokens.length > 0 ? analysed.tokens.join(' ') : text.trim()
}

function rowsOf(all: readonly { reading: Reading; kind: Kind }[], space: Space): Rows {
  // A text without words has the vector of any other.
  const own = all.filter(({ reading }) => reading.space === space && reading.analysed.tokens.length > 0)
  const values = new Float32Array(own.length * DIMENSIONS[space])
  own.forEach(({ reading }, row) => {
    values.set(reading.vector, row * DIMENSIONS[space])
  })
  return { values, kinds: Uint8Array.from(own, ({ kind }) => placeOf(kind)) }
}

/** The nearest rows that are near enough, nearest first; of equally near ones the newer first. */
function nearest({ values, kinds }: Rows, { vector, space }: Reading): { kind: number; cosine: number }[] {
  const near: { kind: number; cosine: number }[] = []
  for (let row = kinds.length - 1; row >= 0; row--) {
    const from = row * vector.length
    let cosine = 0
    for (let i = 0; i < vector.length; i++) cosine += (values[from + i] as number) * (vector[i] as number)
    if (cosine >= MIN_COSINE[space]) near.push({ kind: kinds[row] as number, cosine })
  }
  return near.sort((a, b) => b.cosine - a.cosine).slice(0, NEAREST)
}
