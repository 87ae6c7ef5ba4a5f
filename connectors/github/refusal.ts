import type { HttpResponse } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, type FailureOptions, Rejected } from '../kit/errors.ts'
import { first, forbiddenOrTooMany, type LimitReader, waitHeader } from '../kit/http/rate-limits.ts'
import { ErrorReply, FieldError } from './schema.ts'

/** The message where an owner of the account has suspended the app. */
export const SUSPENDED =
  'The installation of the app is suspended on GitHub. Ask an owner of the account to unsuspend it, then connect again'

/** The message where the sign-in lacks the permission to write issues. */
export const NOT_WRITABLE =
  'The sign-in may not do this on GitHub. Give it the permission Issues: read and write for the repository'

/**
 * Why GitHub refused a request. `missing`: it is not there, or the sign-in may not see it; GitHub does not tell these apart. `deleted`:
 * an issue that was there. `moved`: elsewhere, also after following redirects.
 */
type Why = 'missing' | 'deleted' | 'moved' | 'issues-off' | 'locked' | 'not-allowed' | 'invalid' | 'other'

/** A final refusal of GitHub with its reason. */
export class Refusal extends Rejected {
  readonly why: Why

  constructor(why: Why, message: string, options: FailureOptions = {}) {
    super(message, options)
    this.why = why
  }
}

/** What was requested is at another address now: a repository was renamed, or an issue transferred. */
export class Moved extends Refusal {
  readonly location: string

  constructor(location: string, options: FailureOptions) {
    super('moved', 'What was requested from GitHub is at another address now', options)
    this.location = location
  }
}

const REDIRECTS = new Set([301, 302, 307, 308])
const TOO_QUICK_SECONDS = 60

/** Content that is created too quickly is refused as if it were invalid, besides GitHub's other limits. */
const tooQuick: LimitReader = (response, now) => {
  const isQuick = [403, 422].includes(response.status) && response.body.includes('was submitted too quickly')
  return isQuick ? (waitHeader()(response, now) ?? TOO_QUICK_SECONDS) : null
}

/** The primary limit has the time of its reset, a secondary one `Retry-After`, or nothing but a message. */
export const limits: LimitReader = first(forbiddenOrTooMany, tooQuick)

type FailedReply = { response: HttpResponse; body: unknown; options: FailureOptions }

/** GitHub's own refusals; null where the status says it all. `name` is that of the call. */
export function refusalOf(name: string, { response, body, options }: FailedReply): ConnectorFailure | null {
  const { status, headers } = response
  if (REDIRECTS.has(status)) return new Moved(headers['location'] ?? '', options)
  if (status < 400 || status >= 500 || [401, 408, 429].includes(status)) return null
  const reply = ErrorReply.safeParse(body).data
  const message = reply?.message ?? ''
  if (status === 403) return forbidden(name, message, options)
  if (status === 404) return new Refusal('missing', `GitHub found nothing for ${name}, or hides it`, options)
  if (status === 410) {
    return /disabled/i.test(message)
      ? new Refusal('issues-off', 'Issues are switched off in the repository: switch them on in its settings', options)
      : new Refusal('deleted', 'It was deleted on GitHub', options)
  }
  if (status === 422) return new Refusal('invalid', invalidText(name, reply?.errors ?? []), options)
  return new Refusal('other', `GitHub answered ${status} to ${name}: it refused the request`, options)
}

function forbidden(name: string, message: string, options: FailureOptions): ConnectorFailure {
  if (/suspended/i.test(message)) return new AuthExpired(SUSPENDED, options)
  if (/archived/i.test(message)) {
    return new Refusal('not-allowed', 'The repository is archived on GitHub: choose another one', options)
  }
  if (/locked/i.test(message))
    return new Refusal('locked', 'The conversation of the issue is locked on GitHub', options)
  if (/SAML/.test(message)) {
    const message = 'The organization requires single sign-on: authorize the token for it on GitHub'
    return new Refusal('not-allowed', message, options)
  }
  if (/forbids access via/i.test(message)) {
    const message = 'The organization does not accept this kind of token: use one that its settings allow, or the app'
    return new Refusal('not-allowed', message, options)
  }
  if (/IP allow list/i.test(message)) {
    const message = 'The organization allows only certain IP addresses: ask its owner to allow that of this server'
    return new Refusal('not-allowed', message, options)
  }
  if (/^Resource not accessible by/i.test(message)) {
    return new Refusal('not-allowed', NOT_WRITABLE, options)
  }
  return new Refusal('other', `GitHub does not allow ${name}`, options)
}

/** Names the fields that GitHub refused, never their values. */
function invalidText(name: string, errors: readonly unknown[]): string {
  const fields = errors
    .map((error) => FieldError.safeParse(error).data?.field ?? '')
    .filter((field) => /^[a-z_]{1,30}$/.test(field))
  if (fields.length === 0) return `GitHub considers the content of ${name} invalid`
  return `GitHub refused these fields of ${name}: ${[...new Set(fields)].join(', ')}. Open the choices and choose again`
}
