import { Representer, read } from './features.ts'
import { Vocabulary } from './vocabulary.ts'

/** Texts as statements of one workspace, with the vocabulary that they make. For tests. */
export function statementsOf(texts: readonly string[]) {
  const vocabulary = new Vocabulary()
  const representer = new Representer(vocabulary)
  const statements = texts.map((text) => {
    const reading = read(text)
    const features = representer.represent(reading)
    vocabulary.count(features.terms)
    return { features, language: reading.language }
  })
  return { statements, vocabulary }
}
