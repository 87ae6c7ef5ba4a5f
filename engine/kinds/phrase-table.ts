/** Phrases that share their first words share nodes. `cues`: the cues of the phrase that ends here, as bits. */
type Entry = { cues: number; next: Map<string, Entry> }

/** Phrases of one or more words, each with cues as bits. */
export class PhraseTable {
  readonly #root: Entry = { cues: 0, next: new Map() }

  /** Adds cues to a phrase. */
  add(phrase: string, cues: number): void {
    let entry = this.#root
    for (const word of phrase.split(' ')) {
      const next = entry.next.get(word) ?? { cues: 0, next: new Map() }
      entry.next.set(word, next)
      entry = next
    }
    entry.cues |= cues
  }

  /** Calls `found` for each phrase in these tokens: its cues, the place of its first token, and its number of tokens. Phrases may overlap. */
  forEach(tokens: readonly string[], found: (cues: number, place: number, length: number) => void): void {
    for (let place = 0; place < tokens.length; place++) {
      let entry: Entry | undefined = this.#root
      for (let at = place; at < tokens.length; at++) {
        entry = entry.next.get(tokens[at] as string)
        if (!entry) break
        if (entry.cues !== 0) found(entry.cues, place, at - place + 1)
      }
    }
  }
}
