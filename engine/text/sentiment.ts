import { LEXICONS, type Lexicon, wordsOfAll } from '../lexicons/lexicons.ts'

/** How something is said: as a problem, or as a request for something missing. */
export type Sentiment = 'problem' | 'request'

const MAX_TEXT_LENGTH = 2_000
/** One strong sign, or two weak ones. */
const MIN_WEIGHT = 2
/** People who request something often describe the problem of being without it. */
const REQUEST_FACTOR = 1.5

const LABELS: Readonly<Record<Sentiment, ReadonlySet<string>>> = {
  problem: wordsOfAll((lexicon) => lexicon.PROBLEM_LABELS),
  request: wordsOfAll((lexicon) => lexicon.REQUEST_LABELS),
}

type Sign = readonly [weight: number, sign: RegExp]

const { en, de, fr, es, pt, ...others } = LEXICONS
const later = Object.values<Lexicon>(others)
const SIGNS: Readonly<Record<Sentiment, readonly Sign[]>> = {
  problem: [
    ...en.PROBLEM_SIGNS,
    ...[
      ...de.PROBLEM_SIGNS,
      ...merged(es.PROBLEM_SIGNS, pt.PROBLEM_SIGNS),
      ...[fr, ...later].flatMap((one) => one.PROBLEM_SIGNS),
    ].map(wholeWords),
  ],
  request: [
    ...en.REQUEST_SIGNS,
    ...[
      ...de.REQUEST_SIGNS,
      ...merged(es.REQUEST_SIGNS, pt.REQUEST_SIGNS),
      ...[fr, ...later].flatMap((one) => one.REQUEST_SIGNS),
    ].map(wholeWords),
  ],
}

/** Spanish and Portuguese share words: as one sign, a shared word counts once. */
function merged(one: readonly Sign[], other: readonly Sign[]): Sign[] {
  return one.map(([weight, { source }], n) => [weight, new RegExp(`${source}|${other[n]?.[1].source}`, 'u')])
}

function wholeWords([weight, { source }]: Sign): Sign {
  return [weight, new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'gu')]
}

/** The sentiment a label stands for; null for any other label. */
export function labelSentiment(label: string): Sentiment | null {
  const plain = label.trim().toLowerCase()
  if (LABELS.problem.has(plain)) return 'problem'
  return LABELS.request.has(plain) ? 'request' : null
}

/** The sentiment of a text if it is clear, from its first 2,000 characters; else null. */
export function sentimentOf(text: string): Sentiment | null {
  const read = text.slice(0, MAX_TEXT_LENGTH).toLowerCase()
  const request = weightOf('request', read)
  const problem = weightOf('problem', read)
  if (request >= MIN_WEIGHT && request * REQUEST_FACTOR >= problem) return 'request'
  return problem >= MIN_WEIGHT && problem > request ? 'problem' : null
}

function weightOf(sentiment: Sentiment, text: string): number {
  let sum = 0
  for (const [weight, sign] of SIGNS[sentiment]) sum += weight * (text.match(sign)?.length ?? 0)
  return sum
}
