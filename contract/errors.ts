import * as z from 'zod/mini'

/**
 * Every error that the server returns by name, with its HTTP status. 401 means one thing only: the bearer token is missing or
 * invalid. A refused login or sign-up is 400; a missing second factor is 403; an error from a provider is 422 or 502.
 */
export const errorStatus = {
  invalid_input: 400,
  login_refused: 400,
  signup_refused: 400,
  email_unconfirmed: 400,
  code_refused: 400,
  proof_refused: 400,
  unauthorized: 401,
  forbidden: 403,
  mfa_required: 403,
  sso_required: 403,
  reauthentication_needed: 403,
  signup_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  workspace_changed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  provider_refused: 422,
  not_configured: 422,
  too_many_requests: 429,
  internal: 500,
  provider_unavailable: 502,
  not_ready: 503,
} as const

/** The name of an error, as it is in `code` of an `ErrorBody`. */
export type ErrorCode = keyof typeof errorStatus

/** The body of every response that is not 2xx. `fields` names the invalid inputs, dotted path → reason. */
export const ErrorBody = z.object({
  // Without the annotation the web build keeps this schema, but not the zod that it calls.
  code: z.enum(/* @__PURE__ */ Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** An error that the contract names: thrown anywhere on the server, it reaches the screen with this code and message. */
export class ContractError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined

  constructor(code: ErrorCode, message: string, fields?: Record<string, string>) {
    super(message)
    this.name = 'ContractError'
    this.code = code
    this.fields = fields
  }
}
