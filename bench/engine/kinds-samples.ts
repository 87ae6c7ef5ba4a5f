import { inputOf, read, type Space } from '@groundswell/engine/kinds/reading.ts'
import { textToEncode } from '@groundswell/engine/text/encoding-text.ts'
import { encoderVectors } from './encoder-vectors.ts'
import type { Example } from './kinds-examples.ts'
import type { Sample } from './kinds-training.ts'

/** What the encoder says of statements, as the product stores it. Throws `ModelMissing` if there is no encoder. */
export function vectorsOf(texts: readonly string[]): Promise<Float32Array[]> {
  return encoderVectors(texts.map(textToEncode))
}

/** What the classifier sees of these examples in this space. Throws `ModelMissing` if it needs the encoder and there is none. */
export async function samplesOf(examples: readonly Example[], space: Space): Promise<Sample[]> {
  const vectors = space === 'encoder' ? await vectorsOf(examples.map(({ text }) => text)) : []
  return examples.map(({ text, kind }, i) => ({ input: inputOf(read(text, vectors[i])), kind }))
}
