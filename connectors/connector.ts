import type { FormField } from '@groundswell/contract/connections.ts'
import type { BadRow, ColumnMapping, DateOrder, FileEncoding, FileFormat } from '@groundswell/contract/feedback.ts'
import type { WebhookPayload } from '@groundswell/contract/webhook-payload.ts'
import type * as z from 'zod/mini'

/** One piece of feedback as a source yields it. `externalId` is unique within its connection and stable for ever. */
export type FeedbackItem = {
  externalId: string
  text: string
  author: string | null
  at: Date
  link: string | null
  thread: string | null
  place: string | null
}

/** What a source yields at a time. The caller stores items and cursor in one transaction. `total` when it is known. */
export type Page<C> = {
  items: FeedbackItem[]
  deleted?: string[]
  cursor: C
  total?: number | null
  /** What is known to be missing, in words: counts that do not agree with the provider's own. Null: nothing. */
  incomplete?: string | null
}

/** What one event changes. `items` are new or edited; `deleted` holds external ids. */
export type EventOutcome = { items: FeedbackItem[]; deleted: string[]; ended: string | null }

/** A log that never sees a secret or customer text: ids, counts and reasons only. */
export type ConnectorLog = {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

/** Outgoing HTTP, as `kit/http.ts` makes it. Never re-sends a POST by itself. */
export type Http = {
  request(request: HttpRequest): Promise<HttpAnswer>
}
export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  timeoutMs?: number
  signal?: AbortSignal
}
/** `body` is cut at `maxBytes` of the client (`truncated` says so). `durationMs` is wall time. */
export type HttpAnswer = {
  status: number
  headers: Record<string, string>
  body: string
  truncated: boolean
  durationMs: number
}

/**
 * This process's instance of what `create` makes, made by the first call and the same for every connection: check which provider and
 * account a key belongs to. Pass a function of your module, not one made per call. Modules themselves hold no state that changes.
 */
export type ConnectorCache = <T>(create: () => T) => T

/** What a connector is given. It never sees the database. `settings` and `secrets` are as its own schemas parse them. */
export type Context<S = Record<string, unknown>, K = Record<string, string>> = {
  settings: S
  secrets: K
  http: Http
  log: ConnectorLog
  signal: AbortSignal
  now: () => Date
  cache: ConnectorCache
  /** Where the provider is, without a slash at its end; from `{ID}_BASE_URL`, else the connector's own default. */
  baseUrl: string | null
}

/** What goes to a destination. `deliveryId` is one uuid for one event, the same on every try. */
export type PushRequest = {
  deliveryId: string
  payload: WebhookPayload
}

/** What came of a push: where the remote item is, if there is one, and what the ledger shall hold. */
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
  /** An SVG image, as text: `readLogo` of `kit/logo.ts`. Null for the tiles whose logos the web app has itself. */
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
  /** What the same fields of the user's data hold while nothing is connected. */
  unconnected: Record<string, unknown>
}

/** The workspace's own app at a provider: its owner makes it there once and gives its credentials here, sealed. */
export type AppSetup = {
  title: string
  fields: readonly FormField[]
  secretFields: readonly string[]
  form: z.ZodMiniType<Record<string, unknown>>
  /** Environment variables that stand in for the fields of an app that was not given. */
  environment: Readonly<Record<string, string>>
  /** What the owner does at the provider, step by step, and a text to paste there. */
  guide(urls: { redirectUrl: string; eventsUrl: string }): {
    steps: readonly string[]
    paste: { label: string; text: string } | null
  }
}

/** Who we are at the other side after a sign-in. `account` is how that side names it: events are told apart by it. */
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

/** Something a person chooses for a connection, such as channels. Chosen values go into `settings[field]` as a list. */
export type Choice = {
  field: string
  label: string
  help: string
  options: readonly { value: string; label: string; hint?: string }[]
}

/** A request that a provider sent to `/api/{tile}/events`, with the body as it came. */
export type ProviderRequest = {
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array
}

/**
 * What a provider told. `reply` is sent at once. Each event is stored once by its `id`, for the connections whose `account`
 * it names; `kept` is handed to `follow` by a job, so that the reply never waits. A forged or late request is thrown as
 * `Rejected`.
 */
export type ProviderEvents = {
  reply: { status: number; type: string; body: string }
  events: readonly { id: string; account: string; kept: Record<string, unknown> }[]
}

/** One outside product. Every part but the manifest is optional: a manifest alone is a tile that is coming soon. */
export type Connector = {
  manifest: Manifest
  /** Sources that are asked: pages from where the cursor stands; the worker decides when. */
  pull?: (context: Context, cursor: unknown) => AsyncGenerator<Page<unknown>>
  /** The cursor of a first sync. `pull` yields at least one page; the last one says what a later pull goes on from. */
  cursor?: z.ZodMiniType
  app?: AppSetup
  oauth?: OAuth
  /** Judges what was pasted into the form and says who we are there. */
  check?: (context: Context) => Promise<SignedIn>
  /** What there is to choose from, asked of the provider. */
  choices?: (context: Context) => Promise<Choice[]>
  /** Verifies a provider's request by the app's credentials and reads it. */
  receive?: (app: Record<string, string>, request: ProviderRequest, now: Date) => ProviderEvents
  /** What an event means for the feedback of a connection. `ended`: the sign-in is over, in words. */
  follow?: (context: Context, kept: Record<string, unknown>) => Promise<EventOutcome>
  /** Sources that are a file: rows out of bytes. */
  file?: FileReader
  /** Destinations: send one event. Failures are thrown as one of `kit/errors.ts`. */
  push?: (context: Context, request: PushRequest) => Promise<PushOutcome>
  /** Retry delays in seconds after the first, second, … failed try; an empty rest means: give up. */
  retrySchedule?: readonly number[]
}

/** How a file is read. What is null or left out is for the reader to find out. */
export type FileOptions = {
  name: string
  format: FileFormat | null
  header: boolean | null
  mapping: ColumnMapping | null
  encoding?: FileEncoding | null
  dateOrder?: DateOrder | null
}

/**
 * What a file seems to hold. `preset` names the product whose export it looks like, `skippedRows` stand above the header.
 * `dateOrder` is null where no date can be read in two ways, and undecided where the first part does not tell.
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

/** Rows of a file a batch at a time. `lines[i]` is the line where `items[i]` begins, `line` the last line read, `bytes` how many were taken in so far. */
export type FilePage = { items: FeedbackItem[]; lines: number[]; problems: BadRow[]; line: number; bytes: number }

/** Bytes that can be read from their start as often as needed. */
export type Reopenable = { open(): AsyncIterable<Uint8Array> }

export type FileReader = {
  /** Why these first bytes cannot be feedback, in words; null for text. */
  refusal(head: Uint8Array, options: Pick<FileOptions, 'encoding'>): string | null
  /** Judges a file by its first bytes. */
  preview(head: Uint8Array, options: FileOptions): Promise<FilePreview>
  /**
   * Streams the file; memory does not grow with it. `importedAt` stands in for rows without a date. What can be opened again
   * is read twice where only the whole of it tells something, such as the order of its dates.
   */
  read(bytes: AsyncIterable<Uint8Array> | Reopenable, options: FileOptions, importedAt: Date): AsyncGenerator<FilePage>
}
