import { ContractError, type ErrorBody, errorStatus } from '@groundswell/contract/errors.ts'
import { errorCode } from '../db/retry.ts'

/** The reply to an error: its status, its body, and whether it is a server error that has to be logged. */
export type ErrorAnswer = { status: number; body: ErrorBody; fault: boolean }

const NO_DATABASE = new Set(['ECONNREFUSED', 'ENOENT', '57P01', '57P03'])
/** Messages of the database driver, without a code, when its connection is lost or cannot be opened. */
const LOST_DATABASE = /^(Connection terminated|timeout exceeded when trying to connect)/

/** Turns anything thrown by a handler into an error of the contract. Server errors reveal no detail. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof ContractError) return answer(error)
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return answer(new ContractError('payload_too_large', 'The body is too large'))
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return answer(new ContractError('unsupported_media_type', 'The body must be JSON (content-type application/json)'))
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return answer(new ContractError('invalid_input', 'The request could not be read'))
  }
  if (NO_DATABASE.has(errorCode(error) ?? '') || (error instanceof Error && LOST_DATABASE.test(error.message))) {
    const restarting = new ContractError('not_ready', 'The database is not available at the moment: try again')
    return { ...answer(restarting), fault: true }
  }
  return { ...answer(new ContractError('internal', 'Something went wrong')), fault: true }
}

function answer(error: ContractError): ErrorAnswer {
  const { code, message, fields } = error
  return { status: errorStatus[code], body: fields ? { code, message, fields } : { code, message }, fault: false }
}
