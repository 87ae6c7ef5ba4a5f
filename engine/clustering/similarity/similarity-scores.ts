import { analyse, FeatureExtractor, type Features } from '../../text/features.ts'
import type { Language } from '../../text/language.ts'
import { cosine, statementVectors } from '../../text/statement-vectors.ts'
import { Vocabulary } from '../../text/vocabulary.ts'
import { sharedEvidence, weighAll } from '../../text/weights.ts'

/**
 * Weight of vector similarity relative to shared words. Higher than in clustering, because nothing is decided here
 * and all texts are compared with the same few.
 */
const VECTOR_WEIGHT = 4
/** Characters read of each text: texts say what they are about at the beginning. */
const MAX_TEXT_LENGTH = 1_000
/** Texts analysed per step, about 2 ms. */
const TEXTS_PER_STEP = 50

/**
 * For ranking a list: how similar each text is to the picked ones (indices into `texts`), as the mean over the picked
 * of word and vector evidence. Only the order is meaningful: the numbers have no threshold and are not comparable
 * between calls. Takes about 100 ms for 2,000 typical messages, in steps of a few milliseconds between which the
 * caller may yield.
 */
export function* similarityScores(texts: readonly string[], picked: readonly number[]): Generator<void, Float32Array> {
  const vocabulary = new Vocabulary()
  const extractor = new FeatureExtractor(vocabulary)
  const statements: { features: Features; language: Language }[] = []
  for (const text of texts) {
    const reading = analyse(text.slice(0, MAX_TEXT_LENGTH))
    const features = extractor.extract(reading)
    vocabulary.count(features.terms)
    if (statements.push({ features, language: reading.language }) % TEXTS_PER_STEP === 0) yield
  }
  const vectors = statementVectors(statements, vocabulary)
  yield
  const features = statements.map((one) => one.features)
  const weights = weighAll(features, vocabulary)
  const sums = new Float32Array(texts.length)
  const own = new Float32Array(vocabulary.size)
  for (const one of picked) {
    yield
    features[one]?.terms.forEach((term, t) => {
      own[term] = weights[one]?.[t] as number
    })
    features.forEach((said, other) => {
      const shared = sharedEvidence(said, weights[other] as Float32Array, own)
      // Counts more for longer texts, but less strongly than in clustering.
      const length = Math.sqrt((vectors.lengthFactors[one] as number) * (vectors.lengthFactors[other] as number))
      const known = vectors.known[one] === 1 && vectors.known[other] === 1
      const alike = known ? cosine(vectors, one, other) * length : 0
      sums[other] = (sums[other] as number) + (shared + VECTOR_WEIGHT * alike) / picked.length
    })
    features[one]?.terms.forEach((term) => {
      own[term] = 0
    })
  }
  return sums
}
