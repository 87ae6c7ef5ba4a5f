import { ContractError, type ErrorBody, type ErrorCode, errorStatus } from '@groundswell/contract/errors.ts'
import { type Unavailability, unavailability } from '../db/unavailable.ts'
import { sizeText } from './body.ts'

/** A refusal that ends automatically after a number of seconds. */
export class RetryLater extends ContractError {
  readonly seconds: number

  constructor(code: ErrorCode, message: string, seconds: number) {
    super(code, message)
    this.seconds = seconds
  }
}

/**
 * The reply to an error: its status, its body, and whether it is a server error that has to be logged. `retryAfter`: in how many seconds the same
 * call may succeed, where that is known.
 */
export type ErrorAnswer = { status: number; body: ErrorBody; fault: boolean; retryAfter?: number }

/** What a client is told: none of these is its fault, and all but the full disk end without anyone's doing. */
const UNAVAILABLE: Readonly<Record<Unavailability, string>> = {
  down: 'The database is not available at the moment: try again',
  busy: 'The database is busy at the moment: try again',
  full: 'The database has no space left: nothing can be stored until there is room',
  'read-only': 'The database accepts no changes at the moment: try again',
  slow: 'The database took too long: try again',
}

/** Most temporary outages end within seconds. */
const UNAVAILABLE_SECONDS = 5

/** Turns anything thrown by a handler into an error of the contract. Server errors reveal no detail. `bodyLimit`: of the call, in bytes. */
export function errorAnswer(error: unknown, bodyLimit?: number): ErrorAnswer {
  if (error instanceof RetryLater) return { ...answer(error), retryAfter: error.seconds }
  if (error instanceof ContractError) return answer(error)
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return answer(new ContractError('payload_too_large', tooLarge(bodyLimit)))
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return answer(new ContractError('unsupported_media_type', 'The body must be JSON (content-type application/json)'))
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return answer(new ContractError('invalid_input', 'The request could not be read'))
  }
  const reason = unavailability(error)
  if (reason !== null) {
    const retryAfter = reason === 'full' ? {} : { retryAfter: UNAVAILABLE_SECONDS }
    return { ...answer(new ContractError('not_ready', UNAVAILABLE[reason])), ...retryAfter, fault: true }
  }
  return { ...answer(new ContractError('internal', 'Something went wrong')), fault: true }
}

function tooLarge(limit: number | undefined): string {
  return limit === undefined ? 'The body is too large' : `The body is too large: it may have at most ${sizeText(limit)}`
}

function answer(error: ContractError): ErrorAnswer {
  const { code, message, fields } = error
  return { status: errorStatus[code], body: fields ? { code, message, fields } : { code, message }, fault: false }
}
