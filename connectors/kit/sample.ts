/**
 * What the conformance suite needs to run a connector against a local server. Each built connector exports one from its
 * `testing.ts`: `export const sample: Sample = (server) => ({ form, secrets })`.
 */
export type Sample = (server: string) => {
  /** A form as a person would send it, with the local server for the other side. */
  form: Record<string, unknown>
  /** Secrets that the core adds to those of the form. */
  secrets: Record<string, string>
  /** What a successful call answers. */
  answer: string
}

/** How a stand-in for a source can fail, each on its next call for items. */
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
  /** A form as a person would send it. */
  form: Record<string, unknown>
  /** The ids of all items that there are. */
  ids(): string[]
  /** Words of customers that must not be in a message or a log. */
  words: readonly string[]
  fault(kind: SourceFault): void
  /** One more item; gives its id. */
  add(): string
}

/** What a source's `testing.ts` exports for the conformance suite: `export const source: SourceSample = …`. */
export type SourceSample = () => Promise<SourceStandIn>
