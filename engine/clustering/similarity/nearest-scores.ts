const NEAREST = 4

/** How near each place is to others, by its greatest scores: one accidental similarity does not make a place near. */
export class NearestScores {
  readonly #best: Float32Array

  constructor(places: number) {
    this.#best = new Float32Array(places * NEAREST)
  }

  /** Counts a score (0 to 1) of a place and one of the others. */
  offer(place: number, score: number): void {
    let value = score
    for (let at = place * NEAREST; at < (place + 1) * NEAREST; at++) {
      const held = this.#best[at] as number
      if (value <= held) continue
      this.#best[at] = value
      value = held
    }
  }

  /** The mean score of a place and the four nearest of `others` places, or all if there are fewer. What was not offered counts as 0. */
  mean(place: number, others: number): number {
    const counted = Math.max(1, Math.min(NEAREST, others))
    let sum = 0
    for (let at = 0; at < counted; at++) sum += this.#best[place * NEAREST + at] as number
    return sum / counted
  }
}
