import type { ErrorCode } from '@groundswell/contract/errors.ts'

/**
 * A call that failed. `code` is that of the contract, or `no_answer`: the server could not be reached or its answer was not understood.
 * `status` is that of HTTP; 0 without an answer. `fields` names invalid inputs. `retryAfter`: for how many seconds the server asked to wait.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode | 'no_answer'
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly retryAfter: number | null

  constructor(
    {
      code,
      status,
      message,
      fields = {},
      retryAfter = null,
    }: {
      code: ErrorCode | 'no_answer'
      status: number
      message: string
      fields?: Record<string, string> | undefined
      retryAfter?: number | null
    },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.code = code
    this.status = status
    this.fields = fields
    this.retryAfter = retryAfter
  }
}
