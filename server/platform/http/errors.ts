import { ContractError, type ErrorBody, errorStatus } from '@groundswell/contract/errors.ts'
import { errorCode } from '../db/retry.ts'

/** What is answered for an error: its status, its body, and whether it is a fault of ours that the log must hold. */
export type ErrorAnswer = { status: number; body: ErrorBody; fault: boolean }

const NO_DATABASE = new Set(['ECONNREFUSED', 'ENOENT', '57P01', '57P03'])
/** What the database driver says without a code when its connection is lost or cannot be had. */
const LOST_DATABASE = /^(Connection terminated|timeout exceeded when trying to connect)/

/** Turns anything thrown while a call was answered into what the contract names. Faults of ours tell no detail. */
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
    const restarting = new ContractError('not_ready', 'The database is not there at the moment: try again')
    return { ...answer(restarting), fault: true }
  }
  return { ...answer(new ContractError('internal', 'Something went wrong')), fault: true }
}

function answer(error: ContractError): ErrorAnswer {
  const { code, message, fields } = error
  return { status: errorStatus[code], body: fields ? { code, message, fields } : { code, message }, fault: false }
}
