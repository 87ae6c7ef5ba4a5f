import { inputOf, read, type Space } from '@groundswell/engine/kinds/reading.ts'
import { textToEncode } from '@groundswell/engine/text/encoding-text.ts'
import { encoderVectors } from '../encoder/encoder-vectors.ts'
import type { Example } from './kinds-examples.ts'
import type { Sample } from './kinds-training.ts'

/** What the encoder says of statements, as the product stores it; with our adapter or as measured. Throws `ModelMissing` if there is no encoder. */
export function vectorsOf(texts: readonly string[], adapter?: boolean): Promise<Float32Array[]> {
  return encoderVectors(texts.map(textToEncode), adapter === undefined ? {} : { adapter })
}

/**
 * What the classifier sees of these examples in this space, with and without our adapter: one classifier serves both. Throws `ModelMissing` if it
 * needs the encoder and there is none.
 */
export async function trainingSamplesOf(examples: readonly Example[], space: Space): Promise<Sample[]> {
  if (space === 'words') return samplesOf(examples, space)
  return [...(await samplesOf(examples, space, true)), ...(await samplesOf(examples, space, false))]
}

/** What the classifier sees of these examples in this space. Throws `ModelMissing` if it needs the encoder and there is none. */
export async function samplesOf(examples: readonly Example[], space: Space, adapter?: boolean): Promise<Sample[]> {
  const vectors =
    space === 'encoder'
      ? await vectorsOf(
          examples.map(({ text }) => text),
          adapter,
        )
      : []
  return examples.map(({ text, kind }, i) => ({ input: inputOf(read(text, vectors[i])), kind }))
}
