import { LEXICONS, wordsOfAll } from '../lexicons/lexicons.ts'
import { guessLanguage, type Language, stem } from './language.ts'
import { normalise, tokenise } from './normalise.ts'
import { isStopword } from './stopwords.ts'

/**
 * What a sentence is about and asks for: the stems of its content words, and cues. A cue stands for all words
 * that ask the same question (`?why`) or express the same kind of problem or action (`!not`, `!on`), mostly stop
 * words.
 */
export type Intents = Set<string>

const CUE_OF = new Map(
  Object.values(LEXICONS).flatMap(({ INTENT_CUES }) =>
    Object.entries(INTENT_CUES).flatMap(([cue, words]) => words.map((word) => [word, cue] as const)),
  ),
)
/** Words of a problem: they add `!not` beside their own stem. */
const PROBLEM_STEM =
  /^(?:troubl|difficult|problem|issue|fail|declin|reject|refus|den(?:y|ied)|broke|crash|error|stuck|miss|wrong|incorrect|fehl|falsch)/
/** `ID`, which the stop-word list takes for `I'd`. */
const ID_TOKEN = /\bIDs?\b/
/** `turn it off`, `put milk on the list`: verbs whose direction is given by a particle, within this many words. */
const DIRECTIONAL_VERB = /^(?:turn|turned|turning|switch|switched|switching|put|shut|take|cross|crossed|power|toggle)$/
const DIRECTIONS: Record<string, string> = { on: '!on', off: '!off', up: '!up', down: '!down' }
const MAX_PARTICLE_DISTANCE = 5
/** `What is the way to` asks how. */
const HOW_TO =
  /\bwhat(?:(?:'s| is| are) the (?:\w+ )?(?:ways?|methods?|procedures?|process|steps)\b| (?:do|must|should|can|would) (?:i|we|you|one) (?:(?:need|have) to )?do to )/i
/** `last week` is a time, not the last of something. */
const POSITION_CUES = new Set(['!next', '!last'])
const DATE_WORD =
  /^(?:second|minute|hour|day|night|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|woche|monat|jahr|semaine|mois|semana|mes|mês)s?$|^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/
const MEASURE_WORDS = new Set(['much', 'many', 'long', 'often', 'far', 'old', 'big', 'soon', 'fast', 'quickly'])
const COPULAS = new Set(['is', 'are', 'was', 'were', 'am'])
const REQUEST_MODALS = new Set(['can', 'could', 'would', 'will'])
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
    const cue = isGermanWas(token, language) ? '?what' : CUE_OF.get(token)
    if (cue === '?how') intents.add(howOf(tokens[i + 1] ?? ''))
    else if (cue === '?what' && isWay) intents.add('?how')
    else if (cue !== undefined && !(POSITION_CUES.has(cue) && DATE_WORD.test(tokens[i + 1] ?? ''))) intents.add(cue)
    const direction = DIRECTIONAL_VERB.test(token) ? particleCue(tokens, i) : undefined
    if (direction) intents.add(direction)
    if (isStopword(token, language) && !(token === 'id' && ID_TOKEN.test(text))) continue
    intents.add(stemmed(token, language))
    if (PROBLEM_STEM.test(token)) intents.add('!not')
  }
  return intents
}

function particleCue(tokens: string[], verb: number): string | undefined {
  for (let i = verb + 1; i <= verb + MAX_PARTICLE_DISTANCE && i < tokens.length; i++) {
    const direction = DIRECTIONS[tokens[i] as string]
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

/** Whether it is a yes-or-no question, not a request such as `can you turn it off`. */
function asksYesOrNo([first = '', second = '']: string[], language: Language): boolean {
  return YES_NO_STARTERS.has(first) && !isGermanWas(first, language) && !(second === 'you' && REQUEST_MODALS.has(first))
}

/** German `was` means what; English `was` does not. */
function isGermanWas(token: string, language: Language): boolean {
  return token === 'was' && language === 'de'
}

/** `how much` asks for a figure, `how is` what something is like, `how do` for the way. */
function howOf(next: string): string {
  if (MEASURE_WORDS.has(next)) return `?how ${next}`
  return COPULAS.has(next) ? '?what' : '?how'
}
