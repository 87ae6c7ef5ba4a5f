import { contentWords } from '../../content-words.ts'
import type { Encode } from '../../encoder.ts'
import { speaksToModels } from '../../injection.ts'
import { parseReply } from '../../parse-reply.ts'
import { countPeople, type Evidence, MIN_PEOPLE } from './evidence.ts'
import { clausesOf, compareMeaning } from './meaning.ts'
import { isReversed, praisesComplaints } from './polarity.ts'
import { Reply } from './schema.ts'
import { type Shares, WordSources } from './word-sources.ts'

/** Why an answer is refused. The texts are sent back to the model, so they repeat neither customers nor the model. */
export const refusals = {
  form: 'It was not one JSON object with name, summary and quotes.',
  empty: 'The name or the summary was empty.',
  length: 'The name or the summary was too long: 80 and 500 characters at most.',
  characters: 'The name or the summary held line breaks, markup or characters that cannot be seen.',
  link: 'The name or the summary held a link, an address or a number to call that is not in the messages.',
  quotes: 'The quotes were not at least two pieces copied letter by letter from different messages.',
  order: 'The name or the summary spoke to the reader instead of saying what customers say.',
  name: 'The name, or a part of it, is not what several messages say.',
  voice: 'Too many words of the name are used by one message alone, or one of them is in capitals there.',
  summary:
    'A sentence of the summary is not what several messages say, or has a word in capitals that one message has.',
  reversed: 'The name says the opposite of the messages: mind the negations, and what is praised.',
  taken: 'Another title in the list is the same. Say what sets this one apart.',
} as const
/** The rule that a name or summary broke. */
export type Refusal = keyof typeof refusals

/** The checked name and summary, or the rule that they broke. */
export type Verdict = { ok: true; name: string; summary: string } | { ok: false; refusal: Refusal }

const MAX_NAME_LENGTH = 80
const MAX_SUMMARY_LENGTH = 500
const MIN_QUOTE_LENGTH = 6
const MIN_QUOTES = 2
/** The least share of known words (those of the messages) and of shared words in a name or a sentence. */
const MIN_KNOWN = 0.5
const MIN_KNOWN_IN_SENTENCE = 1 / 3
const MIN_SHARED = 0.25
/** The largest share of words in a name that one person alone uses. */
const MAX_LONE = 0.5
/**
 * The least support by meaning of a name or a sentence, and of each part of a name. Chosen on 60 accurate names and summaries, and on ones
 * with invented claims (docs/models.md).
 */
const MIN_MEANING = 0.33
const MIN_MEANING_OF_PART = 0.3
/** What words of the messages add to the similarity, and what it loses where most are those of one person. */
const KNOWN_WORTH = 0.2
const OWN_COST = 0.22

