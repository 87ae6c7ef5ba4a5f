const MAX_VOCABULARY = 1 << 20
const FNV_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193
const SPACE = 32
/** Texts assumed to have been seen before the first, so that a small workspace has rare words too. */
const PRIOR_TEXTS = 200
/** All terms of this frequency or more weigh the same. */
const MAX_FREQUENCY = (1 << 14) - 1

/** The 32-bit FNV-1a hash of `text.slice(from, to)`, salted and mixed; never 0. */
export function hashText(text: string, from: number, to: number, salt: number): number {
  let hash = FNV_BASIS ^ salt
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return avalanche(hash)
}

/** A 53-bit hash of a word sequence, built from two differently salted 32-bit hashes. */
export function hashWords(words: readonly string[]): number {
  let high = FNV_BASIS ^ 1
  let low = FNV_BASIS ^ 2
  for (let w = 0; w < words.length; w++) {
    const word = words[w] as string
    if (w > 0) {
      high = Math.imul(high ^ SPACE, FNV_PRIME)
      low = Math.imul(low ^ SPACE, FNV_PRIME)
    }
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i)
      high = Math.imul(high ^ code, FNV_PRIME)
      low = Math.imul(low ^ code, FNV_PRIME)
    }
  }
  return (avalanche(high) >>> 11) * 0x1_0000_0000 + (avalanche(low) >>> 0)
}

function avalanche(fnv: number): number {
  let hash = fnv ^ (fnv >>> 15)
  hash = Math.imul(hash, 0x2c1b3c6d)
  hash ^= hash >>> 13
  return hash | 0 || 1
}

/** The weight of a term of this frequency, from the table of `Vocabulary.weights`. */
export function termRarity(weights: Float32Array, frequency: number): number {
  return weights[frequency < MAX_FREQUENCY ? frequency : MAX_FREQUENCY] as number
}

/**
 * Term ids in order of first appearance, and each term's document frequency. Terms are identified by their hash alone
 * to save memory; two terms with equal hashes share an id, which has no measurable effect. Beyond a million terms,
 * new terms share the ids of old ones.
 */
export class Vocabulary {
  size = 0
  /** texts counted by `count` */
  texts = 0
  hashes = new Int32Array(1 << 12)
  frequency = new Uint32Array(1 << 12)
  #slots = new Int32Array(1 << 13)
  #weights = new Float32Array(0)
  #weightsFor = -1
  /** the number of texts when `weights` was last called */
  #askedFor = -1

  /** The id of the term with this hash; assigns one to a new term. */
  idOf(hash: number): number {
    let slots = this.#slots
    let mask = slots.length - 1
    let at = (hash >>> 0) & mask
    for (;;) {
      const id = (slots[at] as number) - 1
      if (id < 0) break
      if (this.hashes[id] === hash) return id
      at = (at + 1) & mask
    }
    if (this.size >= MAX_VOCABULARY) return (hash >>> 0) % MAX_VOCABULARY
    if (this.size === this.hashes.length) {
      this.#grow()
      slots = this.#slots
      mask = slots.length - 1
      at = (hash >>> 0) & mask
      while (slots[at] !== 0) at = (at + 1) & mask
    }
    const id = this.size++
    this.hashes[id] = hash
    slots[at] = id + 1
    return id
  }

  /** Counts one text that contains these terms. */
  count(terms: Int32Array): void {
    this.texts++
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number
      this.frequency[term] = (this.frequency[term] as number) + 1
    }
  }

  /**
   * idf^0.5 by document frequency, as a lookup table (the last entry covers all higher frequencies). Recomputed only
   * when the number of texts changes by about 5%, and identical for identical states.
   */
  weights(): Float32Array {
    if (this.texts === this.#askedFor) return this.#weights
    this.#askedFor = this.texts
    const step = this.texts < 64 ? this.texts : Math.floor(Math.log(this.texts) * 20) + 1_000
    if (step === this.#weightsFor) return this.#weights
    const texts = this.texts < 64 ? this.texts : Math.exp((step - 1_000) / 20)
    if (this.#weights.length === 0) this.#weights = new Float32Array(MAX_FREQUENCY + 1)
    // Counts above the number of texts are capped: such a term weighs as little as one in every text.
    const most = Math.min(MAX_FREQUENCY, Math.ceil(texts))
    for (let df = 0; df <= most; df++) {
      const idf = Math.log((texts + PRIOR_TEXTS) / (Math.min(df, texts) + 1)) + 1
      this.#weights[df] = Math.sqrt(idf)
    }
    this.#weights.fill(this.#weights[most] as number, most)
    this.#weightsFor = step
    return this.#weights
  }

  /** Restores a stored vocabulary. */
  static of(hashes: Int32Array, frequency: Uint32Array, texts: number): Vocabulary {
    const vocabulary = new Vocabulary()
    let capacity = vocabulary.hashes.length
    while (capacity < hashes.length) capacity *= 2
    vocabulary.#resize(capacity)
    vocabulary.hashes.set(hashes)
    vocabulary.frequency.set(frequency)
    vocabulary.size = hashes.length
    vocabulary.texts = texts
    vocabulary.#index()
    return vocabulary
  }

  #grow(): void {
    this.#resize(this.hashes.length * 2)
    this.#index()
  }

  #resize(capacity: number): void {
    const hashes = new Int32Array(capacity)
    hashes.set(this.hashes.subarray(0, this.size))
    const frequency = new Uint32Array(capacity)
    frequency.set(this.frequency.subarray(0, this.size))
    this.hashes = hashes
    this.frequency = frequency
    this.#slots = new Int32Array(capacity * 2)
  }

  #index(): void {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let id = 0; id < this.size; id++) {
      let at = ((this.hashes[id] as number) >>> 0) & mask
      while (slots[at] !== 0) at = (at + 1) & mask
      slots[at] = id + 1
    }
  }
}
