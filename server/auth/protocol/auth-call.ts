import type * as z from 'zod/mini'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { PersonClaims } from '../sessions/access-token.ts'
import type { LimitName } from '../throttle/limits.ts'

/** The reply of a call: JSON, nothing, or a redirect. */
export type AuthReply = { status: number; body?: unknown; headers?: Record<string, string> }

/** Who may call: anyone, a signed-in person, or an operator's program with a service token. */
export type AuthAccess = 'public' | 'person' | 'service'

type Part = z.ZodMiniType

/** The parsed input of a call. `person`: the claims of the bearer token, in calls of persons only. */
export type AuthInput<P extends Part, Q extends Part, B extends Part, A extends AuthAccess> = {
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
  person: A extends 'person' ? PersonClaims : null
  request: RequestFacts
}

/** One call of the protocol under /auth/v1 with its handler. */
export type AuthCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /auth/v1, with parameters as `:name`. */
  path: `/${string}`
  access: AuthAccess
  params?: Part
  query?: Part
  body?: Part
  /** Counted by the client's address, each call. */
  limit?: LimitName
  /** Open to sessions of single sign-on, which change nothing of an account. */
  bySso?: boolean
  handle(input: AuthInput<Part, Part, Part, AuthAccess>): Promise<AuthReply>
}

/** Binds a call of the protocol to its handler, which gets parsed input and throws an `AuthError` for every refusal. */
export function authCall<
  A extends AuthAccess,
  P extends Part = z.ZodMiniUndefined,
  Q extends Part = z.ZodMiniUndefined,
  B extends Part = z.ZodMiniUndefined,
>(
  call: Omit<AuthCall, 'handle' | 'access' | 'params' | 'query' | 'body'> & {
    access: A
    params?: P
    query?: Q
    body?: B
  },
  handle: (input: AuthInput<P, Q, B, A>) => Promise<AuthReply>,
): AuthCall {
  return { ...call, handle: handle as unknown as AuthCall['handle'] }
}

/** A JSON reply. */
export function json(body: unknown, status = 200): AuthReply {
  return { status, body }
}

/** A redirect. */
export function redirect(location: string, status: 302 | 303): AuthReply {
  return { status, headers: { location } }
}
