const counts = new Intl.NumberFormat()

/** A formatted count: `1,204`. */
export function count(value: number): string {
  return counts.format(value)
}

/** A formatted change: `+1,204` or `−3`. */
export function signed(value: number): string {
  return (value > 0 ? '+' : value < 0 ? '−' : '') + count(Math.abs(value))
}

/** `1 message`, `1,204 messages`. */
export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`
}

/** What a button says that shows all entries of a list, or the first `listed` of `total` where it has no more. */
export function showAllText(listed: number, total: number = listed): string {
  return listed < total ? `Show ${count(listed)} of ${count(total)}` : `Show all ${count(listed)}`
}
