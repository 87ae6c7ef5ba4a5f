import { STATUS_CODES } from 'node:http'
import * as z from 'zod/mini'
import type { Context } from '../../connector.ts'
import { AppRefused, type ConnectorFailure, Unavailable } from '../errors.ts'
import { type JsonCall, jsonCall } from './json-call.ts'

/**
 * How a token endpoint refuses (RFC 6749, section 5.2). Messages do not repeat `description`: it may contain ids of people and requests.
 */
export type TokenRefusal = { status: number; error: string; description: string }

type TokenCall<T extends z.ZodMiniType> = Pick<
  JsonCall<T>,
  'who' | 'name' | 'url' | 'body' | 'schema' | 'limits' | 'headers'
> & {
  /** Tokens are renewed by the app of the workspace or the operator, which the provider may no longer accept; otherwise a person signs in. */
  renews: boolean
  /** The failure where the provider refuses the code, the refresh token or, at a sign-in, the app. */
  refused: (refusal: TokenRefusal) => ConnectorFailure
  /** Reads an error in the provider's own form; null for anything else. Default: `error` and `error_description`. */
  readRefusal?: (body: unknown) => Omit<TokenRefusal, 'status'> | null
  /** The provider's own way to say that it does not accept the app, besides `invalid_client`. */
  isOfApp?: (refusal: TokenRefusal) => boolean
  /** The provider's own way to say that it is temporarily unavailable. */
  isTemporary?: (refusal: TokenRefusal) => boolean
  /** What is wrong with the app, after its name: ` (AADSTS7000215)`. */
  appFault?: (refusal: TokenRefusal) => string
}

type Reply = Parameters<NonNullable<JsonCall<z.ZodMiniType>['failures']>>[0]

const ErrorReply = z.object({
  error: z.string().check(z.minLength(1)),
  error_description: z.optional(z.nullable(z.string())),
})
const PHRASES = new Set(Object.values(STATUS_CODES).map((phrase) => phrase?.toLowerCase()))
const TEMPORARY = new Set(['temporarily_unavailable', 'server_error'])

/**
 * Sends one request to a token endpoint, once. A refusal counts only if it is one of that endpoint: a response that is not, such as the page of a
 * proxy, says nothing about the sign-in, and is `Unavailable`. `AppRefused` where a renewal fails because of the app.
 */
export async function tokenCall<T extends z.ZodMiniType>(
  context: Pick<Context, 'http' | 'signal' | 'now'>,
  { renews, refused, readRefusal = readError, isOfApp, isTemporary, appFault, ...call }: TokenCall<T>,
): Promise<z.infer<T>> {
  const { who, name } = call
  const failures = (reply: Reply) => {
    const { status } = reply.response
    if (!isRefused(status)) return null
    const read = readRefusal(reply.body)
    if (read === null) return outage(who, name, reply)
    const refusal = { ...read, status }
    if (TEMPORARY.has(refusal.error) || isTemporary?.(refusal)) {
      return new Unavailable(`${who} cannot issue tokens at the moment`, reply.options)
    }
    if (renews && (refusal.error === 'invalid_client' || isOfApp?.(refusal))) {
      return appRefused(who, appFault?.(refusal) ?? '')
    }
    return refused(refusal)
  }
  // The server of the tokens knows nothing of the pauses of the API.
  const { http, signal, now } = context
  const { data } = await jsonCall({ http, signal, now }, { ...call, method: 'POST', failures })
  return data
}

/** Whether an `error` is that of a gateway in front of the endpoint, which writes the name of its status there, such as “Forbidden”. */
export const isGatewayError = (error: string) => PHRASES.has(error.toLowerCase())

/** The failure of a renewal where the provider does not accept the app. `fault`: the reason, appended to the sentence. */
export const appRefused = (who: string, fault = '') =>
  new AppRefused(`${who} does not accept the client ID or the secret of the app${fault}. Correct them in its set-up`)

/** The failure for a response that is not one of a token endpoint, so that it says nothing about the sign-in. */
export const outage = (who: string, name: string, { response, options }: Reply) =>
  new Unavailable(`The response to POST ${name} has the status ${response.status}, but is not one of ${who}`, options)

/** Whether a status is a refusal, as opposed to a success, a limit or an outage. */
export const isRefused = (status: number) => status >= 400 && status < 500 && status !== 408 && status !== 429

function readError(body: unknown): Omit<TokenRefusal, 'status'> | null {
  const reply = ErrorReply.safeParse(body).data
  return reply && !isGatewayError(reply.error)
    ? { error: reply.error, description: reply.error_description ?? '' }
    : null
}
