import { cosine, vectorsOf } from './dense.ts'
import { Representer, read } from './features.ts'
import { Vocabulary } from './vocabulary.ts'
import { weighAll } from './weights.ts'

/** What a likeness in meaning counts beside shared words, where nothing is decided and all are compared with the same few. */
const MEANING = 4
/** How much more it says in longer texts. */
const LENGTH = 0.2
const USUAL_WORDS = 8
/** What a text says it says at its beginning. */
const READ = 1_000

/**
 * How much each of these texts says what the picked ones (their places among the texts) say, for a list to be put in order: the
 * mean over the picked of words shared and meaning alike. Good for an order alone: no number of it means that two say the same,
 * and one from other texts is not comparable. Takes a fifth of a second for 2,000 usual messages.
 */
export function likeness(texts: readonly string[], picked: readonly number[]): Float32Array {
  const vocabulary = new Vocabulary()
  const representer = new Representer(vocabulary)
  const statements = texts.map((text) => {
    const reading = read(text.slice(0, READ))
    const features = representer.represent(reading)
    vocabulary.count(features.terms)
    return { features, language: reading.language }
  })
  const vectors = vectorsOf(statements, vocabulary)
  const features = statements.map((one) => one.features)
  const weights = weighAll(features, vocabulary)
  const lengths = features.map(({ words }) => (Math.max(1, words) / USUAL_WORDS) ** LENGTH)
  const sums = new Float32Array(texts.length)
  const own = new Float32Array(vocabulary.size)
  for (const one of picked) {
    features[one]?.terms.forEach((term, t) => {
      own[term] = weights[one]?.[t] as number
    })
    features.forEach(({ terms }, other) => {
      let shared = 0
      for (let t = 0; t < terms.length; t++)
        shared += (own[terms[t] as number] as number) * (weights[other]?.[t] as number)
      const known = vectors.known[one] === 1 && vectors.known[other] === 1
      const alike = known ? cosine(vectors, one, other) * (lengths[one] as number) * (lengths[other] as number) : 0
      sums[other] = (sums[other] as number) + (shared + MEANING * alike) / picked.length
    })
    features[one]?.terms.forEach((term) => {
      own[term] = 0
    })
  }
  return sums
}
