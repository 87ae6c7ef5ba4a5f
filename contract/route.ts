import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Role } from './values/role.ts'

type Schema = z.ZodMiniType

/** What an API key may do. `read`: see insights and feedback; `feedback:write`: send feedback; `insights:write`: make and correct insights. */
export type KeyScope = 'read' | 'feedback:write' | 'insights:write'

/**
 * One call, defined once for both sides. The server binds it (`handle`), the web app calls it (`call`); both types are inferred. `access`: the least
 * that the caller must be. public needs no token, person a valid one; viewer, member and owner are roles in the caller's workspace; admin needs
 * is_admin. What changes something there needs a member, unless it is the caller's own. `beforeSecondFactor`: allowed before the account's second
 * factor, if it has one, has been verified. `ofAccount`: about the person's account, not about a workspace. A single sign-on session, which only one
 * workspace vouches for, cannot make it; a session that must first sign in through single sign-on can. `scope`: an API key with this scope may make
 * the call too. Without it no key can: a call is closed to keys until it is opened. `bodyLimit`: of a parsed body in bytes, by default 1 MiB. `raw`:
 * the request body is a stream of bytes and is not parsed. `path` contains parameters as `{name}`.
 */
export type Route<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
> = {
  name: string
  summary: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  access: 'public' | 'person' | Role | 'admin'
  beforeSecondFactor?: boolean
  ofAccount?: boolean
  scope?: KeyScope
  bodyLimit?: number
  params?: P
  query?: Q
  body?: B
  raw?: boolean
  reply: R
  errors: readonly ErrorCode[]
}

type Given<T, K extends string> = T extends { [P in K]: infer S extends Schema } ? { [P in K]: z.input<S> } : unknown

/** What a caller gives for a call, before its schemas are applied: params, query and body, those that the route has. */
export type GivenTo<T extends Route> = Given<T, 'params'> & Given<T, 'query'> & Given<T, 'body'>

export type ParamsOf<T> = T extends { params: infer P extends Schema } ? z.output<P> : undefined
export type QueryOf<T> = T extends { query: infer Q extends Schema } ? z.output<Q> : undefined
export type BodyOf<T> = T extends { body: infer B extends Schema } ? z.output<B> : undefined
export type ReplyOf<T> = T extends { reply: infer R extends Schema } ? z.output<R> : never

/** Names a call and preserves its exact types. */
export function route<const T extends Route>(definition: T): T {
  return definition
}
