import { baseEncoderOf, EncoderUnavailable } from '../../platform/encoder/encoder.ts'
import type { TaskRun } from './task.ts'

/** Vectors of length 1, one for each text. Null: the encoder cannot be used now. */
export type Encode = (texts: readonly string[]) => Promise<readonly Float32Array[] | null>

/** The built-in encoder without our adapter, for comparing what a model says with what customers wrote. */
export function encoderFor({ services }: Pick<TaskRun, 'services'>): Encode {
  return async (texts) => {
    try {
      return (await baseEncoderOf(services)?.encode(texts)) ?? null
    } catch (error) {
      if (error instanceof EncoderUnavailable) return null
      throw error
    }
  }
}

/** The cosine of two vectors of length 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (const [at, value] of a.entries()) sum += value * (b[at] as number)
  return sum
}
