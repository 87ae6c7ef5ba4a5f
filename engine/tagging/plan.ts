import { signsOfAll } from '../lexicons/lexicons.ts'
import { guessLanguage, type Language } from '../text/language.ts'
import { normalise, tokenise } from '../text/normalise.ts'
import { labelSentiment, type Sentiment } from '../text/sentiment.ts'
import { labelCues } from './label-cues.ts'
import { type Measure, measureKind, measureText, parseMeasure } from './measures.ts'
import { descriptionKind, type ListedOption, parseOptions, quotedPhrases } from './options.ts'
import { isContentWord, type TagWord, tagWordsOf } from './tag-words.ts'

/** Words an insight may contain: all of them, in any order or in this one. */
export type Cue = { words: TagWord[]; inOrder: boolean }

/** A value of a tag and its cues. `sentiment`: the sentiment of what it stands for, whatever the wording. */
type TagOption = { value: string; cues: Cue[]; sentiment: Sentiment | null }

/**
 * How a tag is interpreted. `against`: what rules out a tag about one subject. `understood` explains the
 * interpretation to the author of the description.
 */
export type TagPlan = { understood: string } & (
  | { kind: 'category'; options: TagOption[]; against: Cue[] }
  | { kind: 'calculated' | 'number'; measure: Measure }
  | { kind: 'none' }
)

const MAX_DESCRIPTION_LENGTH = 4_000
const MAX_CUES = 120
const MAX_SHOWN_CUES = 6
const sign = signsOfAll('TAG_SIGNS')

/** Where a description starts to list exclusions. */
const EXCLUSION = new RegExp(`${sign('exclusion')}\\s+`, 'iu')
const CHUNK_SEPARATOR = new RegExp(`[,;:.!?()\\n"“”„«»/|–—]+|\\s+-\\s+|\\s+${sign('conjunction')}\\s+`, 'iu')
/** `locked out` differs from `locked`. */
const PARTICLE = new RegExp(`^${sign('particle')}$`)
/** Light verbs, meaningful only with a particle: `getting in`. */
const LIGHT_VERB = new RegExp(`^${sign('lightVerb')}$`)
const PLACE_PARTICLE = new RegExp(`^${sign('placeParticle')}$`)
const UNCLEAR_TEXT =
  'Not understood, so it gets no value. Name the values (“One of: Billing, Login or Export”), or say what an insight speaks of (“Everything about invoices and payments”), or ask for a share, a growth per week or a number of people or mentions.'
const UNCOUNTABLE_TEXT =
  'This number is not known to Groundswell, so it gets no value. It can count mentions, people and days, and tell the share of all mentions or the growth per week.'

/** Interprets a tag's description. Never throws; reads the first 4,000 characters. */
export function parseTagPlan(tag: { name: string; description: string }): TagPlan {
  const description = tag.description.slice(0, MAX_DESCRIPTION_LENGTH)
  const name = tag.name.trim().slice(0, 200)
  const measure = parseMeasure(description)
  if (measure === 'other') return { kind: 'none', understood: UNCOUNTABLE_TEXT }
  if (measure !== null) return { kind: measureKind(measure), measure, understood: measureText(measure) }
  const listed = parseOptions(description)
  const language = guessLanguage(tokenise(normalise(description)))
  if (listed.length > 0) return planOptions(listed, language)
  if (descriptionKind(description) === 'open' || name === '') return { kind: 'none', understood: UNCLEAR_TEXT }
  return planSubject(name, description, language)
}

