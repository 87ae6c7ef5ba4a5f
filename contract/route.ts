import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { ExampleInput, ExampleObjects } from './examples/objects.ts'
import type { Role } from './values/role.ts'

type Schema = z.ZodMiniType

/** What calls may end, the least first. */
export const ENDS = [
  'connection',
  'insight',
  'grouping',
  'import',
  'membership',
  'workspace',
  'ownership',
  'session',
  'account',
] as const

/** The entry that a call has in the audit log. `action`: such as `view.deleted`. `target`: the field of `params` or `body` that names what was changed. */
export type CallAudit = { action: string; target?: string }

/** What an API key may do. `read`: see insights and feedback; `feedback:write`: send feedback; `insights:write`: make and correct insights. */
export type KeyScope = 'read' | 'feedback:write' | 'insights:write'

/**
 * One call of the HTTP API, defined once for both sides: the server binds it (`handle`), the web app and the client make it (`call`). Both infer the types of
 * the input and the reply from its schemas. Reads and writes are JSON unless a field says otherwise.
 */
export type Route<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
> = {
  /** The call's name in camelCase, unique in the contract. It is in the log, the audit list, the OpenAPI document and the tests of access. */
  name: string
  /** One line for the API reference, without a full stop: what the call does or returns. */
  summary: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path from the root of the server. Parameters are written as `{name}`, each with a field in `params`. */
  path: `/${string}`
  /**
   * The least that the caller must be. `public`: anyone, without a token. `person`: anyone with a valid token. `viewer`, `member`, `owner`: at least this role in the
   * workspace of the session or key. `admin`: an administrator of the installation (`is_admin`), whatever the role. A call that changes data of a
   * workspace needs a member, unless it changes only what belongs to the caller. Without a valid token the reply is `unauthorized`, below the role
   * `forbidden`.
   */
  access: 'public' | 'person' | Role | 'admin'
  /**
   * Whether the call is allowed before the account's second factor is verified. Default: no; an account that has one gets `mfa_required`. Such a call
   * also does not check single sign-on, or which workspace the page shows (`workspace_changed`).
   */
  beforeSecondFactor?: boolean
  /**
   * Whether the call is about the person's account and not about a workspace. Default: no. A session created by a workspace's single sign-on is refused with
   * `forbidden`, since only that workspace vouches for it. A session that still has to sign in through single sign-on may make the call; for
   * others it is refused with `sso_required`.
   */
  ofAccount?: boolean
  /** The scope with which an API key may make the call. Default: none; every key is refused with `forbidden`. */
  scope?: KeyScope
  /**
   * The entry in the audit log after each success of the call. `none`: it changes nothing that lasts, or its feature writes entries itself. Default, for
   * `GET` only: none. A test refuses any other call without it.
   */
  audit?: CallAudit | 'none'
  /** The most bytes of a JSON body. Default: 1 MiB (1,048,576). A larger one is refused with `payload_too_large`. Has no effect on `raw`. */
  bodyLimit?: number
  /** An object with a field for each parameter of `path`. Values arrive as text and are coerced by the schema. Errors: `invalid_input`. */
  params?: P
  /** An object with the query parameters. Values arrive as text. Default: the query string is ignored. Errors: `invalid_input`, by dotted path. */
  query?: Q
  /** The JSON body; a request without a body counts as `{}`. Default: the body is ignored. Errors: `invalid_input`, by dotted path. */
  body?: B
  /** Whether the body is a stream of bytes that the handler reads itself, at most 1 GiB unless the server sets another limit. Default: no. */
  raw?: boolean
  /** The reply with status 200. The server checks each reply by it: one that does not fit is a defect and becomes `internal`. */
  reply: R
  /**
   * The errors that the call itself can return, besides those that any call may: `unauthorized`, `forbidden`, `mfa_required`, `sso_required` and
   * `workspace_changed` by its access, `payload_too_large` and `unsupported_media_type` by its body, `too_many_requests` for API keys, `internal` and `not_ready`.
   * The fuzz tests fail for any other.
   */
  errors: readonly ErrorCode[]
  /** What the call needs in order to succeed and a new installation does not have, such as a language model. Default: nothing. */
  needs?: string
  /** What a success may end that later calls need. Tests make such calls after all others, in the order of `ENDS`. Default: nothing. */
  ends?: (typeof ENDS)[number]
  /**
   * A call with few consequences, made of the objects of one workspace that it names. The tests of access make it in every role and in other workspaces. Default: a
   * call without any input.
   */
  example?: (objects: ExampleObjects) => ExampleInput
}

type Given<T, K extends string> = T extends { [P in K]: infer S extends Schema } ? { [P in K]: z.input<S> } : unknown

/** What a caller gives for a call, before its schemas are applied: params, query and body, those that the route has. */
export type GivenTo<T extends Route> = Given<T, 'params'> & Given<T, 'query'> & Given<T, 'body'>

/** The path parameters of a call as its handler gets them, after the schema was applied; undefined if the route has none. */
export type ParamsOf<T> = T extends { params: infer P extends Schema } ? z.output<P> : undefined
/** The query of a call as its handler gets it, with defaults applied; undefined if the route has none. */
export type QueryOf<T> = T extends { query: infer Q extends Schema } ? z.output<Q> : undefined
/** The JSON body of a call as its handler gets it, with defaults applied; undefined if the route has none. */
export type BodyOf<T> = T extends { body: infer B extends Schema } ? z.output<B> : undefined
/** The reply of a call, as the server sends it and the caller gets it. */
export type ReplyOf<T> = T extends { reply: infer R extends Schema } ? z.output<R> : never

/** Names a call and preserves its exact types. */
export function route<const T extends Route>(definition: T): T {
  return definition
}
