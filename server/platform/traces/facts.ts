const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,60}$/
const FAILURES: ReadonlySet<unknown> = new Set(['auth', 'rejected', 'rate-limited', 'unavailable', 'aborted'])

const isWord = (value: unknown) => typeof value === 'string' && WORD.test(value)
const isId = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
const isCount = (value: unknown) => Number.isInteger(value)
/** A path as it is registered: the names of its parameters, not their values. */
const isRoute = (value: unknown) => typeof value === 'string' && /^[\w/:.*{}-]{1,200}$/.test(value)
const isFailure = (value: unknown) => FAILURES.has(value) || (typeof value === 'string' && /^[45]\d\d$/.test(value))

/**
 * Everything that a span may contain, and which values are allowed: words of the program, ids and counts. Nothing else leaves the process, because
 * a trace is read by people, and kept on machines, that customers' words are not meant for.
 */
const ALLOWED: Readonly<Record<keyof Facts, (value: unknown) => boolean>> = {
  'http.request.method': isWord,
  'http.route': isRoute,
  'http.response.status_code': isCount,
  'messaging.destination.name': isWord,
  'error.type': isFailure,
  'groundswell.request': isId,
  'groundswell.job': isId,
  'groundswell.attempt': isCount,
  'groundswell.connector': isWord,
  'groundswell.messages': isCount,
  'groundswell.deliveries': isCount,
}

/** What a span says of its work. */
export type Facts = {
  'http.request.method'?: string
  /** As it is registered. */
  'http.route'?: string
  'http.response.status_code'?: number
  /** The kind of job. */
  'messaging.destination.name'?: string
  /** The kind of a failure, or the status of a response. Never a message. */
  'error.type'?: string
  /** The id that is in the log and in `x-request-id`. */
  'groundswell.request'?: string
  /** The id that is in the log. */
  'groundswell.job'?: string
  'groundswell.attempt'?: number
  'groundswell.connector'?: string
  'groundswell.messages'?: number
  'groundswell.deliveries'?: number
}

/** The allowed ones; the others are left out. */
export function allowedFacts(given: Readonly<Record<string, unknown>>): Facts {
  const isAllowed = ([key, value]: [string, unknown]) =>
    Object.hasOwn(ALLOWED, key) && ALLOWED[key as keyof Facts](value)
  return Object.fromEntries(Object.entries(given).filter(isAllowed)) as Facts
}

/** The name of a span if it can be one: a few words of the program, or a method and a route. */
export function allowedName(name: string): string {
  return /^[\w /:.*{}-]{1,200}$/.test(name) ? name : 'unnamed'
}
