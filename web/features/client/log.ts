const { console: sink } = globalThis

/** For failures that the user does not see, or sees with another text: the browser's console, without customer data. */
export function logFailure(what: string): (error: unknown) => void {
  return (error) => sink.error(what, error)
}

/** For what is unexpected but not a failure. */
export function logOddity(what: string, detail: unknown): void {
  sink.warn(what, detail)
}
