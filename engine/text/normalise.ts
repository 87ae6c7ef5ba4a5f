import { alternationOfAll } from '../lexicons/lexicons.ts'
import { hashStep, type TokenTable } from './token-table.ts'

/** Characters read of one statement; the rest of an overlong text adds nothing about its subject. */
const MAX_TEXT_LENGTH = 4_000
/** Tokens read of one statement. */
export const MAX_TOKENS = 160
const MAX_TOKEN_LENGTH = 40

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }
const ENTITY = new RegExp(`&(${Object.keys(ENTITIES).join('|')});`, 'g')
const STACK_LINE = /^\s*(?:at\s+\S|file\s+"|\.{3}\s*\d+\s+more|#\d+\s+0x|goroutine\s+\d+)/i
const OPAQUE_ID = /\b(?=[\w-]*\d)(?:[0-9a-f]{8,}|[0-9a-f]+(?:-[0-9a-f]+){2,}|[a-z0-9_-]{20,})\b/g

/**
 * Lower-cases a text and removes what says nothing about its subject: markup, addresses, links, mentions, emoji
 * codes, stack frames, opaque ids. Reads at most 4,000 characters.
 */
export function normalise(text: string): string {
  let out = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text
  let marks = characterClassesIn(out)
  if (marks & NON_ASCII) {
    out = out.toWellFormed().normalize('NFKC').replaceAll('’', "'")
    marks = characterClassesIn(out)
  }
  if (marks & LINE_END) out = withoutStackFrames(out)
  out = out.toLowerCase()
  if (marks & ANGLE)
    out = out.replace(/<(?:https?:[^>|]{0,500}\|([^>]{0,200})|[!/@#]?[a-z][^<>]{0,500}|!--[^>]{0,500})>/g, ' $1 ')
  if (marks & AMPERSAND) out = out.replace(ENTITY, (_, name: string) => ENTITIES[name] ?? ' ')
  if (marks & (COLON | DOT) && (out.includes('://') || out.includes('www.')))
    out = out.replace(/(?:https?:\/\/|ftp:\/\/|www\.)[^\s<>"')\]]{1,500}/g, ' ')
  if (marks & AT) out = out.replace(/[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|@[\w.-]{1,64}/g, ' ')
  if (marks & COLON) out = out.replace(/:[a-z][a-z0-9_+-]{1,40}:/g, ' ')
  if (marks & DIGIT) out = out.replace(OPAQUE_ID, ' ')
  return out
}

/** Character classes: a step of `normalise` is skipped when the text has no character of its class. */
const NON_ASCII = 1
const LINE_END = 2
const ANGLE = 4
const AMPERSAND = 8
const COLON = 16
const DOT = 32
const AT = 64
const DIGIT = 128
const CHARACTER_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (character >= '0' && character <= '9') return DIGIT
  const marks: Record<string, number> = { '\n': LINE_END, '<': ANGLE, '&': AMPERSAND, ':': COLON, '.': DOT, '@': AT }
  return marks[character] ?? 0
})

/** The character classes that occur in a text, as bits. */
function characterClassesIn(text: string): number {
  let marks = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    marks |= code < 128 ? (CHARACTER_CLASSES[code] as number) : NON_ASCII
  }
  return marks
}

function withoutStackFrames(text: string): string {
  const lines = text.split('\n')
  const kept = lines.filter((line) => !STACK_LINE.test(line))
  return (kept.length > 0 ? kept : lines.slice(0, 1)).join('\n')
}

const ASCII_WORD = /[a-z0-9]+(?:'[a-z]+)*/g
const ANY_WORD = /[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/gu
const UNSPACED_SCRIPT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const ELISION = new RegExp(`^(?:${alternationOfAll(({ ELISIONS }) => ELISIONS)})'(?=[\\p{L}\\p{M}]{2})`, 'u')
/** Only a text in a language with elisions is read like this: elsewhere `l'` is part of a name. */
const ELIDING_TEXT = new RegExp(
  `(?:^|[^\\p{L}])(?:${alternationOfAll(({ ELISION_CONTEXT }) => ELISION_CONTEXT)})(?=[^\\p{L}]|$)`,
  'u',
)

/**
 * The words of a normalised text in order, at most 160. Drops apostrophes (`don't` → `dont`, `l'export` → `export`),
 * replaces runs of digits by `0`, and splits scripts without spaces into character bigrams.
 */
export function tokenise(normalised: string): string[] {
  const plain = !/[^\0-\x7f]/.test(normalised)
  const found = normalised.match(plain ? ASCII_WORD : ANY_WORD)
  if (!found) return []
  const elides = isEliding(normalised)
  const tokens: string[] = []
  for (const raw of found) {
    if (tokens.length >= MAX_TOKENS) break
    const token = withoutApostrophes(raw, elides)
    if (!plain && UNSPACED_SCRIPT.test(token)) {
      const marks = Array.from(token)
      if (marks.length === 1) tokens.push(token)
      for (let i = 0; i + 1 < marks.length && tokens.length < MAX_TOKENS; i++) tokens.push(`${marks[i]}${marks[i + 1]}`)
      continue
    }
    tokens.push(normaliseToken(token))
  }
  return tokens
}

/** Removes apostrophes, and elisions if asked to. */
function withoutApostrophes(raw: string, elides: boolean): string {
  return raw.includes("'") ? (elides ? raw.replace(ELISION, '') : raw).replaceAll("'", '') : raw
}

function normaliseToken(token: string): string {
  if (/^\d+$/.test(token)) return token.length === 3 ? token : '0'
  return token.length > MAX_TOKEN_LENGTH ? token.slice(0, MAX_TOKEN_LENGTH) : token
}

function isEliding(normalised: string): boolean {
  return normalised.includes("'") && ELIDING_TEXT.test(normalised)
}

const APOSTROPHE = 39
/** 1: digit, 2: letter, 0: separator. */
const CHARACTER_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[0-9]/.test(character) ? 1 : /[a-z]/.test(character) ? 2 : 0
})

/**
 * The same tokens as `tokenise`, as ids in the token table, without allocating substrings for known tokens. Writes to
 * `into` and returns the count, or -1 for a text that is not ASCII (use `tokenise`).
 */
export function tokeniseToIds(normalised: string, lexicon: TokenTable, into: Int32Array): number {
  const end = normalised.length
  let size = 0
  let elides: boolean | undefined
  let at = 0
  while (at < end && size < MAX_TOKENS) {
    const first = normalised.charCodeAt(at)
    if (first > 127) return -1
    if (CHARACTER_KINDS[first] === 0) {
      at++
      continue
    }
    const from = at
    let hash = 0
    let kinds = 0
    for (; at < end; at++) {
      const code = normalised.charCodeAt(at)
      const kind = code < 128 ? (CHARACTER_KINDS[code] as number) : 0
      if (kind === 0) break
      kinds |= kind
      hash = hashStep(hash, code)
    }
    const whole = at
    while (at + 1 < end && normalised.charCodeAt(at) === APOSTROPHE && isLetter(normalised.charCodeAt(at + 1))) {
      at++
      while (at < end && isLetter(normalised.charCodeAt(at))) at++
    }
    if (at === whole && kinds > 1 && at - from <= MAX_TOKEN_LENGTH)
      into[size++] = lexicon.idAt(normalised, from, at, hash)
    else {
      elides ??= isEliding(normalised)
      into[size++] = lexicon.idOf(normaliseToken(withoutApostrophes(normalised.slice(from, at), elides)))
    }
  }
  for (; at < end; at++) if (normalised.charCodeAt(at) > 127) return -1
  return size
}

function isLetter(code: number): boolean {
  return code < 128 && CHARACTER_KINDS[code] === 2
}
