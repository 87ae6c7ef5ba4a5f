import { LANGUAGES, ModelMissing, nameOfModel, VERSION } from '@groundswell/encoder/index.ts'
import type { SentenceEncoder } from '@groundswell/engine/group.ts'
import { encoderVectors, isAdapted } from './encoder-vectors.ts'

/** The built-in encoder's vectors of these texts (`textToEncode` of statements); null, with a line on stderr, without its weights. */
export async function encoderOf(texts: readonly string[]): Promise<SentenceEncoder | null> {
  try {
    const vectors = await encoderVectors(texts)
    return {
      space: `${await nameOfModel({ adapter: isAdapted() })}, version ${VERSION}`,
      languages: LANGUAGES,
      vectors: new Map(texts.map((text, i) => [text, vectors[i] as Float32Array])),
    }
  } catch (error) {
    if (!(error instanceof ModelMissing)) throw error
    process.stderr.write(`the sentence encoder is not measured: ${error.message}\n`)
    return null
  }
}
