import { type ErrorCode, errorStatus } from '@groundswell/contract/errors.ts'

/** A call without a 2xx. `status` is 0 when there was no response; `code` is set when our server responded. */
export class CallError extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly fields: Record<string, string>

  constructor(status: number, message: string, code?: ErrorCode, fields: Record<string, string> = {}) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** Parses a response that is not 2xx. Another server's body has no error code; its `message` is used if it has one. */
export function errorFrom(status: number, body: unknown): CallError {
  const { code, message, fields } = isRecord(body) ? body : {}
  const text = typeof message === 'string' ? message : `The server answered ${status}.`
  if (typeof message !== 'string' || !isErrorCode(code)) return new CallError(status, text)
  return new CallError(status, text, code, isRecord(fields) ? textsOf(fields) : undefined)
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorStatus, code)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textsOf(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}
