import { LEXICONS, type Lexicon, signsOfAll, tableOfAll, wordsOfAll } from '../lexicons/lexicons.ts'
import { guessLanguage, type Language, stem } from './language.ts'
import { normalise, tokenise } from './normalise.ts'
import { isStopword } from './stopwords.ts'

/**
 * What a sentence is about and asks for: the stems of its content words, and cues. A cue stands for all words
 * that ask the same question (`?why`) or express the same kind of problem or action (`!not`, `!on`), mostly stop
 * words.
 */
export type Intents = Set<string>

const CUE_OF = new Map(Object.values<Lexicon>(LEXICONS).flatMap(({ INTENT_CUES }) => [...cuesByWord(INTENT_CUES)]))
/** Cues of words that mean something else in another language: German `was` asks what, English `was` does not. */
const OWN_CUE_OF = new Map<string, ReadonlyMap<string, string>>(
  Object.entries<Lexicon>(LEXICONS).map(([language, { OWN_INTENT_CUES }]) => [
    language,
    cuesByWord(OWN_INTENT_CUES ?? {}),
  ]),
)
const STOPWORD_HOMOGRAPHS = tableOfAll((lexicon) => lexicon.STOPWORD_HOMOGRAPHS)

const sign = signsOfAll('INTENT_SIGNS')

/** Words of a problem: they add `!not` beside their own stem. */
const PROBLEM_STEM = new RegExp(`^${sign('problemStem')}`)
/** `turn it off`, `put milk on the list`: verbs whose direction is given by a particle, within this many words. */
const DIRECTIONAL_VERB = new RegExp(`^${sign('directionalVerb')}$`)
const DIRECTIONS = tableOfAll((lexicon) => lexicon.DIRECTION_PARTICLES)
const MAX_PARTICLE_DISTANCE = 5
/** `What is the way to` asks how. */
const HOW_TO = new RegExp(`\\b${sign('howTo')}`, 'i')
/** `last week` is a time, not the last of something. */
const POSITION_CUES = new Set(['!next', '!last'])
const DATE_WORD = new RegExp(`^${sign('dateUnit')}s?$|^${sign('weekday')}$`)
const HOW_MEASURES = wordsOfAll((lexicon) => lexicon.HOW_MEASURES)
const COPULAS = wordsOfAll((lexicon) => lexicon.COPULAS)
/** `can you turn it off` is a request, not a yes-or-no question. */
const REQUEST_OPENING = new RegExp(`^${sign('requestOpening')}$`)
/** Words that begin a yes-or-no question. */
const YES_NO_STARTERS = wordsOfAll((lexicon) => lexicon.YES_NO_STARTERS)

/** Stemming is the most expensive part, and words repeat. */
const stemCache = new Map<string, string>()
const MAX_CACHED_STEMS = 20_000

/** The intents of a sentence or a title. Guesses the language if none is given. */
export function intentsOf(text: string, known?: Language): Intents {
  const tokens = tokenise(normalise(text))
  const language = known ?? guessLanguage(tokens)
  const intents: Intents = new Set()
  if (asksYesOrNo(tokens, language)) intents.add('?if')
  const isWay = language === 'en' && HOW_TO.test(text)
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as string
    const cue = ownCue(token, language) ?? CUE_OF.get(token)
    if (cue === '?how') intents.add(howOf(tokens[i + 1] ?? ''))
    else if (cue === '?what' && isWay) intents.add('?how')
    else if (cue !== undefined && !(POSITION_CUES.has(cue) && DATE_WORD.test(tokens[i + 1] ?? ''))) intents.add(cue)
    const direction = DIRECTIONAL_VERB.test(token) ? particleCue(tokens, i) : undefined
    if (direction) intents.add(direction)
    if (isStopword(token, language) && !STOPWORD_HOMOGRAPHS.get(token)?.test(text)) continue
    intents.add(stemmed(token, language))
    if (PROBLEM_STEM.test(token)) intents.add('!not')
  }
  return intents
}

function particleCue(tokens: string[], verb: number): string | undefined {
  for (let i = verb + 1; i <= verb + MAX_PARTICLE_DISTANCE && i < tokens.length; i++) {
    const direction = DIRECTIONS.get(tokens[i] as string)
    if (direction) return direction
  }
  return undefined
}

/** Whether an intent is a cue rather than a stem: no word begins with `?` or `!`. */
export function isCue(intent: string): boolean {
  return intent.charCodeAt(0) === 63 || intent.charCodeAt(0) === 33
}

function stemmed(token: string, language: Language): string {
  const key = language === 'en' ? token : `${language}:${token}`
  const held = stemCache.get(key)
  if (held !== undefined) return held
  if (stemCache.size >= MAX_CACHED_STEMS) stemCache.clear()
  const found = stem(token, language)
  stemCache.set(key, found)
  return found
}

/** Whether it is a yes-or-no question. */
function asksYesOrNo([first = '', second = '']: string[], language: Language): boolean {
  return YES_NO_STARTERS.has(first) && !ownCue(first, language) && !REQUEST_OPENING.test(`${first} ${second}`)
}

function ownCue(token: string, language: Language): string | undefined {
  return OWN_CUE_OF.get(language)?.get(token)
}

function cuesByWord(cues: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(cues).flatMap(([cue, words]) => words.map((word) => [word, cue] as const)))
}

/** `how much` asks for a figure, `how is` what something is like, `how do` for the way. */
function howOf(next: string): string {
  if (HOW_MEASURES.has(next)) return `?how ${next}`
  return COPULAS.has(next) ? '?what' : '?how'
}
