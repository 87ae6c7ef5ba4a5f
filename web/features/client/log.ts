const { console: sink } = globalThis

/** For failures that the user is not told of, or told in other words: the browser's console, and nothing of a customer's. */
export function logFailure(what: string): (error: unknown) => void {
  return (error) => sink.error(what, error)
}

/** For what is odd but no failure. */
export function logOddity(what: string, detail: unknown): void {
  sink.warn(what, detail)
}
