import type { ProviderRequest } from '../connector.ts'

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

/**
 * How a stand-in for a source can fail, each on its next request for items. `429` asks for a pause of 7 seconds. `sandbox/faults.ts`
 * answers all of them.
 */
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
  /** Changes the text of an item without an event, and returns it. Absent: syncs do not find edits. */
  edit?: (id: string) => string
  /** The ids of the items that agents wrote. Absent: it does not tell agents from customers. */
  agents?: () => string[]
  /** A signed request about an item, sent now, and the secrets that `receive` gets. Absent: it sends no events. */
  event?: (id: string) => { request: ProviderRequest; secrets: Record<string, string> }
}

/** What a source's `testing.ts` exports for the conformance suite: `export const source: SourceSample = …`. */
export type SourceSample = () => Promise<SourceStandIn>

/**
 * How a stand-in for a tracker can fail. On its next request, whatever it is: '429' (with the provider's own header for 30 seconds),
 * '500', 'html' (status 200) and 'revoked' (the credentials no longer work, from now on). On the next request that creates an item, AFTER
 * it was created: 'silence' (no response at all), 'reset' (the connection is closed) and 'malformed' (status 200 or 201, without
 * the fields that are read).
 */
export type TrackerFault = '429' | '500' | 'html' | 'revoked' | 'silence' | 'reset' | 'malformed'

/** An item as the provider has it. `text` is all that it shows besides comments: title, description, labels, in the provider's format. */
type StandInItem = { id: string; open: boolean; text: string; comments: readonly string[] }

/**
 * A stand-in for a tracker on loopback. Ids are those of `RemoteItem.id`. An item that is deleted or moved is no longer in `items()`.
 */
export type TrackerStandIn = AsyncDisposable & {
  baseUrl: string
  /** The settings of a connection that is set up completely, choices included. */
  settings: Record<string, unknown>
  secrets: Record<string, string>
  /** Every item, oldest first, also those that were in it before the test. */
  items(): readonly StandInItem[]
  /** Every request since the start; `path` without host and query. */
  requests(): readonly { method: string; path: string }[]
  fault(kind: TrackerFault): void
  /** While true, items that were created since are not found by search and lists, but by their id. */
  lagSearch(on: boolean): void
  /** Gives it another title, as people do there. */
  retitle(id: string, title: string): void
  close(id: string): void
  /** Closes it without its being done, in the way that people at the provider do: as a duplicate, as not planned. */
  decline(id: string): void
  reopen(id: string): void
  delete(id: string): void
  /** Moves it out of the connection's reach, where the provider has this and it differs from deletion. */
  move?(id: string): void
}

/** What the `testing.ts` of a connector with OAuth may export: how its provider says that it does not accept the app. Default: RFC 6749. */
export type AppRefusalSample = { status: number; body: Readonly<Record<string, unknown>> }

/** What a tracker's `testing.ts` exports for the conformance suite: `export const tracker: TrackerSample = …`. */
export type TrackerSample = () => Promise<TrackerStandIn>

/**
 * What a tracker's `testing.ts` may export besides, by name: stand-ins for other products of the provider, such as a server of one's own.
 * The whole suite runs for each: `export const variants: TrackerVariants = …`.
 */
export type TrackerVariants = Readonly<Record<string, TrackerSample>>

/**
 * A stand-in with this many threads of this many messages, for measurements. Each built source exports one from its `testing.ts`.
 * `least`: the fewest requests that read them all, by the page sizes and calls that the provider documents; `why` states them.
 */
export type SourceVolume = (
  threads: number,
  messages: number,
) => Promise<
  AsyncDisposable & {
    baseUrl: string
    form: Record<string, unknown>
    least: number
    why: string
    /** Requests so far. */
    calls(): number
  }
>
