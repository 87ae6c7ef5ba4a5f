import { ErrorBody, type ErrorCode } from '@groundswell/contract/errors.ts'

/** A call that did not end in 2xx. `status` is 0 when no answer came; `code` is there when our server answered. */
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

/** Reads an answer that is not 2xx. Another server's body is not an error by name: its `message` is kept if it has one. */
export function errorFrom(status: number, body: unknown): CallError {
  const parsed = ErrorBody.safeParse(body)
  if (parsed.success) return new CallError(status, parsed.data.message, parsed.data.code, parsed.data.fields)
  const message =
    typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
      ? body.message
      : `The server answered ${status}.`
  return new CallError(status, message)
}
