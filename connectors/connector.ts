import type { FormField } from '@groundswell/contract/connections.ts'
import type { BadRow, ColumnMapping, DateOrder, FileEncoding, FileFormat } from '@groundswell/contract/feedback.ts'
import type { WebhookPayload } from '@groundswell/contract/webhook-payload.ts'
import type * as z from 'zod/mini'

/** One piece of feedback from a source. `externalId` is unique within its connection and never changes. */
export type FeedbackItem = {
  externalId: string
  text: string
  author: string | null
  at: Date
  link: string | null
  thread: string | null
  place: string | null
  /**
   * Orders the states of one item, for events that arrive out of order: the provider's time of the edit, in microseconds. Absent:
   * it was never edited.
   */
  version?: number
}

/**
 * The items of one place and time span, all of them: a stored item of the span that is not listed was deleted at the provider. It is
 * about the first items of threads or, with `thread`, about the other items of that thread. `after` and `before` are exclusive;
 * null: no limit.
 */
export type CompleteSpan = {
  /** What the external ids of the place start with. */
  prefix: string
  thread: string | null
  after: Date | null
  before: Date | null
  ids: string[]
}

/** One page from a source. The caller stores items and cursor in one transaction. `total` where it is known. */
export type Page<C> = {
  items: FeedbackItem[]
  deleted?: string[]
  /** What this page shows completely, for sources that do not report deletions. */
  complete?: CompleteSpan[]
  cursor: C
  total?: number | null
  /** What is known to be missing, as text for the tile: counts that differ from the provider's own. Null: nothing. */
  incomplete?: string | null
}

/** What one event changes. `items` are new or edited, with their versions; `deleted` holds external ids. */
export type EventOutcome = { items: FeedbackItem[]; deleted: string[]; ended: string | null }

/** A log that never gets a secret or customer text: ids, counts and reasons only. */
export type ConnectorLog = {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

/** Outgoing HTTP (`kit/http.ts`). It never repeats a request. */
export type Http = {
  request(request: HttpRequest): Promise<HttpResponse>
}
export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  timeoutMs?: number
  signal?: AbortSignal
}
/** `body` is cut at the client's `maxBytes`; `truncated` tells whether it was. `durationMs` is wall time. */
export type HttpResponse = {
  status: number
  headers: Record<string, string>
  body: string
  truncated: boolean
  durationMs: number
}

/**
 * This process's instance of what `create` makes, created by the first call and the same for every connection: check which provider and
 * account a key belongs to. Pass a function of your module, not one created per call. Modules themselves hold no mutable state.
 */
export type ConnectorCache = <T>(create: () => T) => T

/** What a connector gets. It never sees the database. `settings` and `secrets` are as its own schemas parsed them. */
export type Context<S = Record<string, unknown>, K = Record<string, string>> = {
  settings: S
  secrets: K
  http: Http
  log: ConnectorLog
  signal: AbortSignal
  now: () => Date
  cache: ConnectorCache
  /** The provider's address without a trailing slash, from `{ID}_BASE_URL`; null: the connector's own default. */
  baseUrl: string | null
}

/** An event for a destination. `deliveryId` is one uuid for one event, the same on every attempt. */
export type PushRequest = {
  deliveryId: string
  payload: WebhookPayload
}

/** The result of a push: its remote item, if it has one, and what the ledger records. */
export type PushOutcome = {
  status: number
  answer: string
  durationMs: number
  remote: { id: string; url: string | null } | null
}

/** Manifest of a connector: what the tile and its form show, and how the form's values split into settings and secrets. */
export type Manifest = {
  /** Equal to the folder's name. */
  id: string
  label: string
  side: 'source' | 'destination'
  /** Text on the tile while it is not connected. */
  info: string
  /** An SVG image, as text: `readLogo` of `kit/logo.ts`. Null for the tiles whose logos the web app includes. */
  logo: string | null
  /** True until the connector is built: shown, but cannot be connected. */
  comingSoon: boolean
  /** False for sources that have no tile of their own. */
  tile: boolean
  formTitle: string
  fields: readonly FormField[]
  /** Names of the fields that are sealed. A URL that may carry a secret is one of them. */
  secretFields: readonly string[]
  /** Parses the submitted form. */
  form: z.ZodMiniType<Record<string, unknown>>
  /** True when what it sends is signed with a secret that the owner can see and rotate. */
  signs: boolean
  /** Fields this connection adds to the signed-in user's data, and the name shown on the tile. */
  describe(
    settings: Record<string, unknown>,
    secrets: Record<string, string>,
  ): { name: string; userData: Record<string, unknown> }
  /** The values of the same fields of the user's data while nothing is connected. */
  unconnected: Record<string, unknown>
}

/** The workspace's own app at a provider: the owner creates it there once and saves its credentials here, sealed. */
export type AppSetup = {
  title: string
  fields: readonly FormField[]
  secretFields: readonly string[]
  form: z.ZodMiniType<Record<string, unknown>>
  /** Environment variables that replace the fields of an app that was not saved. */
  environment: Readonly<Record<string, string>>
  /** What the owner does at the provider, step by step, and a text to paste there. */
  guide(urls: { redirectUrl: string; eventsUrl: string }): {
    steps: readonly string[]
    paste: { label: string; text: string } | null
  }
}

