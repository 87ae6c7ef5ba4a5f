/** A log that never gets a secret or customer text: ids, counts and reasons only. */
export type ConnectorLog = {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

/** Outgoing HTTP (`kit/http/http.ts`). It never repeats a request. */
export type Http = {
  request(request: HttpRequest): Promise<HttpResponse>
}
/** One request. `timeoutMs`: until the last byte of the response; the client's if left out. */
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

/**
 * The pauses that the provider asked for, shared by every process that works for the connection. `scope` is what the pause is about:
 * '' for everything, or a name of the connector's own, such as a method, that contains no id. Times are seconds from now; `left` is 0
 * without a pause.
 */
export type Pauses = {
  left(scope: string): Promise<number>
  set(scope: string, seconds: number): Promise<void>
}

/** What a connector gets. It never sees the database. `settings` and `secrets` are as its own schemas parsed them. */
export type Context<S = Record<string, unknown>, K = Record<string, string>> = {
  settings: S
  secrets: K
  http: Http
  log: ConnectorLog
  signal: AbortSignal
  now: () => Date
  cache: ConnectorCache
  /** Absent before there is a connection. `jsonCall` and `graphqlCall` keep them. */
  pauses?: Pauses
  /** The provider's address without a trailing slash, from `{ID}_BASE_URL`; null: the connector's own default. */
  baseUrl: string | null
  /** Settings of the second sign-ins of this connector here, ended ones too: a source skips messages posted with them. */
  posters?: readonly Readonly<Record<string, unknown>>[]
  /** Addresses of single hosts of the provider, by name, from `{ID}_{HOST}_BASE_URL`: see `kit/http/host-url.ts`. */
  hostUrls?: Readonly<Record<string, string>>
}
