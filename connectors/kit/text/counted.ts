/** A number with separators: `1,204`. */
export function figure(count: number): string {
  return count.toLocaleString('en')
}

/** A number and its noun: `1 reply`, `1,204 replies`. `plural` is for nouns that do not only take an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${figure(count)} ${count === 1 ? noun : plural}`
}
