import { contentWords, sameWord } from '../../content-words.ts'
import { countPeople, type Evidence } from './evidence.ts'

/** A word is shared when two people use it, or this share of them if that is more. */
const SHARED_BY = 0.1
/** Single words in a row: `JAWS, NVDA or VoiceOver`. */
const LIST = /(?:[\p{L}\p{N}-]+, ){1,20}[\p{L}\p{N}-]+,? (?:and|or|und|oder|et|ou|y|o|e) [\p{L}\p{N}-]+/gu
const MIN_LISTED = 3

/**
 * Where the words of a text come from, as shares of its words. `own`: those of the one person who alone uses most of them. `suspect`: one of them
 * must not be repeated.
 */
export type Shares = { known: number; own: number; shared: number; lone: number; suspect: boolean }

/** Which words of the evidence are used by how many people, in their messages or in what was read there. */
export class WordSources {
  readonly #minPeople: number
  readonly #mentions: { person: string; words: string[] }[]
  readonly #title: string[]
  readonly #withheld: string[]
  /** Words written in capitals somewhere. */
  readonly #capitalised: Set<string>

  constructor({ mentions, withheld, title }: Evidence) {
    this.#minPeople = Math.max(2, Math.ceil(countPeople(mentions) * SHARED_BY))
    this.#mentions = mentions.map(({ text, point, person }) => ({
      person,
      words: contentWords(`${text}\n${point ?? ''}`),
    }))
    this.#title = contentWords(title)
    this.#withheld = withheld.flatMap(contentWords)
    const capitalised = mentions.flatMap(({ text }) => text.normalize('NFKC').match(/\p{Lu}{4,}/gu) ?? [])
    this.#capitalised = new Set(capitalised.map((word) => word.toLowerCase()))
  }

  sharesOf(text: string): Shares {
    const words = contentWords(text)
    const listed = this.listedIn(text)
    const counted = words.map((word) => {
      const by = this.#peopleWith(word)
      return { word, people: by.size, lone: by.size === 1 && !has(this.#title, word) ? [...by][0] : undefined }
    })
    const loners = new Map<string, number>()
    for (const { lone } of counted) if (lone !== undefined) loners.set(lone, (loners.get(lone) ?? 0) + 1)
    const share = (fits: (one: { word: string; people: number }) => boolean) =>
      words.length === 0 ? 0 : counted.filter(fits).length / words.length
    return {
      known: share(({ word, people }) => people > 0 || has(this.#title, word)),
      own: Math.max(0, ...loners.values()) / Math.max(1, words.length),
      shared: share(({ people }) => people >= this.#minPeople),
      lone: share(({ people }) => people === 1),
      suspect: counted.some(
        ({ word, people }) =>
          people < 2 && ((this.#capitalised.has(word) && !listed.has(word)) || has(this.#withheld, word)),
      ),
    }
  }

  /**
   * The words of lists in a text whose every item is said by somebody else, three people or more: names in capitals, such as `BLIK` in
   * `iDEAL, Bancontact and BLIK`. One person alone cannot bring a word into such a list.
   */
  listedIn(text: string): Set<string> {
    const listed = new Set<string>()
    for (const [list] of text.normalize('NFKC').matchAll(LIST)) {
      const items = contentWords(list)
      const speakers = items.map((item) => [...this.#peopleWith(item)])
      const isOfDifferentPeople =
        speakers.every((people) => people.length === 1) && new Set(speakers.flat()).size === items.length
      if (items.length >= MIN_LISTED && isOfDifferentPeople) for (const item of items) listed.add(item)
    }
    return listed
  }

  #peopleWith(word: string): Set<string> {
    return new Set(this.#mentions.flatMap(({ person, words }) => (has(words, word) ? [person] : [])))
  }
}

function has(words: readonly string[], word: string): boolean {
  return words.some((other) => sameWord(word, other))
}
