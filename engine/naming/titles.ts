import { ACRONYMS as ACRONYM_WORDS } from '../lexicons/en.ts'
import { PROBLEM } from './readability.ts'

const GREETING =
  /^(?:(?:hi|hello|hey|hallo|moin|dear|good (?:morning|afternoon|evening|day)|guten (?:tag|morgen|abend)|liebes|sehr geehrte\w*|bonjour|bonsoir|salut|ch[eè]re?s?|hola|buenos d[ií]as|buenas (?:tardes|noches)|estimad[oa]s?|ol[aá]|oi|bom dia|boa (?:tarde|noite)|prezad[oa]s?)(?![\p{L}\p{N}])(?: (?:there|all|team|everyone|everybody|folks|guys|zusammen|leute|support|damen und herren))*[\s,!.:–—-]*)+/iu

const LEAD_INS = [
  /^(?:ok(?:ay)?|so|well|and|but|also|just|fyi|btw|again|anyway|um|uh|yes|yeah|no|re|fwd?|aw|wg|und|aber|also)\b[\s,:;–—-]+(?!longer|matter|one\b|way\b)/i,
  /^(?:feature request|request|bug(?: report)?|question|issue|urgent|feedback|suggestion|idea|wunsch|frage|fehler|problem)\s*[:–—-]\s*/i,
  /^(?:please|pls|plz|kindly|bitte)\b[\s,]*/i,
  /^(?:sorry|excuse me|thanks|thank you|danke)\b[\s,!.]+(?:but )?/i,
  /^(?:can|could|would) (?:you|u|someone|anyone|somebody|anybody)(?: guys)?(?: (?:please|pls|possibly|maybe|kindly))* (?=\w)/i,
  /^will (?:you|u|someone|anyone|somebody|anybody)(?: guys)?(?: (?:please|pls|possibly|maybe|kindly))+ (?=\w)/i,
  /^(?:can|could|may|might) i (?:please )?(?:ask|know|get some help with)\b[\s,]*/i,
  /^(?:i(?:'d| would) (?:like|love)|i(?:'m| am) (?:trying|wanting|looking)|i(?: really)? (?:want|need|wish)|id like|i wanna|i gotta|i have) (?:you )?to (?:know|find out|understand|ask|hear)(?: about)? /i,
  /^(?:i(?:'d| would) (?:like|love)|i(?: really)? (?:want|need)|i wanna|id like) (?:for )?you to /i,
  /^you (?:need|have|ought) to (?:tell|show|give|help) (?:me|us) /i,
  /^(?:do|does|did|would|might) (?:you|u|anyone|anybody|someone) (?:happen to )?(?:know|have any (?:idea|clue))(?: if| whether)? /i,
  /^(?:(?:tell|show|give|remind|teach|explain to|let) (?:me|us) (?:know |about |please |again )?)(?=(?:what|how|why|when|where|which|who|if|whether|the|my|about|some|all|a)\b)/i,
  /^know (?:about )?(?=(?:what|how|why|when|where|which|who|if)\b)/i,
  /^(?:i was wondering|i wonder|i'm wondering|wondering|i am curious|i'm curious|i'm not sure|i don't (?:know|understand)|not sure|any (?:idea|clue|chance|reason))\b(?: about| as to)?[\s,]*(?:if|whether)?[\s,]*/i,
  /^(?:help (?:me )?(?:to )?(?:find out|figure out|understand)|i need help (?:with |finding |to )?|help me (?:to |with )?|explain|check)\b (?!me\b|us\b|to\b)(?=\w)/i,
  /^(?:quick|one|short|small) (?:question|thing|note)[\s,:–—-]*/i,
  /^(?:(?:\d{1,3}(?:st|nd|rd|th)|another|second|third|yet another|more) )?(?:reports?|tickets?|complaints?|cases?) (?:\p{L}+ ){0,2}?(?:about|of) (?=\p{L})/iu,
  /^(?:(?:i'm|i am|we're|we are|been) )?(?:still )?trying to (?=\w)/i,
  /^(?:it (?:seems|looks|appears)(?: like| that| as if)?|i (?:think|believe|guess|noticed|see|feel like)(?: that)?|(?:it )?turns out(?: that)?|apparently|unfortunately|basically|honestly|actually|hopefully|leider)\b[\s,]+/i,
]

/** `Northgate Dental says that …`, `our users complain that …`: who said it does not belong in a title. */
const ATTRIBUTION =
  /^(?:(?:[Tt]he|[Oo]ur|[Mm]y|[Ss]ome|[Mm]any|[Ss]everal|[Aa]ll|[Tt]wo|[Tt]hree|[Aa]n?) (?:\p{Ll}+ ){0,2}(?:customers?|clients?|users?|people|colleagues?|members?|staff|boss|teams?|leads?|managers?|admins?)|(?:[Cc]lients|[Cc]ustomers|[Uu]sers|[Pp]eople|[Cc]olleagues|[Mm]embers|[Ee]very(?:one|body))|\p{Lu}[\p{L}\d&.'-]*(?: (?:firm|agency|company|office|client|customer))?(?: (?:&|and|of|\p{Lu}[\p{L}\d&.'-]*)){0,4}(?: \p{Ll}+)?) (?:says?|said|complains?|complained|reports?|reported|mentioned|noticed|tells? us|told us)(?: that|:)? (?=\p{L}+ )/u
