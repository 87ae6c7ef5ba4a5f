import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { hashToken } from '../sessions/opaque-token.ts'
import { authBase } from '../site-url.ts'

const NAME = 'groundswell_sign_in'
/**
 * Over https: no other host, such as a sibling domain, can set a cookie of this name. It requires `Secure` and the path `/`.
 */
const SECURE_NAME = `__Host-${NAME}`
const LIFE_SECONDS = 900

type Headers = RequestFacts['headers']

/**
 * Marks the browser that starts a sign-in, so that no one can start one, sign in as themselves, and have another person's
 * browser finish it. One mark serves several tabs. Returns the stored hash and the header that sets the cookie. `path`: where the
 * browser returns to, which matters over http only.
 */
export function markBrowser(
  services: Services,
  headers: Headers,
  path = new URL(authBase(services)).pathname,
): { browserHash: Buffer; setCookie: string } {
  const mark = markOf(services, headers) ?? randomBytes(24).toString('base64url')
  const [name, sentTo, secure] = isHttps(services) ? [SECURE_NAME, '/', '; Secure'] : [NAME, path, '']
  const setCookie = `${name}=${mark}; Path=${sentTo}; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  return { browserHash: hashToken(mark), setCookie }
}

/**
 * True when this browser started the sign-in. A client that is not a browser holds no other person's cookies and does not
 * need one; a page cannot make a browser hide that it is one.
 */
export function isSameBrowser(services: Services, headers: Headers, browserHash: Buffer): boolean {
  const mark = markOf(services, headers)
  if (mark !== null) return timingSafeEqual(hashToken(mark), browserHash)
  return !isBrowser(headers)
}

/** Browsers send `navigate` for page loads, but only over secure connections. */
function isBrowser(headers: Headers): boolean {
  const agent = headers['user-agent']
  return headers['sec-fetch-mode'] === 'navigate' || (typeof agent === 'string' && agent.includes('Mozilla/'))
}

function markOf(services: Services, { cookie }: Headers): string | null {
  if (typeof cookie !== 'string') return null
  const name = isHttps(services) ? SECURE_NAME : NAME
  return new RegExp(`(?:^|; *)${name}=([\\w-]{32})(?:;|$)`).exec(cookie)?.[1] ?? null
}

function isHttps(services: Services): boolean {
  return new URL(authBase(services)).protocol === 'https:'
}