const LINK =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+|\b(?:mailto|javascript|data):\S+|[^\s@]+@[^\s@]+\.[^\s@]+|@\w{3,}|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?|\+?\d[\d\s()./-]{7,}\d/giu
const MARKUP = /<\s*[!/?a-z]|&(?:#\d+|#x[0-9a-f]+|[a-z]+);|\]\s*\(|`|\*\*|__|\$\{|\{\{|^\s*#{1,6}\s/i
const INVISIBLE = /\p{C}|[\p{Zl}\p{Zp}\ufffd]/u

/**
 * Whether an answer may be shown. The quotes must occur verbatim in the given messages. A name, and every sentence of a summary, is
 * supported by words or by meaning. By words: half of the name's words come from the messages (or the built-in name) and a quarter are
 * shared by several people. By meaning: several people say something similar. So one message alone cannot dictate a name or a sentence. A
 * word that only one person uses may occur beside shared ones, unless it is in capitals or from a withheld message. Where meaning can be
 * compared, each part of a name is supported for itself, so that nothing invented is added to what is true. `taken`: the names of the
 * other insights, by `nameKey`.
 */
export async function checkReply(
  text: string,
  evidence: Evidence,
  taken: ReadonlySet<string>,
  encode: Encode,
): Promise<Verdict> {
  const reply = parseReply(text, Reply)
  if (!reply) return refused('form')
  return checkDescription({ ...reply, isQuoted: quotesHold(reply.quotes, evidence) }, evidence, taken, encode)
}

/** Whether a name and a summary may be shown, as `checkReply` says. `isQuoted`: two messages are quoted or referred to. */
export async function checkDescription(
  described: { name: string; summary: string; isQuoted: boolean },
  evidence: Evidence,
  taken: ReadonlySet<string>,
  encode: Encode,
): Promise<Verdict> {
  const name = described.name.trim()
  const summary = described.summary.trim().replace(/\s*\n\s*/g, ' ')
  const refusal =
    findFault(name, summary, evidence) ??
    (described.isQuoted ? null : 'quotes') ??
    (speaksToModels(name) || speaksToModels(summary) ? 'order' : null) ??
    (await findUnsupported(name, summary, evidence, encode)) ??
    (taken.has(nameKey(name)) ? 'taken' : null)
  return refusal ? refused(refusal) : { ok: true, name, summary }
}

/** What is wrong with the form of a name or a summary. */
function findFault(name: string, summary: string, { mentions }: Evidence): Refusal | null {
  if (contentWords(name).length === 0 || contentWords(summary).length === 0) return 'empty'
  if (name.length > MAX_NAME_LENGTH || summary.length > MAX_SUMMARY_LENGTH) return 'length'
  const both = [name, summary]
  if (both.some((part) => INVISIBLE.test(part) || MARKUP.test(part))) return 'characters'
  const isForeign = (part: string) => [...part.matchAll(LINK)].some(([link]) => !isGiven(trimmed(link), mentions))
  return both.some(isForeign) ? 'link' : null
}

/** What the messages do not say. */
async function findUnsupported(
  name: string,
  summary: string,
  evidence: Evidence,
  encode: Encode,
): Promise<Refusal | null> {
  const sources = new WordSources(evidence)
  const shares = sources.sharesOf(name)
  const sentences = summary
    .split(/(?<=[.!?。！？;])(?!\p{Ll})\s*/u)
    .filter((sentence) => contentWords(sentence).length > 0)
    .map((sentence) => ({ sentence, shares: sources.sharesOf(sentence) }))
  const parts = clausesOf(name)
  const meaning = await compareMeaning(
    [name, ...parts, ...sentences.map(({ sentence }) => sentence)],
    evidence.mentions,
    encode,
  )
  const isMeant = (text: string, { known, own }: Shares, least = MIN_MEANING) =>
    meaning !== null && meaning.supportOf(text) + KNOWN_WORTH * known - (own > MAX_LONE ? OWN_COST : 0) >= least
  const isKnown = shares.known >= MIN_KNOWN && shares.shared >= MIN_SHARED
  const isNameMeant = isMeant(name, shares)
  if (!isKnown && !isNameMeant) return 'name'
  if (shares.suspect || (shares.lone > MAX_LONE && !isNameMeant)) return 'voice'
  const listed = sources.listedIn(name)
  const isItem = (part: string) => contentWords(part).every((word) => listed.has(word))
  const isSaid = (part: string) => isItem(part) || isMeant(part, sources.sharesOf(part), MIN_MEANING_OF_PART)
  if (meaning && !parts.every(isSaid)) return 'name'
  const isHeld = ({ sentence, shares: of }: (typeof sentences)[number]) =>
    !of.suspect && ((of.known >= MIN_KNOWN_IN_SENTENCE && of.shared >= MIN_SHARED) || isMeant(sentence, of))
  if (!sentences.every(isHeld)) return 'summary'
  if (praisesComplaints(name, evidence.mentions)) return 'reversed'
  // The sentences of customers negate many things, so they decide only where words do not support the name.
  const isJudged = meaning !== null && (meaning.isRead || !isKnown)
  return isJudged && isReversed(name, meaning.alikeTo(name)) ? 'reversed' : null
}

/** The same key for names that read the same. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The keys of the other insights' names. */
export function othersNames(names: ReadonlyMap<number, string>, issueNumber: number): Set<string> {
  return new Set([...names].filter(([number]) => number !== issueNumber).map(([, name]) => nameKey(name)))
}

function refused(refusal: Refusal): Verdict {
  return { ok: false, refusal }
}

/** Whether a message holds this link, and several people the name before its first dot: `Booking` of `Booking.com`. */
function isGiven(link: string, mentions: Evidence['mentions']): boolean {
  const [name = ''] = link.split('.')
  const holding = (part: string) => mentions.filter((one) => one.text.toLowerCase().includes(part))
  return holding(link).length > 0 && countPeople(holding(name)) >= MIN_PEOPLE
}

function trimmed(link: string): string {
  return link.toLowerCase().replace(/[\s.,;:!?)\]]+$/, '')
}

/** Every quote occurs in a message, and at least two messages are quoted. */
function quotesHold(quotes: readonly string[], evidence: Evidence): boolean {
  const holders = new Set<number>()
  for (const quote of quotes.map((one) => one.trim())) {
    const found = evidence.quotes.flatMap(({ text }, at) => (text.includes(quote) ? [at] : []))
    if (quote.length < MIN_QUOTE_LENGTH || found.length === 0) return false
    for (const at of found) holders.add(at)
  }
  return quotes.length >= MIN_QUOTES && holders.size >= MIN_QUOTES
}
