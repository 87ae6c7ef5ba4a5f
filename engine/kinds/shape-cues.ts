import { listOfAll } from '../lexicons/lexicons.ts'
import type { AnalysedText } from '../text/features.ts'
import { isAgreement, noiseReason } from '../text/noise.ts'
import { type Sentiment, sentimentOf } from '../text/sentiment.ts'
import { mashedShare } from './mashed.ts'

/** What a shape is measured on. `text`: as written, at most 1,000 UTF-16 units. */
type Measured = Pick<AnalysedText, 'tokens' | 'noiseFlags' | 'language'> & { text: string }
type Read = Measured & { sentiment: Sentiment | null; rating: number | null }

const GLAD = /[😀-😆😊😋😍😎😘😻🙂🙌🙏🤗🤩🥰👌👍👏💕💖💗💚💙💜💯💪🎉🏆🔥✨⭐🌟❤♥☺]/u
/** Emoji of anger, and those of irony. */
export const CROSS = /[😒😓😞😟😠😡😢😣😤😥😩😫😭😖😕🙁🙃🙄🤬🤮🤡🤦👎💔☹]/u
const EMOJI = /\p{Extended_Pictographic}/u
/** `^JT`, `-Becky`, `*AFC`, `/CH`, `- Tom` at the end. */
const SIGNATURE = /(?:[\^*/]\s?[A-Z]\w{0,14}|(?:^|[\s.!?…)])[-–—~]\s?\p{Lu}\p{L}{1,14})[.!]?\s*(?:\d\/\d\s*)?$/u
const CODE = /\w\(\)|\w\.\w+\(|[{}<>]=|=>|::|\w_\w|\b[a-z]+[A-Z]\w*\b|`[^`]+`/
const MARKUP = /<\/?\w+>|<!--|```|\|.*\|.*\||\*\*/
const TITLE = /^[\p{Lu}\d"'[`@(][^.!?]{3,90}[^.!?\s]$/u
const STARS = listOfAll((lexicon) => lexicon.KIND_CUES.star).join('|')
const RATING = new RegExp(`(?:^|[^\\d.,])(\\d{1,2})\\s*(?:/\\s*(5|10)(?!\\d)|-?(?:${STARS})(?!\\p{L}))`, 'iu')
const STAR_MARKS = /[★⭐]/g

/** Measures how a statement is written, each 0 to 1. */
const MEASURES: Readonly<Record<string, (of: Read) => boolean | number>> = {
  asks: ({ text }) => text.includes('?') || text.includes('¿'),
  'ends asking': ({ text }) => /\?[\s"')\]!]*$/.test(text),
  'asks twice': ({ text }) => text.indexOf('?') !== text.lastIndexOf('?'),
  exclaims: ({ text }) => text.includes('!'),
  'exclaims twice': ({ text }) => text.indexOf('!') !== text.lastIndexOf('!'),
  'trails off': ({ text }) => text.includes('...') || text.includes('…'),
  'glad emoji': ({ text }) => GLAD.test(text),
  'cross emoji': ({ text }) => CROSS.test(text),
  emoji: ({ text }) => EMOJI.test(text),
  'no letters': ({ text }) => !/\p{L}/u.test(text),
  'rated high': ({ rating }) => rating !== null && rating >= 0.8,
  'rated low': ({ rating }) => rating !== null && rating <= 0.4,
  shouts: ({ text }) => upperShare(text) > 0.6,
  'starts lower': ({ text }) => /^\s*\p{Ll}/u.test(text),
  'opens with handle': ({ text }) => /^\W{0,2}@\w/.test(text),
  'names handle': ({ text }) => text.includes('@'),
  'numbered handle': ({ text }) => /^\W{0,2}@\d{3,}/.test(text),
  signed: ({ text }) => SIGNATURE.test(withoutLinks(text)),
  link: ({ text }) => /https?:\/\/\S/.test(text),
  digits: ({ text }) => digitShare(text) > 0.2,
  code: ({ text }) => CODE.test(text),
  markup: ({ text }) => MARKUP.test(text),
  mashed: ({ tokens }) => mashedShare(tokens),
  stretched: ({ text }) => /(\p{L})\1{3}/u.test(text),
  lines: ({ text }) => text.includes('\n'),
  title: ({ text }) => TITLE.test(text),
  bracketed: ({ text }) => /^\s*\[[^\]]{1,40}\]/.test(text),
  list: ({ text }) => /(?:^|\n)\s*(?:[-*•]|\d[.)])\s/.test(text),
  'not English': ({ language }) => language !== 'en',
  agrees: ({ tokens, noiseFlags }) => isAgreement(tokens, noiseFlags),
  noise: ({ tokens, noiseFlags }) => noiseReason(tokens, noiseFlags) !== null,
  'one character': ({ text }) => text.trim().length === 1,
  'sounds like a problem': ({ sentiment }) => sentiment === 'problem',
  'sounds like a request': ({ sentiment }) => sentiment === 'request',
}

/** The names of the measures, in the order in which they are written. */
export const SHAPE_CUES: readonly string[] = Object.keys(MEASURES)
const ALL = Object.values(MEASURES)

/** Writes the measures of a statement into `into` from offset `at` on. */
export function writeShapes(of: Measured, into: Float32Array, at: number): void {
  const read = { ...of, sentiment: sentimentOf(of.text), rating: ratingOf(of.text) }
  ALL.forEach((measure, number) => {
    into[at + number] = Number(measure(read))
  })
}

function withoutLinks(text: string): string {
  return text.includes('http') ? text.replace(/https?:\/\/\S+/g, '').trimEnd() : text
}

/** A rating in the text, 0 to 1; null if there is none. */
function ratingOf(text: string): number | null {
  const found = RATING.exec(text)
  if (found) return Math.min(1, Number(found[1]) / Number(found[2] ?? 5))
  const marks = text.match(STAR_MARKS)?.length ?? 0
  return marks > 1 || text.includes('☆') ? Math.min(1, marks / 5) : null
}

/** The share of capitals among the letters from A to Z; 0 below eight letters. */
function upperShare(text: string): number {
  let upper = 0
  let letters = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 65 && code <= 90) upper++
    if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) letters++
  }
  return letters >= 8 ? upper / letters : 0
}

function digitShare(text: string): number {
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) digits++
  }
  return text.length > 0 ? digits / text.length : 0
}
