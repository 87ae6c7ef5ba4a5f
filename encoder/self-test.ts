import { readFile } from 'node:fs/promises'
import { DIMENSIONS, type Encoder } from './encoder.ts'

/** A text and its vector by another implementation, at 32 bits; `adapted`: the one with our adapter. */
export type Reference = { text: string; vector: Float16Array; adapted: Float16Array }

/** The least cosine of a vector with the reference. Quantisation costs 0.00003; a processor or a compiler that errs far more. */
export const MIN_COSINE = 0.999
/** Enough texts of different lengths to reach every loop of the kernels, in a fraction of a second. */
const TEXTS = 12

/** The texts and vectors that come with the encoder. `bench/engine/encoder/encoder-reference.ts` computes them. */
export async function readReference(): Promise<Reference[]> {
  const file = await readFile(new URL('./reference.json', import.meta.url), 'utf8')
  const rows = JSON.parse(file) as { text: string; vector: string; adapted: string }[]
  return rows.map(({ text, vector, adapted }) => ({ text, vector: unpacked(vector), adapted: unpacked(adapted) }))
}

function unpacked(text: string): Float16Array {
  return new Float16Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
}

/** The cosine of two vectors of `DIMENSIONS` numbers. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, squaresOfA, squaresOfB] = [0, 0, 0]
  for (let i = 0; i < DIMENSIONS; i++) {
    const [x, y] = [a[i] as number, b[i] as number]
    dot += x * y
    squaresOfA += x * x
    squaresOfB += y * y
  }
  return dot / Math.sqrt(squaresOfA * squaresOfB)
}

/**
 * Whether the encoder computes what it should on this machine. Vectors of weights of one's own are unknown: of those only the
 * length is checked.
 */
export async function passesSelfTest(encoder: Encoder): Promise<boolean> {
  const reference = await readReference()
  const every = Math.ceil(reference.length / TEXTS)
  const tested = reference.filter((_, index) => index % every === 0)
  const vectors = encoder.encode(tested.map(({ text }) => text))
  return tested.every((expected, index) => {
    const vector = vectors[index] as Float32Array
    const length = Math.hypot(...vector)
    return (
      Math.abs(length - 1) < 1e-3 &&
      (!encoder.isKnown || cosine(vector, encoder.isAdapted ? expected.adapted : expected.vector) >= MIN_COSINE)
    )
  })
}
