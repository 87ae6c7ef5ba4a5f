import { listOfAll } from '../lexicons/lexicons.ts'
import { capitalise } from './titles.ts'

const REWRITINGS = listOfAll((lexicon) => lexicon.NAME_REWRITINGS)
const MIN_WORDS = 2

/** A title as a noun or verb phrase, where a rule applies and two words remain: `I can't log in` → `Can't log in`. */
export function asPhrase(title: string): string {
  for (const [pattern, replacement] of REWRITINGS) {
    const phrase = title.replace(pattern, replacement)
    if (phrase !== title && phrase.split(' ').length >= MIN_WORDS) return capitalise(phrase)
  }
  return title
}
