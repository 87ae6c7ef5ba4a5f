import type { SentenceEncoder } from '@groundswell/engine/index.ts'
import { ENCODER_LANGUAGES, EncoderUnavailable, encoderOf } from '../../../platform/encoder/encoder.ts'
import type { Services } from '../../../platform/services.ts'
import { encoderFor } from '../../models/index.ts'
import type { Surroundings } from '../generators/answerer.ts'
import { computeOf } from './compute.ts'

/** More cannot wait for the encoder at once, with what others have it read. */
const TEXTS_PER_REQUEST = 500

/** What generators need, as a server has it: its language model, the encoder of this process, and grouping in a thread. */
export function surroundingsOf(services: Services, signal: AbortSignal): Surroundings {
  const encode = async (texts: readonly string[]) => {
    const vectors: Float32Array[] = []
    for (let at = 0; at < texts.length; at += TEXTS_PER_REQUEST) {
      const found = await encoderOf(services)?.encode(texts.slice(at, at + TEXTS_PER_REQUEST), { signal })
      vectors.push(...(found ?? []))
    }
    return vectors
  }
  return {
    llm: services.config.llm,
    signal,
    group: (items, options) => computeOf(services).group(items, options),
    encode: encoderFor({ services }),
    async encodeAll(texts): Promise<SentenceEncoder | null> {
      try {
        const model = await encoderOf(services)?.model()
        if (!model) return null
        const vectors = await encode(texts)
        return {
          space: `${model.name}, version ${model.version}`,
          languages: ENCODER_LANGUAGES,
          vectors: new Map(texts.map((text, at) => [text, vectors[at] as Float32Array])),
        }
      } catch (error) {
        if (error instanceof EncoderUnavailable) return null
        throw error
      }
    },
  }
}
