import { languageOf } from '@groundswell/engine/index.ts'
import { contentWords, sameWord } from '../../content-words.ts'
import { cosine, type Encode } from '../../encoder.ts'

/** A point, and what it has to be supported by. `english`: the model's translation of the quote. */
export type Claim = { point: string; quote: string; before: string | null; english: string | undefined }

/**
 * The least similarity of a point to what it was read in. Of 2,259 points that were read well, 96% reach it or share half of their words with it; of
 * points of other messages, 8% to 18% do (docs/decisions/0091-reading.md).
 */
const MIN_SIMILARITY = 0.25

/**
 * Whether each point is supported by what the customer wrote: by half of its content words, or by meaning. Where the encoder cannot be
 * used, words alone decide. A quote in another language is represented by its translation, and a reply also by what it replies to.
 */
export async function areSupported(claims: readonly Claim[], encode: Encode): Promise<boolean[]> {
  const byWords = claims.map((claim) => sharesWords(claim.point, sourcesOf(claim).join('\n')))
  const open = claims.filter((_, at) => !byWords[at])
  if (open.length === 0) return byWords
  const texts = open.map((claim) => [claim.point, ...sourcesOf(claim), sourcesOf(claim).join(' ')])
  const vectors = await encode(texts.flat())
  if (!vectors) return byWords
  let from = 0
  const byMeaning = new Map(
    open.map((claim, at) => {
      const [point, ...sources] = vectors.slice(from, (from += (texts[at] as string[]).length)) as Float32Array[]
      return [claim, sources.some((source) => cosine(point as Float32Array, source) >= MIN_SIMILARITY)] as const
    }),
  )
  return claims.map((claim, at) => byWords[at] === true || byMeaning.get(claim) === true)
}

/** The texts that may support a point. A translation counts only where one is needed. */
function sourcesOf({ quote, before, english }: Claim): string[] {
  const translated = english !== undefined && languageOf(quote) !== 'en' ? [english] : []
  return [quote, ...translated, ...(before === null ? [] : [before])]
}

function sharesWords(point: string, source: string): boolean {
  const words = contentWords(point)
  const known = contentWords(source)
  const shared = words.filter((word) => known.some((one) => sameWord(word, one)))
  return words.length > 0 && shared.length * 2 >= words.length
}
