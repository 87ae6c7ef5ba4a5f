import { signsOfAll, wordsOfAll } from '../lexicons/lexicons.ts'
import { normalise, tokenise } from '../text/normalise.ts'
import { isStopword } from '../text/stopwords.ts'

/** What a tag can count. Shares and growth are percentages. */
export type Measure =
  | 'mention-share'
  | 'people-share'
  | 'growth'
  | 'people'
  | 'mentions'
  | 'week-mentions'
  | 'days-since-last'
  | 'days-since-first'

/**
 * The numbers of one insight, and of all insights together. `week` is the last 7 days, `weekBefore` the 7 days
 * before. Times are milliseconds since 1970.
 */
export type TagCounts = {
  mentions: number
  people: number
  week: number
  weekBefore: number
  firstSeen: number | null
  lastSeen: number | null
  allMentions: number
  allPeople: number
  now: number
}

const sign = signsOfAll('MEASURE_SIGNS')
const wholeSign = (name: Parameters<typeof sign>[0]) => `\\b${sign(name)}\\b`

const SHARE = new RegExp(`${wholeSign('share')}|%`)
const GROWTH = new RegExp(`${wholeSign('growth')}|${sign('growthPhrase')}`)
const WEEK = new RegExp(wholeSign('week'))
const COUNT = new RegExp(wholeSign('count'))
const PEOPLE = new RegExp(wholeSign('people'))
const MENTION_WORD = new RegExp(wholeSign('mention'))
const DAYS = new RegExp(wholeSign('days'))
const SINCE = new RegExp(wholeSign('since'))
const FIRST = new RegExp(wholeSign('first'))
/** Periods that cannot be counted. */
const OTHER_TIME = new RegExp(wholeSign('otherTime'))

/** Words that may describe a measure. Any other content word means that something else is requested. */
const MEASURE_WORDS = wordsOfAll((lexicon) => lexicon.MEASURE_WORDS)

const MEASURE_TEXTS: Record<Measure, string> = {
  'mention-share': 'The share of all mentions, in percent',
  'people-share': 'The share of all people who gave feedback, in percent',
  growth: 'Growth in percent: mentions of the last 7 days against the 7 days before',
  people: 'The number of people who said it',
  mentions: 'The number of mentions',
  'week-mentions': 'The number of mentions in the last 7 days',
  'days-since-last': 'The number of days since the last mention',
  'days-since-first': 'The number of days since the first mention',
}

/** A measure as shown to the person who requested it. */
export function measureText(measure: Measure): string {
  return MEASURE_TEXTS[measure]
}

/** `calculated`: a percentage, `number`: a count. */
export function measureKind(measure: Measure): 'calculated' | 'number' {
  return measure.endsWith('-share') || measure === 'growth' ? 'calculated' : 'number'
}

/**
 * The measure a description requests; null if it requests none, `other` if it requests one that cannot be derived
 * from mentions, such as revenue or customers of one plan.
 */
export function parseMeasure(description: string): Measure | 'other' | null {
  const sentence = (/^[^.;\n]{1,300}/.exec(description.trim())?.[0] ?? '').toLowerCase()
  const asked = requestedMeasure(sentence)
  if (asked === null) return null
  if (OTHER_TIME.test(sentence)) return 'other'
  const foreign = tokenise(normalise(sentence)).filter(
    (word) => !isStopword(word) && !MEASURE_WORDS.has(word) && word.length > 2,
  )
  return foreign.length === 0 ? asked : 'other'
}

function requestedMeasure(sentence: string): Measure | null {
  const head = sentence.slice(0, 100)
  if (DAYS.test(head) && SINCE.test(sentence)) return FIRST.test(sentence) ? 'days-since-first' : 'days-since-last'
  if (GROWTH.test(head) && (WEEK.test(sentence) || SHARE.test(sentence))) return 'growth'
  if (SHARE.test(head)) {
    const of = sentence.slice(Math.max(0, sentence.search(SHARE)))
    const people = of.search(PEOPLE)
    const mention = of.search(MENTION_WORD)
    if (people >= 0 && (mention < 0 || people < mention)) return 'people-share'
    return mention >= 0 ? 'mention-share' : null
  }
  if (!COUNT.test(head)) return null
  const counted = sentence.slice(Math.max(0, sentence.search(COUNT)))
  const people = counted.search(PEOPLE)
  const mention = counted.search(MENTION_WORD)
  if (people >= 0 && (mention < 0 || people < mention)) return WEEK.test(sentence) ? null : 'people'
  if (mention >= 0) return WEEK.test(sentence) ? 'week-mentions' : 'mentions'
  return null
}

/** The value for one insight; null without a date or with a zero divisor. Percentages are not rounded. */
export function measureValue(measure: Measure, counts: TagCounts): number | null {
  const share = (part: number, all: number) => (all > 0 ? (100 * part) / all : null)
  const days = (seen: number | null) =>
    seen === null ? null : Math.max(0, Math.floor((counts.now - seen) / 86_400_000))
  switch (measure) {
    case 'mention-share':
      return share(counts.mentions, counts.allMentions)
    case 'people-share':
      return share(counts.people, counts.allPeople)
    case 'growth':
      return counts.weekBefore > 0 ? (100 * (counts.week - counts.weekBefore)) / counts.weekBefore : null
    case 'people':
      return counts.people
    case 'mentions':
      return counts.mentions
    case 'week-mentions':
      return counts.week
    case 'days-since-last':
      return days(counts.lastSeen)
    case 'days-since-first':
      return days(counts.firstSeen)
  }
}
