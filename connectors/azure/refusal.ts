import * as z from 'zod/mini'
import type { HttpResponse } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, type FailureOptions, Rejected, Unavailable } from '../kit/errors.ts'

/** A refusal of Azure DevOps. `code` is that of its message, such as `TF401320`, or null. */
export class Refusal extends Rejected {
  readonly status: number
  readonly code: string | null

  constructor(message: string, refused: { status: number; code: string | null }, options: FailureOptions = {}) {
    super(message, options)
    this.status = refused.status
    this.code = refused.code
  }
}

const Body = z.object({
  message: z.optional(z.nullable(z.string())),
  typeKey: z.optional(z.nullable(z.string())),
})

const NO_ITEM = 'TF401232'
const RULE = 'TF401320'
const NO_PROJECT = 'TF200016'
/** The server does not have the requested version of the API. */
const NO_VERSION = 'VssVersionOutOfRange'
/** Someone else changed the item at the same time. */
const CONFLICT = 'TF26071'

/** What Azure's own codes and exceptions mean, in plain words. */
const MEANING: Record<string, string> = {
  [NO_ITEM]: 'The work item no longer exists in Azure DevOps, or the sign-in cannot see it',
  [NO_PROJECT]: 'The project no longer exists in Azure DevOps, or the sign-in cannot see it. Check what is chosen',
  TF200019: 'The project no longer exists in Azure DevOps, or the sign-in cannot see it. Check what is chosen',
  [NO_VERSION]: 'The server does not have the version of the API that it had before. Connect it again',
  TF237111: 'Azure DevOps does not let this sign-in write work items in this area. Choose another area path',
  TF401347: 'The area path no longer exists in Azure DevOps. Choose another one',
  TF51011: 'The area path no longer exists in Azure DevOps. Choose another one',
  TF401289: 'Azure DevOps does not let this sign-in create tags. Allow “Create tag definition” in the project',
}
const EXCEPTIONS: Record<string, string> = {
  WorkItemUnauthorizedAccessException: NO_ITEM,
  WorkItemNotFoundException: NO_ITEM,
  ProjectDoesNotExistException: NO_PROJECT,
  ProjectDoesNotExistWithNameException: NO_PROJECT,
  RuleValidationException: RULE,
  VssVersionOutOfRangeException: NO_VERSION,
  VssInvalidPreviewVersionException: NO_VERSION,
}
const NO_TYPE = 'The work item type no longer exists in the project. Choose another one'

/** Whether an item is gone, in contrast to its project. */
export const isItemGone = (error: unknown): error is Refusal => error instanceof Refusal && error.code === NO_ITEM

/** Whether something does not exist, or may not be read. */
export const isOutOfReach = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.status === 403 || error.status === 404)

/** Whether the server does not have the requested version of the API, or only a preview of it. */
export const isVersionRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === NO_VERSION

/** Whether a rule of the process refused a change. */
export const isRuleRefusal = (error: unknown): error is Refusal => error instanceof Refusal && error.code === RULE

/**
 * Azure's refusals in plain words; null for what the status decides. Its own messages are matched but never repeated, because they may
 * contain the request's content. An expired sign-in can be answered by a redirect to a page, or by that page with status 203.
 */
export function refusalOf(
  name: string,
  { status }: Pick<HttpResponse, 'status'>,
  body: unknown,
  options: FailureOptions,
): ConnectorFailure | null {
  if (status === 203 || (status >= 300 && status < 400)) {
    return new AuthExpired('Azure DevOps no longer accepts the sign-in. Connect again', options)
  }
  if (status === 401) {
    const words = `Azure DevOps did not accept the sign-in (${name}): it is over, or it lacks ${scopeFor(name)}`
    return new AuthExpired(`${words}. Connect again`, options)
  }
  if (status < 400 || status === 408 || status === 429 || status >= 500) return null
  const { message, typeKey } = Body.safeParse(body).data ?? {}
  const code = codeOf(message ?? '', typeKey ?? '')
  if (status === 409 || status === 412 || code === CONFLICT) {
    return new Unavailable(`Someone else changed this in Azure DevOps at the same time (${name})`, options)
  }
  const words = wordsFor(name, status, { code, message: message ?? '', typeKey: typeKey ?? '' })
  return new Refusal(words, { status, code }, options)
}

function codeOf(message: string, typeKey: string): string | null {
  const own = Object.hasOwn(EXCEPTIONS, typeKey) ? EXCEPTIONS[typeKey] : undefined
  return own ?? /^(?:TF|VS)\d{4,8}(?=:)/.exec(message)?.[0] ?? null
}

type Said = { code: string | null; message: string; typeKey: string }

function wordsFor(name: string, status: number, { code, message, typeKey }: Said): string {
  if (code === RULE) return ruleWords(message)
  if (typeKey === 'WorkItemTypeNotFoundException') return NO_TYPE
  if (code !== null && Object.hasOwn(MEANING, code)) return MEANING[code] ?? code
  if (status === 403) {
    return `Azure DevOps does not let this sign-in do this (${name}). It needs ${scopeFor(name)}`
  }
  return `Azure DevOps refused ${name} with status ${status}${code === null ? '' : ` (${code})`}`
}

/** The permission that a call needs, as the page for tokens names it. Signing in with Entra has one more. */
function scopeFor(name: string): string {
  if (/^(?:projects|teams)\./.test(name)) return 'Project and Team (Read)'
  return /^(?:profile|accounts)\./.test(name) ? 'vso.profile' : 'Work Items (Read & write)'
}

/** The name of a field is part of the process, and not what a customer wrote. A value is never repeated. */
function ruleWords(message: string): string {
  const [, field, codes = ''] =
    /Rule Error for field ([\p{L}\p{N} ._()/-]{1,60}?)\. Error code: ([\w, ]+)/u.exec(message) ?? []
  if (field === undefined) return `A rule of the process in Azure DevOps refused the work item (${RULE})`
  if (/\bRequired\b/i.test(codes)) {
    return `Azure DevOps requires the field “${field}” for this type (${RULE}). Choose a value for it, or another type`
  }
  return `Azure DevOps did not accept the value of the field “${field}” (${RULE}). Check what is chosen`
}
