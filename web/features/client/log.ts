const { console: sink } = globalThis

/** For failures that the user does not see, or sees with another text: the browser's console, without customer data. */
export function logFailure(what: string): (error: unknown) => void {
  return (error) => sink.error(what, error)
}

/** For unexpected states that are not failures. */
export function logOddity(what: string, detail: unknown): void {
  sink.warn(what, detail)
}
