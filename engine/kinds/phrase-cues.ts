import { LEXICONS, type Lexicon } from '../lexicons/lexicons.ts'

/** A cue of the lexicons that some language has. */
type CueName = keyof Lexicon['KIND_CUES']

/** The cues, in the order of their numbers. */
export const PHRASE_CUES: readonly CueName[] = [
  ...new Set(Object.values<Lexicon>(LEXICONS).flatMap(({ KIND_CUES }) => Object.keys(KIND_CUES) as CueName[])),
]

/** Phrases that share their first words share nodes. `cues`: the cues of the phrase that ends here, as bits. */
type Node = { cues: number; next: Map<string, Node> }

const ROOT: Node = { cues: 0, next: new Map() }
for (const { KIND_CUES } of Object.values<Lexicon>(LEXICONS)) {
  PHRASE_CUES.forEach((name, number) => {
    for (const phrase of KIND_CUES[name] ?? []) addPhrase(phrase, 1 << number)
  })
}

function addPhrase(phrase: string, bit: number): void {
  let node = ROOT
  for (const word of phrase.split(' ')) {
    const next = node.next.get(word) ?? { cues: 0, next: new Map() }
    node.next.set(word, next)
    node = next
  }
  node.cues |= bit
}

/**
 * Calls `found` for each phrase of any language in these tokens: its cues as bits, the place of its first token, and
 * its number of tokens. Phrases may overlap.
 */
export function forEachPhrase(
  tokens: readonly string[],
  found: (cues: number, place: number, length: number) => void,
): void {
  for (let place = 0; place < tokens.length; place++) {
    let node: Node | undefined = ROOT
    for (let at = place; at < tokens.length; at++) {
      node = node.next.get(tokens[at] as string)
      if (!node) break
      if (node.cues !== 0) found(node.cues, place, at - place + 1)
    }
  }
}
