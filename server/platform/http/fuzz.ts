import { ErrorBody, type ErrorCode } from '@groundswell/contract/errors.ts'
import type { Route } from '@groundswell/contract/route.ts'
import fc from 'fast-check'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Attempt, attemptOf, type Known, rightAttemptOf } from './fuzz-input.ts'

type FuzzOptions = {
  /** A valid bearer token for the route, or a function that gets one for each input. */
  token: string | (() => Promise<string>)
  /** How many inputs; by default FUZZ_RUNS of the environment, or 200. */
  runs?: number
  /** Chooses the inputs; by default they are others each time. */
  seed?: number
  /** Values that make the input of this route meaningful, such as ids that exist. */
  known?: Known
}

/** Errors that any call may return, besides those that its route names. */
const ANYWHERE: readonly ErrorCode[] = [
  'invalid_input',
  'unauthorized',
  'forbidden',
  'mfa_required',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
]

/** The first inputs are valid: at most this share of all, and at most this many. A call that succeeds does so in every run, however few inputs it has. */
const RIGHT_SHARE = 0.2
const MAX_RIGHT = 20

/**
 * Calls one route with right inputs, then with inputs that are nearly right and with hostile ones. Throws with the smallest input found that gets a
 * server error, a reply that does not fit its schema, or an error that the contract does not name for the route.
 */
export async function fuzzRoute(app: FastifyInstance, route: Route, options: FuzzOptions): Promise<void> {
  await fuzzAnswers(app, route, options, (answer) => faultOf(route, answer.statusCode, answer.body))
}

/** The same, judged by `fault`: it returns the fault of a reply as text, or null. */
export async function fuzzAnswers(
  app: FastifyInstance,
  route: Route,
  options: FuzzOptions,
  fault: (answer: LightMyRequestResponse) => string | null,
): Promise<void> {
  const numRuns = options.runs ?? Number(process.env.FUZZ_RUNS ?? 200)
  const { known = {}, seed } = options
  const right = fc.sample(rightAttemptOf(route, known), {
    numRuns: Math.min(MAX_RIGHT, Math.ceil(numRuns * RIGHT_SHARE)),
    seed,
  })
  await fc.assert(
    fc.asyncProperty(attemptOf(route, known), async (attempt) => {
      const token = typeof options.token === 'string' ? options.token : await options.token()
      const wrong = fault(await app.inject(requestOf(route, attempt, token)))
      if (wrong) throw new Error(`${route.method} ${attempt.url}: ${wrong}`)
    }),
    { numRuns, seed, examples: right.map((attempt): [Attempt] => [attempt]) },
  )
}

function requestOf(route: Route, attempt: Attempt, token: string): InjectOptions {
  const bearers = { good: `Bearer ${token}`, bad: 'Bearer nobody-has-this', broken: 'Basic \u00e9' }
  const headers: Record<string, string> = {}
  if (attempt.bearer !== 'none') headers.authorization = bearers[attempt.bearer]
  if (attempt.contentType !== null) headers['content-type'] = attempt.contentType
  return {
    method: route.method,
    url: attempt.url,
    headers,
    ...(attempt.payload === null ? {} : { payload: Buffer.from(attempt.payload) }),
  }
}

/** What is wrong with a reply, as text; null if nothing is. */
function faultOf(route: Route, status: number, text: string): string | null {
  if (status === 304) return null
  // A call whose reply is a file returns no JSON.
  if (status === 200 && route.reply.safeParse(text).success) return null
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return `${status} with a body that is not JSON: ${text.slice(0, 200)}`
  }
  if (status >= 200 && status < 300) {
    const fits = route.reply.safeParse(body)
    return fits.success ? null : `${status} does not fit its schema: ${fits.error.message}`
  }
  const error = ErrorBody.safeParse(body)
  if (!error.success) return `${status} with a body that is no error: ${text.slice(0, 200)}`
  const { code } = error.data
  return ANYWHERE.includes(code) || route.errors.includes(code) ? null : `${status} ${code}: ${error.data.message}`
}
