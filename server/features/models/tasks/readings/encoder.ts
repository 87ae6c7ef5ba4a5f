import { EncoderUnavailable, encoderOf } from '../../../../platform/encoder/encoder.ts'
import type { TaskRun } from '../../task.ts'
import type { Encode } from './support.ts'

/** The built-in encoder, for comparing points with what customers wrote. */
export function encoderFor({ services }: Pick<TaskRun, 'services'>): Encode {
  return async (texts) => {
    try {
      return (await encoderOf(services)?.encode(texts)) ?? null
    } catch (error) {
      if (error instanceof EncoderUnavailable) return null
      throw error
    }
  }
}
