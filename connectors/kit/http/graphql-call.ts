import * as z from 'zod/mini'
import type { Context } from '../../connector.ts'
import {
  AuthExpired,
  type ConnectorFailure,
  type FailureKind,
  type FailureOptions,
  RateLimited,
  Rejected,
  Unavailable,
} from '../errors.ts'
import { type JsonCall, type JsonReply, jsonCall } from './json-call.ts'

/**
 * One entry of `errors`, as the provider sent it: `code` is `extensions.code`, else `extensions.type`, else `type`. Messages and
 * paths may contain what customers wrote.
 */
type GraphqlError = { code: string | null; message: string; extensions: Readonly<Record<string, unknown>> }

/** An operation of a GraphQL API: a JSON call whose method, body and errors follow from the protocol. */
export type GraphqlCall<T extends z.ZodMiniType> = Omit<
  JsonCall<T>,
  'method' | 'body' | 'query' | 'failures' | 'schema'
> & {
  /** One operation. */
  document: string
  variables?: Readonly<Record<string, unknown>>
  /** Parses `data`. */
  data: T
  /** This provider's codes, in upper case, in addition to the usual ones; they replace those of the same name. */
  codes?: Readonly<Record<string, FailureKind>>
  /** The provider's own errors that a code does not identify. Null: judged by code. */
  failures?: (errors: readonly GraphqlError[], options: FailureOptions) => ConnectorFailure | null
}

/** The provider refused the operation. `codes` are its codes, in upper case, for callers that can continue. */
export class GraphqlRefusal extends Rejected {
  readonly codes: readonly string[]

  constructor(message: string, codes: readonly string[], options: FailureOptions) {
    super(message, options)
    this.codes = codes
  }
}

/** Codes of the servers in common use. */
const USUAL: Readonly<Record<string, FailureKind>> = {
  UNAUTHENTICATED: 'auth',
  AUTHENTICATION_ERROR: 'auth',
  RATELIMITED: 'rate-limited',
  RATE_LIMITED: 'rate-limited',
  INTERNAL_SERVER_ERROR: 'unavailable',
  FORBIDDEN: 'rejected',
  BAD_USER_INPUT: 'rejected',
  GRAPHQL_PARSE_FAILED: 'rejected',
  GRAPHQL_VALIDATION_FAILED: 'rejected',
}
/** With several errors, the kind that says most about the next request counts. */
const ORDER: readonly FailureKind[] = ['auth', 'rate-limited', 'rejected', 'unavailable']

const Coded = z.object({ code: z.optional(z.unknown()), type: z.optional(z.unknown()) })
const Failed = z.object({
  errors: z
    .array(
      z.object({
        message: z.optional(z.unknown()),
        type: z.optional(z.unknown()),
        extensions: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
      }),
    )
    .check(z.minLength(1)),
})

/**
 * Sends one GraphQL operation as a POST, once, and parses its `data`. Any `errors` make it a failure, even beside data, whatever
 * the status. It throws what `jsonCall` throws, and `GraphqlRefusal` for errors that would occur again.
 */
export async function graphqlCall<T extends z.ZodMiniType>(
  context: Pick<Context, 'http' | 'signal' | 'now' | 'pauses'>,
  { document, variables, data, codes, failures, ...call }: GraphqlCall<T>,
): Promise<JsonReply<T>> {
  const reply = await jsonCall(context, {
    ...call,
    method: 'POST',
    body: { json: { query: document, variables: variables ?? {} } },
    schema: z.object({ data }),
    failures: ({ response, body, options }) => {
      const errors = errorsOf(body)
      if (errors.length === 0) return null
      const own = failures?.(errors, options)
      return own ?? classify(errors, { ...USUAL, ...codes }, call, response.status, options)
    },
  })
  return { ...reply, data: (reply.data as { data: z.infer<T> }).data }
}

function errorsOf(body: unknown): GraphqlError[] {
  const failed = Failed.safeParse(body)
  if (!failed.success) return []
  return failed.data.errors.map(({ message, type, extensions }) => {
    const coded = Coded.safeParse(extensions).data
    const code = [coded?.code, coded?.type, type].find((value) => typeof value === 'string')
    return { code: code ?? null, message: typeof message === 'string' ? message : '', extensions: extensions ?? {} }
  })
}

/** Null where the codes are unknown and the status says what the failure is. */
function classify(
  errors: readonly GraphqlError[],
  kinds: Readonly<Record<string, FailureKind>>,
  { who, name }: { who: string; name: string },
  status: number,
  options: FailureOptions,
): ConnectorFailure | null {
  const codes = errors.map(({ code }) => safeCode(code)).filter((code) => code !== null)
  const known = codes.filter((code) => Object.hasOwn(kinds, code))
  const kind = ORDER.find((candidate) => known.some((code) => kinds[code] === candidate))
  if (kind === undefined && (status === 401 || status === 408 || status === 429 || status >= 500)) return null
  const shown = [...new Set(kind === undefined ? codes : known.filter((code) => kinds[code] === kind))].join(', ')
  const why = `${name}: ${shown || 'an unknown error'}`
  switch (kind) {
    case 'auth':
      return new AuthExpired(`${who} no longer accepts the sign-in (${why}). Connect again`, options)
    case 'rate-limited':
      return new RateLimited(`${who} received too many requests (${why})`, options)
    case 'unavailable':
      return new Unavailable(`${who} is temporarily unavailable (${why})`, options)
    case 'rejected':
    case undefined:
      return new GraphqlRefusal(`${who} refused ${why}`, codes, options)
  }
}

/** A code as a message may show it, in upper case: `authentication error` is `AUTHENTICATION_ERROR`. Null for anything else. */
function safeCode(code: string | null): string | null {
  const upper = code?.toUpperCase().replaceAll(' ', '_') ?? ''
  return /^[A-Z0-9_]{1,60}$/.test(upper) ? upper : null
}
