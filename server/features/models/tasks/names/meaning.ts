import { languageOf } from '@groundswell/engine/index.ts'
import { ENCODER_LANGUAGES } from '../../../../platform/encoder/encoder.ts'
import { contentWords } from '../../content-words.ts'
import { cosine, type Encode } from '../../encoder.ts'
import type { Quote } from './evidence.ts'

/**
 * `supportOf`: how well several people support a text: the cosine that enough of them reach. `alikeTo`: the texts most similar to it, one of each
 * person: the reading of their message or, without one, a sentence. `isRead`: something was read in the messages of most.
 */
export type Meaning = { supportOf(text: string): number; alikeTo(text: string): string[]; isRead: boolean }

/** The share of people who have to say it, and at least two of them. */
const SAID_BY = 0.1
/** This share of the people, and at least three: those whose texts are most similar. */
const NEAREST = 0.3

type Said = { person: string; text: string; isPoint: boolean }
type Similar = Said & { similarity: number }

/**
 * Compares these texts with what people wrote: a message, one of its sentences, or what was read there. One person alone supports nothing.
 * Null where the encoder cannot be used or was not made for the language.
 */
export async function compareMeaning(
  texts: readonly string[],
  mentions: readonly Quote[],
  encode: Encode,
): Promise<Meaning | null> {
  if (!(ENCODER_LANGUAGES as readonly string[]).includes(languageOf(texts.join('\n')))) return null
  const pieces = mentions.flatMap(piecesOf)
  const distinct = [...new Set([...texts, ...pieces.map(({ text }) => text)])]
  const vectors = await encode(distinct)
  if (!vectors) return null
  const byText = new Map(distinct.map((text, at) => [text, vectors[at] as Float32Array]))
  const similarTo = (text: string, among: readonly Said[]) => {
    const vector = byText.get(text) as Float32Array
    return among.map((one) => ({ ...one, similarity: cosine(vector, byText.get(one.text) as Float32Array) }))
  }
  const read = new Set(pieces.flatMap(({ person, isPoint }) => (isPoint ? [person] : [])))
  const shortest = pieces.filter(({ person, isPoint }) => isPoint || !read.has(person))
  const people = new Set(pieces.map(({ person }) => person))
  return {
    isRead: read.size * 2 > people.size,
    supportOf(text) {
      const ranked = bestOfEach(similarTo(text, pieces))
      return ranked[Math.max(2, Math.ceil(ranked.length * SAID_BY)) - 1]?.similarity ?? 0
    },
    alikeTo(text) {
      const ranked = bestOfEach(similarTo(text, shortest))
      return ranked.slice(0, Math.max(3, Math.ceil(ranked.length * NEAREST))).map((one) => one.text)
    },
  }
}

/** The parts of a text that each make a claim: between commas and other marks, and at words such as `and`. */
export function clausesOf(text: string): string[] {
  return text
    .split(/[,;:()]|\s(?:and|because|so|but|although|while|since|or|after|when|until|where)\s/)
    .map((clause) => clause.trim())
    .filter((clause) => contentWords(clause).length > 0)
}

/** The most similar text of each person, the most similar first. */
function bestOfEach(similar: readonly Similar[]): Similar[] {
  const best = new Map<string, Similar>()
  for (const one of similar) {
    if (one.similarity > (best.get(one.person)?.similarity ?? Number.NEGATIVE_INFINITY)) best.set(one.person, one)
  }
  return [...best.values()].sort((a, b) => b.similarity - a.similarity)
}

function piecesOf({ text, person, point }: Quote): Said[] {
  const sentences = text.split(/(?<=[.!?;])\s+/u).filter((sentence) => sentence.length > 3)
  const pieces = [...new Set([text, ...sentences])].map((piece) => ({ person, text: piece, isPoint: false }))
  return point ? [...pieces, { person, text: point, isPoint: true }] : pieces
}
