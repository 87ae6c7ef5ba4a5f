import pg from 'pg'

/**
 * Why the database could not do what was asked, although nothing was wrong with it. `down`: it cannot be reached, or the connection was lost; `busy`: it
 * has no free connection, or another transaction holds a lock; `full`: it has no disk or memory left; `read-only`: it is a standby; `slow`: the
 * statement took longer than it may.
 */
export type Unavailability = 'down' | 'busy' | 'full' | 'read-only' | 'slow'

/** A transaction could not begin, for the reason in `cause`: nothing has been done yet. */
export class NotBegun extends Error {
  override name = 'NotBegun'

  constructor(cause: unknown) {
    super(`the transaction could not begin: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Marks errors of the connection itself: codes such as ECONNRESET may be those of any other connection. */
const LOST = Symbol('the connection to the database failed')

/** Classes and codes of PostgreSQL's errors: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BY_CODE: Readonly<Record<string, Unavailability>> = {
  '08': 'down',
  '28': 'down',
  '25P03': 'down',
  '3D000': 'down',
  '57P': 'down',
  '53': 'full',
  '53300': 'busy',
  '53400': 'busy',
  '55P03': 'busy',
  '58030': 'full',
  '25006': 'read-only',
  '57014': 'slow',
}
/** The pool has no free connection, or the pooler in front of the server refuses one. */
const NO_CONNECTION = /^(timeout exceeded when trying to connect|no more connections allowed|query_wait_timeout)/

/** What the driver says of a statement on a connection that has already failed. */
const NOT_QUERYABLE =
  /^(Connection terminated|Client (was closed|has encountered a connection error) and is not queryable)/

/** Returns the same error, known from here on as one of the connection. */
export function asLost<E>(error: E): E {
  if (typeof error === 'object' && error !== null && Object.isExtensible(error)) {
    Object.defineProperty(error, LOST, { value: true, configurable: true })
  }
  return error
}

/** What kept the database from doing something; null for any other error. */
export function unavailability(error: unknown): Unavailability | null {
  if (error instanceof Error && NO_CONNECTION.test(error.message)) return 'busy'
  if (error instanceof Error && NOT_QUERYABLE.test(error.message)) return 'down'
  if (error instanceof NotBegun) return unavailability(error.cause) ?? 'down'
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error
    return BY_CODE[code] ?? BY_CODE[code.slice(0, 3)] ?? BY_CODE[code.slice(0, 2)] ?? null
  }
  return typeof error === 'object' && error !== null && LOST in error ? 'down' : null
}