/** The account that a sign-in belongs to. `account` is the provider's id of it, by which events are assigned. */
export type SignedIn = {
  account: string
  settings: Record<string, unknown>
  secrets: Record<string, string>
}

/** OAuth at a provider. `app` holds the fields of `AppSetup`, secrets included. */
export type OAuth = {
  authorizeUrl(context: Context, app: Record<string, string>, request: { redirectUrl: string; state: string }): string
  exchange(
    context: Context,
    app: Record<string, string>,
    request: { redirectUrl: string; code: string },
  ): Promise<SignedIn>
}

/** Something a person chooses for a connection, such as channels. The chosen values are a list in `settings[field]`. */
export type Choice = {
  field: string
  label: string
  help: string
  options: readonly { value: string; label: string; hint?: string }[]
}

/** A request that a provider sent to `/api/{tile}/events`, with its raw body. */
export type ProviderRequest = {
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array
}

/**
 * A parsed provider request. `reply` is sent immediately. Each event is stored once by its `id`, for the connections whose
 * `account` it names; a job passes `payload` to `handleEvent`, so that the reply never waits. A forged or expired request is
 * thrown as `Rejected`.
 */
export type ProviderEvents = {
  reply: { status: number; type: string; body: string }
  events: readonly { id: string; account: string; payload: Record<string, unknown> }[]
}

/** One provider. Every part but the manifest is optional: a manifest alone is a tile that is coming soon. */
export type Connector = {
  manifest: Manifest
  /** Sources with an API: pages from the cursor on. The worker decides when. */
  pull?: (context: Context, cursor: unknown) => AsyncGenerator<Page<unknown>>
  /** Parses a stored cursor. `pull` yields at least one page; a later pull continues from the cursor of the last. */
  cursor?: z.ZodMiniType
  app?: AppSetup
  oauth?: OAuth
  /** Verifies the submitted form and returns the account it belongs to. */
  check?: (context: Context) => Promise<SignedIn>
  /** Ends the sign-in at the provider after a disconnect. Called again when it fails; the connection is already over. */
  revoke?: (context: Context) => Promise<void>
  /** The choices, requested from the provider. */
  choices?: (context: Context) => Promise<Choice[]>
  /** Verifies a provider's request with the app's credentials and parses it. */
  receive?: (app: Record<string, string>, request: ProviderRequest, now: Date) => ProviderEvents
  /** Returns what an event changes in a connection's feedback. `ended`: why the sign-in is over, as text. */
  handleEvent?: (context: Context, payload: Record<string, unknown>) => Promise<EventOutcome>
  /** Sources that are files: rows from bytes. */
  file?: FileReader
  /** Destinations: send one event. Failures are thrown as one of `kit/errors.ts`. */
  push?: (context: Context, request: PushRequest) => Promise<PushOutcome>
  /** Retry delays in seconds after the first, second, … failed attempt; after the last the delivery fails. */
  retrySchedule?: readonly number[]
}

/** How a file is read. The reader detects what is null or missing. */
export type FileOptions = {
  name: string
  format: FileFormat | null
  header: boolean | null
  mapping: ColumnMapping | null
  encoding?: FileEncoding | null
  dateOrder?: DateOrder | null
}

/**
 * The detected content of a file. `preset` names the product whose export it looks like, `skippedRows` are above the header.
 * `dateOrder` is null where no date is ambiguous, and `undecided` where the first part of the file does not decide it.
 */
export type FilePreview = {
  format: FileFormat
  encoding: FileEncoding
  header: boolean
  skippedRows: number
  preset: string | null
  dateOrder: DateOrder | 'undecided' | null
  columns: string[]
  rows: string[][]
  mapping: ColumnMapping
  problems: BadRow[]
}

/**
 * A batch of rows. `lines[i]` is the line where `items[i]` starts, `line` the last line read, `bytes` how many have been read
 * so far.
 */
export type FilePage = { items: FeedbackItem[]; lines: number[]; problems: BadRow[]; line: number; bytes: number }

/** Bytes that can be read from their start as often as needed. */
export type Reopenable = { open(): AsyncIterable<Uint8Array> }

export type FileReader = {
  /** Why a file with these first bytes cannot be feedback, as text; null for text files. */
  refusal(head: Uint8Array, options: Pick<FileOptions, 'encoding'>): string | null
  /** Detects the content of a file from its first bytes. */
  preview(head: Uint8Array, options: FileOptions): Promise<FilePreview>
  /**
   * Streams the file; memory does not grow with it. `importedAt` is the date of rows without one. Input that can be reopened is
   * read twice where only the whole file decides something, such as the order of its dates.
   */
  read(bytes: AsyncIterable<Uint8Array> | Reopenable, options: FileOptions, importedAt: Date): AsyncGenerator<FilePage>
}
