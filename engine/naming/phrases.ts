import type { Language } from '../text/language.ts'
import { isOpenEnd, mayJoin, type Word, type WordShares, wordOf } from './details.ts'
import { isNegation } from './negation.ts'
import { isDependent } from './readability.ts'
import { capitalise, plainText } from './titles.ts'

/** A phrase of a group: words as they follow each other in one of its sentences. */
type Phrase = { text: string; score: number }

/** Words of a phrase that fewer of the group use are details. */
const MIN_SHARES = [0.5, 0.4]
/** A phrase that a single sentence has may have been cut in the middle of a clause. */
const MIN_SAYERS = 2
const MAX_WORDS = 7
/** Words without a subject in a row, inside a phrase. */
const MAX_GAP = 2
/** How much it counts that others use the same phrase. */
const REPEAT_EXPONENT = 0.5

/** A sentence of a member. */
export type Saying = { text: string; language: Language; weight: number }

/**
 * The phrase that covers most of what the members have in common: a part of one of its sentences in which all words of a subject are used
 * by many members. Null if no word is.
 */
export function sharedPhrase(
  sayings: readonly Saying[],
  shares: WordShares,
  rarity: (stemmed: string) => number,
  taken: (text: string) => boolean,
): string | null {
  for (const least of MIN_SHARES) {
    const found = phrasesOf(sayings, (stemmed) => shares.get(stemmed) ?? 0, rarity, least)
    const best = found.find(({ text }) => !taken(text))
    if (best) return best.text
  }
  return null
}

function phrasesOf(
  sayings: readonly Saying[],
  shareOf: (stemmed: string) => number,
  rarity: (stemmed: string) => number,
  least: number,
): Phrase[] {
  const phrases = new Map<string, { gain: number; said: number; sayers: number; ways: Way[] }>()
  for (const { text, language, weight } of sayings) {
    const own = new Set<string>()
    for (const run of runsOf(text, language, (stemmed) => shareOf(stemmed) >= least)) {
      const stems = new Set(run.flatMap(({ stems }) => stems))
      const key = [...stems].sort().join(' ')
      // In English a word like `big-account` describes the next one; in German it is a noun: `CSV-Export`.
      if (stems.size < 2 || own.has(key) || (language === 'en' && run.length === 1)) continue
      own.add(key)
      const shown = run.map((word) => word.text).join(' ')
      const isNegated = run.some((word) => isNegation(word.text, language))
      let known = phrases.get(key)
      if (!known) {
        let gain = 0
        for (const stemmed of stems) gain += shareOf(stemmed) * rarity(stemmed)
        known = { gain, said: 0, sayers: 0, ways: [] }
        phrases.set(key, known)
      }
      known.said += weight
      known.sayers++
      const way = known.ways.find((one) => one.isNegated === isNegated)
      if (!way) known.ways.push({ text: shown, isNegated, said: weight })
      else {
        way.said += weight
        if (shown.length < way.text.length) way.text = shown
      }
    }
  }
  return [...phrases.values()]
    .map((phrase) => ({ ...phrase, text: mostSaid(phrase.ways) }))
    .filter(({ sayers, text }) => sayers >= MIN_SAYERS && !isDependent(text))
    .map(({ text, gain, said }) => ({ text: capitalise(text), score: gain * said ** REPEAT_EXPONENT }))
    .sort((a, b) => b.score - a.score || a.text.length - b.text.length || (a.text < b.text ? -1 : 1))
}

/** A phrase with or without a negation: the shortest way in which it is said, and how many say it. */
type Way = { text: string; isNegated: boolean; said: number }

/** What most say, and not its opposite. */
function mostSaid(ways: readonly Way[]): string {
  return ways.reduce((most, way) => (way.said > most.said || (way.said === most.said && !way.isNegated) ? way : most))
    .text
}

/** All parts of a sentence that begin and end with a common word, and contain no other words of a subject; with the negation before them. */
function runsOf(text: string, language: Language, isCommon: (stemmed: string) => boolean): Word[][] {
  const runs: Word[][] = []
  for (const clause of plainText(text).split(/[,.!?;:()[\]…–—]+(?:\s|$)|\s[-–—]+\s/)) {
    const words = clause
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => wordOf(word, language))
    for (let start = 0; start < words.length; start++) {
      if (!isSubject(words[start] as Word, isCommon)) continue
      let gap = 0
      const from = negationBefore(words, start, language)
      for (let end = start; end < words.length && end - start < MAX_WORDS; end++) {
        const word = words[end] as Word
        if (word.stems.length === 0) {
          if (++gap > MAX_GAP || !mayJoin(word.text)) break
          continue
        }
        if (!isSubject(word, isCommon)) break
        gap = 0
        if (!isOpenEnd(word.text)) runs.push(words.slice(from, end + 1))
      }
    }
  }
  return runs
}

/** The place of a negation before this word, with nothing that has a subject between them; without one, the word’s own place. */
function negationBefore(words: readonly Word[], start: number, language: Language): number {
  for (let at = start - 1; at >= 0 && at >= start - 1 - MAX_GAP; at--) {
    const { text, stems } = words[at] as Word
    if (isNegation(text, language)) return at
    if (stems.length > 0) break
  }
  return start
}

function isSubject({ text, stems, isTime }: Word, isCommon: (stemmed: string) => boolean): boolean {
  return stems.length > 0 && !isTime && /^[\p{L}\p{N}][\p{L}\p{N}'’.&-]*$/u.test(text) && stems.every(isCommon)
}
