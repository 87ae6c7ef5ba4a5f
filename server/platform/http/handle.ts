import type { BodyOf, KeyScope, ParamsOf, QueryOf, ReplyOf, Route } from '@groundswell/contract/route.ts'
import type { Role } from '@groundswell/contract/values/role.ts'
import type { Log } from '../log/log.ts'
import type { PreparedReply } from './prepared-reply.ts'

/** The caller, from the bearer token. */
export type Caller = {
  accountId: string
  workspaceId: string
  /** In the workspace. */
  role: Role
  isAdmin: boolean
  name: string
  email: string
  session: CallerSession
  /** The API key that makes the call; omitted when a person does. A key's caller is never an admin. */
  key?: CallerKey
}

/** The caller's API key. `label` names it in the audit log: it is not the key. */
export type CallerKey = { id: string; label: string; scopes: readonly KeyScope[] }

/** The caller's session. */
type CallerSession = {
  id: string
  /** aal2: by two factors. */
  aal: 'aal1' | 'aal2'
  /** True for the session in which the account was created. */
  isFirst: boolean
  /** True when the account has a second factor that this session has not verified: almost every call refuses it. */
  needsSecondFactor: boolean
  /** Made by the single sign-on of the workspace: it acts there only, and changes nothing of the account. */
  bySso?: boolean
  /** Where to sign in by the single sign-on that the workspace requires, and that did not make this session. */
  ssoLink?: string
}

/** The caller of a bearer token, or null when it is unknown, ended or expired. */
export type Authenticate = (token: string) => Promise<Caller | null>

/** What a handler may know of the request beyond its parsed input. Header names are in lower case. */
export type RequestFacts = {
  id: string
  /** The client's address; behind a trusted proxy the one that the proxy names. */
  address: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  token: string | null
  log: Log
  /** Aborted when the client disconnects before the reply. */
  signal: AbortSignal
}

/**
 * The parsed input of one call. `raw` is the body as a stream, for routes that say so; for others it is empty. `clientHas`:
 * whether the client already has that version of the reply (see `PreparedReply`), so that `notModified` is enough. `clientVersion`: the
 * one version that it says it has, if it is this caller's.
 */
export type Input<R extends Route> = {
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  raw: AsyncIterable<Uint8Array>
  caller: R['access'] extends 'public' ? null : Caller
  request: RequestFacts
  clientHas: (version: string) => boolean
  clientVersion: () => string | null
}

/** A route with its handler. */
export type Handler = {
  route: Route
  answer(input: Input<Route>): Promise<unknown>
}

/**
 * Binds a call of the contract to its handler. The handler gets parsed input and returns the reply (or a
 * prepared one); it throws a `ContractError` for every refusal that the contract names.
 */
export function handle<const R extends Route>(
  route: R,
  answer: (input: Input<R>) => Promise<ReplyOf<R> | PreparedReply>,
): Handler {
  return { route, answer: answer as unknown as Handler['answer'] }
}
