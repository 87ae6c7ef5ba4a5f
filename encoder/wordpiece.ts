/** The parts of a `tokenizer.json` that are read. */
export type WordPieceFile = {
  added_tokens: { id: number; content: string }[]
  model: { vocab: Record<string, number>; unk_token: string; max_input_chars_per_word: number }
}

/** The ids of the tokens of a text, with those that begin and end it. */
export type Tokenize = (text: string) => number[]

const BEGIN = '[CLS]'
const END = '[SEP]'
const CONTINUES = '##'
/** Control, format and private characters and halves of pairs, but not tab, line feed and carriage return. */
const IGNORED = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g
const ACCENTS = /\p{Mn}/gu
const WORDS = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu
/** Words repeat a lot; the most that are remembered, as plain as the memory of a process needs it. */
const MAX_KNOWN_WORDS = 20_000

/**
 * BERT's tokenizer for lower-case text: the ids are those of `@huggingface/tokenizers` for the same file, cut to `maxTokens`.
 * A special token that is written out in a text, such as "[UNK]", is that token.
 */
export function wordPiece({ added_tokens: added, model }: WordPieceFile, maxTokens: number): Tokenize {
  const ids = new Map(Object.entries(model.vocab))
  const special = new Map(added.map(({ content, id }) => [content, id]))
  const idOf = (token: string) => {
    const id = special.get(token) ?? ids.get(token)
    if (id === undefined) throw new Error(`the vocabulary has no ${token}`)
    return id
  }
  const [begin, end, unknown] = [idOf(BEGIN), idOf(END), idOf(model.unk_token)]
  const sections = new RegExp(`(${[...special.keys()].map((content) => RegExp.escape(content)).join('|')})`)
  const known = new Map<string, readonly number[]>()

  const piecesOf = (word: string): readonly number[] => {
    const found = known.get(word)
    if (found) return found
    const pieces = longestPieces(word, ids, model.max_input_chars_per_word) ?? [unknown]
    if (known.size >= MAX_KNOWN_WORDS) known.clear()
    known.set(word, pieces)
    return pieces
  }

  return (text) => {
    const tokens = [begin]
    for (const section of text.split(sections)) {
      const id = special.get(section)
      if (id !== undefined) tokens.push(id)
      else for (const word of normalized(section).match(WORDS) ?? []) tokens.push(...piecesOf(word))
      if (tokens.length >= maxTokens) break
    }
    return [...tokens.slice(0, maxTokens - 1), end]
  }
}

function normalized(text: string): string {
  const clean = text.replace(IGNORED, '').replace(CHINESE, ' $& ')
  return clean.toLowerCase().normalize('NFD').replace(ACCENTS, '')
}

/** The longest pieces of a word from its start on; null if the vocabulary does not cover it. */
function longestPieces(word: string, ids: ReadonlyMap<string, number>, maxLength: number): number[] | null {
  const letters = Array.from(word)
  if (letters.length > maxLength) return null
  const pieces: number[] = []
  for (let start = 0; start < letters.length; ) {
    let end = letters.length
    let id: number | undefined
    for (; end > start; end--) {
      id = ids.get((start > 0 ? CONTINUES : '') + letters.slice(start, end).join(''))
      if (id !== undefined) break
    }
    if (id === undefined) return null
    pieces.push(id)
    start = end
  }
  return pieces
}
