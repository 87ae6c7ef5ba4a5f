const counts = new Intl.NumberFormat()

/** A formatted count: `1,204`. */
export function count(value: number): string {
  return counts.format(value)
}

/** `1 message`, `1,204 messages`. */
export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`
}