function planOptions(listed: readonly ListedOption[], language: Language): TagPlan {
  const own = listed.map(({ label, about }) => {
    const meant = about.split(EXCLUSION)[0] ?? ''
    const cues = cuesOf(meant, false, language)
    // A text of stop words only, such as `nothing works`, is matched as a phrase.
    return [...cuesOf(label, true, language), ...(cues.length > 0 ? cues : phraseCue(meant, language))]
  })
  const known = listed.map(({ label }) => labelCues(label).flatMap((phrase) => phraseCue(phrase)))
  const users = new Set(own.flatMap((cues) => cues.map(cueKey)))
  const held = new Map<string, number>()
  const cues = own.map((mine, at) => {
    const mineOnly = new Set(mine.map(cueKey))
    const all = [...mine, ...(known[at] ?? []).filter((cue) => mineOnly.has(cueKey(cue)) || !users.has(cueKey(cue)))]
    const unique = new Map(all.map((cue) => [cueKey(cue), cue]))
    for (const key of unique.keys()) held.set(key, (held.get(key) ?? 0) + 1)
    return unique
  })
  const sentiments = listed.map(({ label }) => labelSentiment(label))
  // Sentiment only distinguishes values when both kinds occur: `Bug` beside `Billing` is just a label.
  const opposed = sentiments.includes('problem') && sentiments.includes('request')
  const options = listed.map(({ label }, at) => ({
    value: label,
    sentiment: opposed ? (sentiments[at] ?? null) : null,
    cues: [...(cues[at] ?? [])]
      .filter(([key]) => held.get(key) === 1)
      .map(([, cue]) => cue)
      .slice(0, MAX_CUES),
  }))
  return {
    kind: 'category',
    options,
    against: [],
    understood: `One of: ${listed.map(({ label }) => label).join(', ')}`,
  }
}

function planSubject(name: string, description: string, language: Language): TagPlan {
  const [meant = '', ...excluded] = description.split(EXCLUSION)
  const cues = unique([
    ...cuesOf(name, true, language),
    ...quotedPhrases(meant).flatMap((phrase) => phraseCue(phrase)),
    ...cuesOf(meant, false, language),
    ...labelCues(name).flatMap((phrase) => phraseCue(phrase)),
  ])
  const shownCues = unique(cuesOf(meant, false, language)).map(({ words }) => words.map(({ token }) => token).join(' '))
  if (cues.length === 0) return { kind: 'none', understood: UNCLEAR_TEXT }
  const about = shownCues.length > 0 ? shownCues.slice(0, MAX_SHOWN_CUES).join(', ') : name
  return {
    kind: 'category',
    options: [{ value: name, cues, sentiment: null }],
    against: unique(excluded.flatMap((part) => cuesOf(part, false, language))),
    understood: `“${name}” where an insight speaks of: ${about}${shownCues.length > MAX_SHOWN_CUES ? ', …' : ''}`,
  }
}

/** Labels that grade or are generic: their words occur in texts about anything. */
const GRADE = new RegExp(`^(?:${sign('degree')}\\s+)?${sign('grade')}$`, 'iu')

/** Cues of a text. A label is matched as a whole; other text is split at commas and conjunctions. */
function cuesOf(text: string, isLabel: boolean, language: Language): Cue[] {
  if (isLabel && GRADE.test(text.trim())) return []
  const chunks = isLabel ? text.split(/[/&+]/) : text.split(CHUNK_SEPARATOR)
  return chunks.flatMap((chunk): Cue[] => {
    const { words } = tagWordsOf(chunk, language)
    const content = words.filter(isContentWord)
    if (content.length === 0 || content.length > 8) return []
    const first = content[0] as TagWord
    const particle = words[words.indexOf(first) + 1]
    const light = LIGHT_VERB.test(first.token)
    if (
      content.length === 1 &&
      particle &&
      (PARTICLE.test(particle.token) || (light && PLACE_PARTICLE.test(particle.token)))
    ) {
      return [{ words: [...content, particle], inOrder: true }]
    }
    if (content.length === 1 && light) return []
    return [{ words: content, inOrder: false }]
  })
}

function phraseCue(phrase: string, language?: Language): Cue[] {
  const { words } = tagWordsOf(phrase, language)
  return words.length > 0 && words.length <= 8 ? [{ words, inOrder: words.length > 1 }] : []
}

function cueKey({ words }: Cue): string {
  return words
    .map(({ stem }) => stem)
    .sort()
    .join(' ')
}

function unique(cues: readonly Cue[]): Cue[] {
  return [...new Map(cues.map((cue) => [cueKey(cue), cue])).values()].slice(0, MAX_CUES)
}
