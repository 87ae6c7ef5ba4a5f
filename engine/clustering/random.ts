/** A seeded random number generator in [0, 1) (mulberry32), the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Shuffles in place by the given source. */
export function shuffle(values: Int32Array, random: () => number): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = values[i] as number
    values[i] = values[j] as number
    values[j] = kept
  }
}

/** The values in an order by the given source. */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const order = Int32Array.from(values.keys())
  shuffle(order, random)
  return Array.from(order, (at) => values[at] as T)
}