/** A question, even without a question mark. */
const QUESTION_START =
  /^(?:what|where|when|why|how|who|which|is|are|do|does|did|can|could|will|would|should)(?: \p{L}+){2}/iu

const REPORTING_VERB = /\s(?:sa(?:ys?|id)|complain|report|mention|notic|tells? us|told us)/

const TRAILERS =
  /[\s,;:–—-]+(?:please|pls|plz|bitte|thanks|thank you|thx|asap|for me|right now|at the moment|if possible|if you can|what (?:should|can|do) (?:i|we) do(?: now)?|you know|anyone|any ideas?|as well|too|for us|(?:any|some)(?:one|body) else|hat das noch jemand|(?:can|could|will) (?:you|someone|anyone) (?:please )?help(?: (?:me|us))?(?: out)?|bei uns auch|any help|help|lol|btw|though|tho|or what|again please|with me|to me|danke)$/i

const CONNECTORS =
  /,? (?:because|but|so that|so|since|which|although|though|while|whereas|even though|as if|and (?:i|we|it|there|now|then|the|my)|weil|aber|obwohl|da ich|damit|und (?:ich|wir|es|dann))\b| [-–—] |[,;:(] ?/gi

const MAX_WORDS = 12
export const PREPOSITIONS = 'for|at|in|on|to|from|with|by|of|near|until|between|during|since|under|via|as|into|onto'
/** The last preposition and everything after it. */
const LAST_PHRASE = new RegExp(`\\s(?:${PREPOSITIONS})\\s(?:(?!\\s(?:${PREPOSITIONS})\\s).)*$`, 'i')

/** Where the problem ends and its circumstances begin, for titles too long for both. */
const CIRCUMSTANCES =
  /,? (?:when|whenever|after|before|while|once|if|wenn|nachdem|sobald) (?=(?:i|we|you|it|they|the|my|our|ich|wir|man|die|der|das)\b)/gi

const DANGLING =
  /(?:^|\s)(?:a|an|the|of|to|in|on|at|for|with|by|from|and|or|but|if|is|are|was|were|my|your|our|their|that|this|as|than|when|while|because|i|we|it's|the|der|die|das|ein|eine|und|oder|mit|für|von|zu|im|in|wenn|dass|ist|can|could|do|does|will|would|have|has|just|not|no|all|any|some|so|very|been|be|get|got|i'm|i'd|about|into)$/i

/** Words that no sentence ends with, cut or not. */
const NEVER_LAST =
  /(?:^|\s)(?:a|the|of|and|or|but|if|my|your|our|their|than|when|while|because|i|we|it's|is|are|am|was|were|be|would|could|should|will|der|die|das|eine|und|oder|für|wenn|dass|i'm|i'd)$/i

/** An indirect question: `what my limit is`. */
const INDIRECT =
  /^(what|who|where|when|why|how)((?: (?!(?:is|are|am|was|were|do|does|did|can|could|will|would|should|has|have|had)\b)[\w-]+){0,2}?) ((?:my|your|our|their|the|this|that|its?|i|you|we|they)\b(?: [\w'-]+){0,5}?) (is|are|am|was|were)( (?:in|on|at|for|from|with|by|of|about|like|today|now|right now|due|called|located|worth|\w+ing)\b.*)?$/i

const ACRONYMS = new Set(ACRONYM_WORDS)

/**
 * A sentence as a title: without greeting, politeness, lead-ins, trailing clauses and final punctuation, with fixed
 * capitals. The remaining words are the sentence's own, in order (except `how I pay` → `how to pay`, `what my limit
 * is` → `what is my limit`). Null unless 2 to 12 words remain that can stand alone.
 */
export function titleOf(sentence: string): string | null {
  let text = plainText(sentence)
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(GREETING, '').trim()
    for (const lead of LEAD_INS) text = text.replace(lead, '').trim()
    if (REPORTING_VERB.test(text)) text = text.replace(ATTRIBUTION, '').trim()
  }
  const whole = withoutTail(text).replace(INDIRECT, '$1$2 $4 $3$5')
  text = fitToLength(whole)
  const words = countWords(text)
  if (words < 2 || words > MAX_WORDS || text.length > 90 || (text === whole ? NEVER_LAST : DANGLING).test(text))
    return null
  if (/[@\\{}<>|_=#]|\d{4,}|https?:|www\./.test(text)) return null
  return capitalise(
    text.replace(/^how i (?=(?!am|was|have|had|can|could|will|would|should|might|may|do|did)\p{Ll}+\b)/iu, 'how to '),
  )
}

/** Shortens an overlong text by dropping clauses and phrases about when, why and where. */
function fitToLength(whole: string): string {
  let text = whole
  if (countWords(text) > 9) text = withoutTail(shorten(text, CONNECTORS))
  if (countWords(text) > MAX_WORDS) text = withoutTail(shorten(text, CIRCUMSTANCES))
  for (let cut = LAST_PHRASE.exec(text); cut && countWords(text) > MAX_WORDS; cut = LAST_PHRASE.exec(text)) {
    const head = withoutTail(text.slice(0, cut.index))
    if (PROBLEM.test(text) && !PROBLEM.test(head)) break
    text = head
  }
  return text
}

/** A sentence end, but not after an abbreviation: `approx. 10 rows`. */
const SENTENCE_END =
  /(?<=[.!?…])(?<!(?:^|[\s(])(?:ca|approx|e\.g|i\.e|vs|mr|mrs|dr|incl|z\.\s?b|d\.\s?h|u\.\s?a|bzw|inkl|evtl|ggf|nr|env|p\.\s?ex|aprox|sra?)\.)\s+|(?<=[。！？])/iu

/**
 * The sentences of a text, trimmed; line breaks and list markers also separate. At most 12, each at most 300
 * characters.
 */
export function splitSentences(text: string): string[] {
  const found: string[] = []
  for (const line of text.slice(0, 2_000).split(/\n+/)) {
    for (const piece of line.split(SENTENCE_END)) {
      const sentence = piece.replace(/^(?:[\s>*•–—-]|\d{1,3}[.)](?=\s)){0,6}(?=[\p{L}\p{N}"'“„])/u, '').trim()
      if (/\p{L}{2}/u.test(sentence) && sentence.length <= 300) found.push(sentence)
      if (found.length === 12) return found
    }
  }
  return found
}

/** Reply and forward prefixes of mail subjects. */
const REPLY_PREFIX = /^(?:(?:re|fwd?|aw|wg|tr|rv)\s*:\s*)+(?=\S)/i

/**
 * A sentence ready for a summary: no greeting or reply prefix, initial capital, final punctuation, no shouting. Words
 * are unchanged.
 */
export function asSentence(sentence: string): string {
  const said = sentence.toWellFormed().replace(/\s+/g, ' ').trim()
  const text = withoutShouting(said.replace(REPLY_PREFIX, '').replace(GREETING, '').trim())
  const start = /^(?:\p{Ll}+[\p{Lu}\d.]|https?:|www\.)/u.test(text)
    ? text
    : text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  if (/[.!?…]["”'»)]?$/u.test(start)) return start
  return start.replace(/[\s,;:–—-]+$/u, '') + (QUESTION_START.test(start) ? '?' : '.')
}

function withoutShouting(text: string): string {
  const letters = text.replace(/[^\p{L}]/gu, '')
  const shouting = letters.length > 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  return shouting ? text.toLowerCase() : text
}

function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('’', "'")
    .replace(/[“”„"`*¿¡]+/g, '')
    .replace(/:[a-z][a-z0-9_+-]{1,40}:|(?:^|\s)[:;]-?[()DPp|/](?=\s|$)/g, ' ')
    .replace(/\p{Extended_Pictographic}|\p{Join_Control}|\p{Variation_Selector}/gu, ' ')
    .replace(/\((?:[^()]{0,80})\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])(?=\s|$)/g, '$1')
    .trim()
}

function withoutTail(text: string): string {
  let out = text
  for (let before = ''; before !== out; ) {
    before = out
    out = out.replace(/[\s.,!?;:…~–—([-]+$/u, '').replace(TRAILERS, '')
  }
  return out
}

/** Cuts at the first clause boundary that leaves 4 to 11 words; unchanged if there is none. */
function shorten(text: string, boundaries: RegExp): string {
  for (const match of text.matchAll(boundaries)) {
    const head = text.slice(0, match.index)
    const words = countWords(head)
    if (words >= 4 && words <= 11 && !DANGLING.test(head)) return head
  }
  return text
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}

function capitalise(text: string): string {
  const words = withoutShouting(text)
    .split(' ')
    .map((word) => {
      const bare = word.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
      if (ACRONYMS.has(bare))
        return word.toUpperCase() === word ? word : word.replace(/[\p{L}\p{N}]+/u, (core) => acronym(core))
      if (/^i(?:'(?:m|d|ll|ve|s))?$/.test(word)) return `I${word.slice(1)}`
      if (word === 'ive') return "I've"
      return word
    })
  const first = words[0] as string
  if (!/\p{Lu}/u.test(first.slice(1)) && !/^\d/.test(first))
    words[0] = first.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  return words.join(' ')
}

function acronym(word: string): string {
  return word.toLowerCase() === 'ios' ? 'iOS' : word.toUpperCase()
}
