/** A person who can be mentioned, or is. */
export type Mentionable = { account_id: string; name: string }

/** A piece of a comment. `text` of all pieces together is the comment. */
export type Piece = { kind: 'words' | 'link' | 'mention'; text: string }

const ADDRESS = /https?:\/\/[^\s<>"]+/giu
/** Signs at the end of an address that belong to the sentence around it. */
const AFTER_ADDRESS = /[.,;:!?'’”»)\]}]+$/u
const WORD = /[\p{L}\p{N}_]/u
/** The longest beginning of a name that is looked up. */
const MAX_QUERY = 40

/** The pieces of a comment: web addresses, `@name` of these people, and the words between. */
export function piecesOf(text: string, people: readonly Mentionable[]): Piece[] {
  const found = [...addressesIn(text), ...mentionsAt(text, people)].toSorted((one, other) => one.from - other.from)
  const pieces: Piece[] = []
  let at = 0
  for (const { kind, from, until } of found) {
    if (from < at) continue
    if (from > at) pieces.push({ kind: 'words', text: text.slice(at, from) })
    pieces.push({ kind, text: text.slice(from, until) })
    at = until
  }
  if (at < text.length) pieces.push({ kind: 'words', text: text.slice(at) })
  return pieces
}

/** The accounts of the people whom a text mentions. Of several with the same name those that were `chosen`, or else all. */
export function mentionedIn(
  text: string,
  people: readonly Mentionable[],
  chosen: readonly Mentionable[] = [],
): string[] {
  const names = new Set(mentionsAt(text, people).map(({ from, until }) => text.slice(from + 1, until)))
  const picked = new Set(chosen.map(({ account_id }) => account_id))
  return [...names].flatMap((name) => {
    const same = people.filter((one) => one.name === name)
    const meant = same.filter(({ account_id }) => picked.has(account_id))
    return (meant.length > 0 ? meant : same).map(({ account_id }) => account_id)
  })
}

/** The beginning of a mention that ends at the caret: where its `@` is, and what follows it. Null: there is none. */
export function queryAt(text: string, caret: number): { from: number; words: string } | null {
  const from = text.lastIndexOf('@', caret - 1)
  if (from < 0 || isWord(text[from - 1])) return null
  const words = text.slice(from + 1, caret)
  if (words.length > MAX_QUERY || /[\n@]|\s\s|^\s/u.test(words)) return null
  return { from, words }
}

/** The people whose name begins with the words, or has a word that does; at most six. */
export function findPeople<P extends Mentionable>(people: readonly P[], words: string): P[] {
  const wanted = words.toLowerCase()
  return people.filter(({ name }) => ` ${name.toLowerCase()}`.includes(` ${wanted}`)).slice(0, 6)
}

type Found = { kind: 'link' | 'mention'; from: number; until: number }

function addressesIn(text: string): Found[] {
  return [...text.matchAll(ADDRESS)].map((match) => {
    const address = match[0].replace(AFTER_ADDRESS, '')
    return { kind: 'link', from: match.index, until: match.index + address.length }
  })
}

/** Where a name follows an `@` that begins a word. The longest name counts. */
function mentionsAt(text: string, people: readonly Mentionable[]): Found[] {
  const names = people.map(({ name }) => name).toSorted((one, other) => other.length - one.length)
  const found: Found[] = []
  for (let from = text.indexOf('@'); from >= 0; from = text.indexOf('@', from + 1)) {
    if (isWord(text[from - 1])) continue
    const name = names.find((one) => text.startsWith(one, from + 1) && !isWord(text[from + 1 + one.length]))
    if (name) found.push({ kind: 'mention', from, until: from + 1 + name.length })
  }
  return found
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && WORD.test(sign)
}
