import type { FormField } from '@groundswell/contract/connections.ts'
import type {
  BadRow,
  ColumnMapping,
  DateOrder,
  FileEncoding,
  FileFormat,
  OwnReplies,
} from '@groundswell/contract/feedback.ts'
import type { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import type * as z from 'zod/mini'
import type { Context } from './context.ts'
import type { FileTable } from './file-table.ts'
import type { Poster } from './poster.ts'
import type { SetAsideView, SyncProgress } from './source-report.ts'
import type { RemoteStatus, Tracker } from './tracker.ts'

export type { ConnectorCache, ConnectorLog, Context, Http, HttpRequest, HttpResponse, Pauses } from './context.ts'
export type { SetAsideView, SyncProgress } from './source-report.ts'

/** One piece of feedback from a source. `externalId` is unique within its connection; `formerId`: that of a file's row in earlier versions. */
export type FeedbackItem = {
  externalId: string
  formerId?: string
  text: string
  author: string | null
  at: Date
  /** False: the source gives no date that can be read, and `at` is the time of the import. Absent: known. */
  dateKnown?: false
  /** The source gives a day without a time; `at` is its midnight in UTC. Absent: a moment. */
  dateOnly?: true
  /** The HTML that `text` was made of. Absent: the text is as it was written, or the original stays at the source. */
  original?: string
  /** The address of the message at the provider. Stored only if it is that of a web page (`safeLink` of the contract). */
  link: string | null
  thread: string | null
  place: string | null
  /** Who wrote it. An agent's words are context of the thread, never a mention. Absent: a customer. */
  role?: 'customer' | 'agent'
  /** Names of attached files, which are not read. */
  attachments?: string[]
  /** What the provider knows about it besides, such as a ticket's subject, organisation, tags and custom fields. */
  attributes?: Record<string, string>
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
  /** Threads that were deleted as a whole: each item with this `thread` is removed. */
  deletedThreads?: string[]
  /** What this page shows completely, for sources that do not report deletions. */
  complete?: CompleteSpan[]
  cursor: C
  total?: number | null
  /** What is known to be missing, as text for the tile: counts that differ from the provider's own. Null: nothing. */
  incomplete?: string | null
  /** What could not be read and is tried again later: `shownAside` of `kit/set-aside.ts`. */
  setAside?: SetAsideView
  /** External ids of messages that consist of attachments only, which are not read: the tile counts them. */
  attachmentOnly?: string[]
}

/** What one event changes. `items` are new or edited, with their versions; `deleted` holds external ids. */
export type EventOutcome = {
  items: FeedbackItem[]
  deleted: string[]
  deletedThreads?: string[]
  /** Trackers: states of remote items, also of ones that are not ours. */
  statuses?: RemoteStatus[]
  ended: string | null
}

/** An event for a destination. `deliveryId` is one uuid for one event, the same on every attempt. */
export type PushRequest = {
  deliveryId: string
  payload: WebhookPayload
}

/** The result of a push: its remote item, if it has one, what the ledger records, and what was left out although it succeeded. */
export type PushOutcome = {
  status: number
  answer: string
  durationMs: number
  remote: { id: string; url: string | null } | null
  notice?: string | null
}

/** Manifest of a connector: what the tile and its form show, and how the form's values split into settings and secrets. */
export type Manifest = {
  /** Equal to the folder's name. */
  id: string
  label: string
  /** `poster`: only of a second sign-in (`kit/poster-connector.ts`). */
  side: 'source' | 'destination' | 'poster'
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

/**
 * The account that a sign-in belongs to. `account` is the provider's id of it, by which events are assigned. `expiresAt`: when the
 * access token ends and `refresh` is called at the latest; absent or null where it does not end.
 */
export type SignedIn = {
  account: string
  settings: Record<string, unknown>
  secrets: Record<string, string>
  expiresAt?: Date | null
}

/** Secrets that replace those of a connection as a whole. */
export type Refreshed = { secrets: Record<string, string>; expiresAt: Date | null }

/**
 * OAuth at a provider. `app` holds the fields of `AppSetup`, secrets included. `context.settings` holds what the person entered in
 * `fields` before signing in, such as a subdomain. With `pkce`, the request has a challenge (S256) and its verifier.
 */
export type OAuth = {
  /** What has to be known before signing in, as the form's fields; parsed by `form`. */
  fields?: readonly FormField[]
  form?: z.ZodMiniType<Record<string, unknown>>
  pkce?: boolean
  authorizeUrl(
    context: Context,
    app: Record<string, string>,
    request: { redirectUrl: string; state: string; codeChallenge?: string },
  ): string
  /** `query` holds everything that the provider sent back; `code` is '' where it sends none, as for an installation. */
  exchange(
    context: Context,
    app: Record<string, string>,
    request: {
      redirectUrl: string
      code: string
      codeVerifier?: string
      query?: Readonly<Record<string, string>>
    },
  ): Promise<SignedIn>
}

/**
 * Something a person chooses for a connection, such as channels. The chosen values are a list in `settings[field]`, for a single
 * choice of at most one.
 */
export type Choice = {
  field: string
  label: string
  help: string
  /** `text` and `date` (YYYY-MM-DD) have no options. Default: select. */
  kind?: 'select' | 'text' | 'date'
  /** At most one value. Default: several. */
  single?: boolean
  /** The connection cannot be used without it. */
  required?: boolean
  /** There are more options than listed: the person types a part of the name, and `request.search[field]` has it. */
  searchable?: boolean
  /** Fields whose change clears this choice, such as the project of an issue type. Of several values, those still offered stay. */
  dependsOn?: readonly string[]
  /** `group`: at most one option of a group can be chosen. */
  options: readonly { value: string; label: string; hint?: string; group?: { id: string; label: string } }[]
}

/**
 * `context.settings` holds what is chosen so far, saved or not, so that a choice can depend on another one: it is returned once that
 * one is made. With a text in `search`, only the choices of those fields need be returned.
 */
export type Choices = (context: Context, request: { search: Readonly<Record<string, string>> }) => Promise<Choice[]>

/**
 * A request that a provider sent to `/api/{tile}/events`, with its raw body. `key`: the last part of the URL where it was sent to
 * the address of one subscription, `/api/{tile}/events/{key}`.
 */
export type ProviderRequest = {
  method: string
  query?: Readonly<Record<string, string>>
  key?: string | null
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array
}

/**
 * A parsed provider request. `reply` is sent immediately. Each event is stored once by its `id`: for the connections whose
 * `account` it names, or where the request had a key for the connection of that key alone, unless `account` names another one than
 * its own ('': the provider names none). A job passes `payload` to `handleEvent`, so that the reply never waits. A forged or expired
 * request is thrown as `Rejected`.
 */
export type ProviderEvents = {
  reply: { status: number; type: string; body: string }
  events: readonly { id: string; account: string; payload: Record<string, unknown> }[]
}

/** A subscription to a provider's events. `state` is the connector's own; `expiresAt` null: it does not end. */
export type Subscription = { state: Record<string, unknown>; expiresAt: Date | null }

/** Subscriptions that are created at the provider through its API, for one connection. */
export type Subscriptions = {
  /**
   * Creates the subscription, or renews or repairs the previous one. `url` is this connection's own public address, `secret` what the
   * provider should sign with where it lets us choose. Called after connecting and after choices are saved, before it expires, and
   * once a day. `secrets` are sealed with the connection's and given to `receive`.
   */
  ensure(
    context: Context,
    request: { url: string; secret: string; previous: Record<string, unknown> | null },
  ): Promise<Subscription & { secrets?: Record<string, string> }>
  /** Removes it at the provider; called in the background after a disconnect. */
  remove(context: Context, state: Record<string, unknown>): Promise<void>
}

/**
 * Posting messages, with its own sign-in beside the connector's. An owner is asked for it when they turn on what needs it, and the connector's
 * own sign-in keeps the permissions that it had. The core stores it as a connection of `{id}-post`. `app`: where a second consent would add to what
 * the first one permits, it has to be another app (`isSameApp`).
 */
export type Posting = Poster & {
  app: AppSetup
  oauth: OAuth
  refresh?: NonNullable<Connector['refresh']>
  revoke?: NonNullable<Connector['revoke']>
}

/** One provider. Every part but the manifest is optional: a manifest alone is a tile that is coming soon. */
export type Connector = {
  manifest: Manifest
  /** Sources with an API: pages from the cursor on. The worker decides when. */
  pull?: (context: Context, cursor: unknown) => AsyncGenerator<Page<unknown>>
  /** Parses a stored cursor. `pull` yields at least one page; a later pull continues from the cursor of the last. */
  cursor?: z.ZodMiniType
  /** What a stored cursor says about its first round, where the provider tells how much there is to read. Null: nothing, or the round is over. */
  progress?: (cursor: unknown) => SyncProgress | null
  app?: AppSetup
  oauth?: OAuth
  /** Verifies the submitted form and returns the account it belongs to. */
  check?: (context: Context) => Promise<SignedIn>
  /** Ends the sign-in at the provider after a disconnect. Called again when it fails; the connection is already over. */
  revoke?: (context: Context) => Promise<void>
  /**
   * Obtains new credentials: by the refresh token in `context.secrets`, or by minting them from `app` (null without one). Called before
   * the current ones end and after a call was refused with them; one at a time for each connection. `AuthExpired`: the sign-in is over.
   */
  refresh?: (context: Context, app: Record<string, string> | null) => Promise<Refreshed>
  /** The choices, requested from the provider. They belong to the account, so a connector with choices has `oauth` or `check`. */
  choices?: Choices
  /**
   * Whether some choices are required: until they are made, nothing is read or sent. Default: true for a destination with choices,
   * false for a source.
   */
  choicesRequired?: boolean
  subscriptions?: Subscriptions
  /**
   * Verifies a provider's request and parses it. `secrets` are the app's, and for a request to the address of a subscription those
   * of its connection: the app's, the sign-in's and the subscription's, in this order of precedence from the last.
   */
  receive?: (secrets: Record<string, string>, request: ProviderRequest, now: Date) => ProviderEvents
  /** Returns what an event changes in a connection's feedback. `ended`: why the sign-in is over, as text. */
  handleEvent?: (context: Context, payload: Record<string, unknown>) => Promise<EventOutcome>
  /** Sources that are files: rows from bytes. */
  file?: FileReader
  /** Destinations: send one event. Failures are thrown as one of `kit/errors.ts`. */
  push?: (context: Context, request: PushRequest) => Promise<PushOutcome>
  /** Destinations that keep one item for each insight, instead of `push`. */
  tracker?: Tracker
  /** Posting messages, with its own sign-in. */
  poster?: Posting
  /** The connector whose second sign-in this one is. Set by the kit. */
  postsFor?: string
  /** Retry delays in seconds after the first, second, … failed attempt; after the last the delivery fails. */
  retrySchedule?: readonly number[]
}

/**
 * How a file is read. The reader detects what is null or missing. `ownReplies`: with `feedback`, rows of the own side count like all
 * others.
 */
export type FileOptions = {
  name: string
  format: FileFormat | null
  header: boolean | null
  mapping: ColumnMapping | null
  encoding?: FileEncoding | null
  dateOrder?: DateOrder | null
  ownReplies?: OwnReplies | null
  /** What ambiguous abbreviations of zones mean, in minutes east of UTC. Omitted: what is assumed. */
  zones?: Readonly<Record<string, number>> | null
  /** The sheet of a workbook to read; null: the first one that is not empty. */
  sheet?: string | null
}

/** An abbreviation in the dates of a file that several zones share: what it is read as, and what else it may mean, in minutes east of UTC. */
export type AmbiguousZone = { name: string; offset: number; places: readonly { offset: number; place: string }[] }

/**
 * The detected content of a file. `preset`: the product whose export it looks like. `skippedRows` are above the header. `dateOrder`: null
 * where no date is ambiguous, `undecided` where the first part does not decide it. `undated`: rows of that part with an unreadable date.
 */
export type FilePreview = {
  format: FileFormat
  /** How many files of an archive are read as one. The visible sheets of a workbook; `sheet` is the one that is read. */
  files: number
  sheets: string[]
  sheet: string | null
  encoding: FileEncoding
  header: boolean
  skippedRows: number
  preset: string | null
  dateOrder: DateOrder | 'undecided' | null
  zones: AmbiguousZone[]
  undated: { rows: number; samples: string[]; why: string | null }
  columns: string[]
  rows: string[][]
  mapping: ColumnMapping
  problems: BadRow[]
  /** What an import reads of the given part, and its bad rows. `share`: of the file, by bytes; null: not known. */
  found: { items: FeedbackItem[]; bad: number; whole: boolean; share: number | null }
}

/** A batch of rows. `lines[i]` is the line where `items[i]` starts, `line` the last line read, `bytes` how many have been read. */
export type FilePage = { items: FeedbackItem[]; lines: number[]; problems: BadRow[]; line: number; bytes: number }

/**
 * Bytes that can be read as often as needed, from their start or from another byte. `size`: how many; where it is not known, a workbook is
 * read into memory.
 */
export type Reopenable = { open(from?: number): AsyncIterable<Uint8Array>; size?: number | null }

/** What the import of files needs of a connector that reads them. */
export type FileReader = {
  /** Why a file with these first bytes cannot be feedback, as text; null for text and for packed files, which are judged when they are read. */
  refusal(head: Uint8Array, options: Pick<FileOptions, 'encoding'>): string | null
  /** False for a file that need not have lines: packed, or JSON. */
  hasLines(head: Uint8Array): boolean
  /**
   * Detects the content of a file from its first bytes. Of an archive they end with its list of contents, and what is in it may end early.
   * `size`: of the file, where it is known.
   */
  preview(head: Uint8Array | Reopenable, options: FileOptions, size?: number | null): Promise<FilePreview>
  /**
   * Streams the file; memory does not grow with it. `importedAt` is the date of rows without one. Input that can be reopened is
   * read twice where only the whole file decides something, such as the order of its dates.
   */
  read(bytes: AsyncIterable<Uint8Array> | Reopenable, options: FileOptions, importedAt: Date): AsyncGenerator<FilePage>
  /** The rows of a small file that is no feedback, such as a list of customers, whose first row names its columns. */
  table(text: string, name: string): FileTable
}
