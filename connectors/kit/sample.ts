/**
 * What the conformance suite needs to run a connector against a local server. Each built connector exports one from its
 * `testing.ts`: `export const sample: Sample = (server) => ({ form, secrets })`.
 */
export type Sample = (server: string) => {
  /** A valid form with the local server as the provider. */
  form: Record<string, unknown>
  /** Secrets that the core adds to the form's. */
  secrets: Record<string, string>
  /** The body of a successful response. */
  answer: string
}

/** How a stand-in for a source can fail, each on its next request for items. */
export type SourceFault =
  | '429'
  | '429-bare'
  | '500'
  | 'reset'
  | 'cut'
  | 'silence'
  | 'slow'
  | 'malformed'
  | 'html'
  | 'truncated'
  | 'empty-page'
  | 'wrong-types'
  | 'missing-fields'
  | 'revoked'

/** A stand-in for a source on loopback, with many short pages of items. */
export type SourceStandIn = AsyncDisposable & {
  baseUrl: string
  /** A valid form. */
  form: Record<string, unknown>
  /** The ids of all items. */
  ids(): string[]
  /** Customer text that must not appear in a message or a log. */
  words: readonly string[]
  fault(kind: SourceFault): void
  /** Adds an item and returns its id. */
  add(): string
  /** Deletes an item at the provider, without an event. Absent: syncs do not find deletions, as the connector's README says. */
  remove?: (id: string) => void
}

/** What a source's `testing.ts` exports for the conformance suite: `export const source: SourceSample = …`. */
export type SourceSample = () => Promise<SourceStandIn>
