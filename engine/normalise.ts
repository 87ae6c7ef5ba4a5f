/** What is read of one statement; the rest of an overlong line says nothing new about its subject. */
const READ_LIMIT = 4_000
const TOKEN_LIMIT = 160

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }
const STACK_LINE = /^\s*(?:at\s+\S|file\s+"|\.{3}\s*\d+\s+more|#\d+\s+0x|goroutine\s+\d+)/i
const OPAQUE = /\b(?=[\w-]*\d)(?:[0-9a-f]{8,}|[0-9a-f]+(?:-[0-9a-f]+){2,}|[a-z0-9_-]{20,})\b/g

/**
 * Lower-case text with everything removed that says nothing about the subject: markup, addresses, links, mentions,
 * emoji codes, stack frames, opaque ids. Bounded: reads at most 4,000 characters whatever it is given.
 */
export function normalise(text: string): string {
  let out = text.length > READ_LIMIT ? text.slice(0, READ_LIMIT) : text
  if (/[^\0-\x7f]/.test(out)) out = out.toWellFormed().normalize('NFKC').replaceAll('’', "'")
  if (out.includes('\n')) out = withoutStackFrames(out)
  out = out.toLowerCase()
  if (out.includes('<'))
    out = out.replace(/<(?:https?:[^>|]{0,500}\|([^>]{0,200})|[!/@#]?[a-z][^<>]{0,500}|!--[^>]{0,500})>/g, ' $1 ')
  if (out.includes('&'))
    out = out.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? ' ')
  if (out.includes('://') || out.includes('www.'))
    out = out.replace(/(?:https?:\/\/|ftp:\/\/|www\.)[^\s<>"')\]]{1,500}/g, ' ')
  if (out.includes('@')) out = out.replace(/[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|@[\w.-]{1,64}/g, ' ')
  if (out.includes(':')) out = out.replace(/:[a-z][a-z0-9_+-]{1,40}:/g, ' ')
  if (/\d/.test(out)) out = out.replace(OPAQUE, ' ')
  return out
}

function withoutStackFrames(text: string): string {
  const lines = text.split('\n')
  const kept = lines.filter((line) => !STACK_LINE.test(line))
  return (kept.length > 0 ? kept : lines.slice(0, 1)).join('\n')
}

const ASCII_WORD = /[a-z0-9]+(?:'[a-z]+)*/g
const ANY_WORD = /[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** What French cuts short before a vowel: `l'export`, `qu'il`. In other languages `l'` is part of a name. */
const ELIDED = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'(?=[\p{L}\p{M}]{2})/u
const FRENCH =
  /(?:^|[^\p{L}])(?:les?|la|une|des|du|est|ne|pas|je|vous|nous|dans|pour|sur|mon|ma|mes|cette|ces)(?=[^\p{L}]|$)/u

/**
 * The words of normalised text in order, at most 160. Apostrophes are dropped (`don't` → `dont`, `l'export` → `export`), runs of digits become
 * `0`, and scripts that do not space their words come as pairs of characters.
 */
export function tokenise(normalised: string): string[] {
  const plain = !/[^\0-\x7f]/.test(normalised)
  const found = normalised.match(plain ? ASCII_WORD : ANY_WORD)
  if (!found) return []
  const elides = normalised.includes("'") && FRENCH.test(normalised)
  const tokens: string[] = []
  for (const raw of found) {
    if (tokens.length >= TOKEN_LIMIT) break
    let token = raw.includes("'") ? (elides ? raw.replace(ELIDED, '') : raw).replaceAll("'", '') : raw
    if (!plain && UNSPACED.test(token)) {
      const marks = Array.from(token)
      if (marks.length === 1) tokens.push(token)
      for (let i = 0; i + 1 < marks.length && tokens.length < TOKEN_LIMIT; i++)
        tokens.push(`${marks[i]}${marks[i + 1]}`)
      continue
    }
    if (/^\d+$/.test(token)) token = token.length === 3 ? token : '0'
    tokens.push(token.length > 40 ? token.slice(0, 40) : token)
  }
  return tokens
}
