import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { AuthExpired } from '../kit/errors.ts'

/** GitHub accepts at most ten minutes; its clock may be behind ours. */
const LIFE_SECONDS = 540
const CLOCK_SKEW_SECONDS = 60

/**
 * The RSA key of a PEM text; null for anything else. Its line breaks may have been lost, as in a form's field of one line, or be written as
 * `\n`, as in an environment variable.
 */
export function readPrivateKey(text: string): KeyObject | null {
  const pem = text.replaceAll('\\n', '\n')
  const [, label = '', content = ''] = /-----BEGIN ((?:RSA )?PRIVATE KEY)-----([^-]*)-----END \1-----/.exec(pem) ?? []
  const lines = content.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  try {
    const key = createPrivateKey(`-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`)
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

/** A JWT that proves to GitHub that a request comes from the app (RS256). */
export function appToken(app: Record<string, string>, now: Date): string {
  const key = readPrivateKey(app.private_key ?? '')
  if (!key) throw new AuthExpired('The private key of the GitHub app cannot be read: save the app again')
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = {
    iat: seconds - CLOCK_SKEW_SECONDS,
    exp: seconds + LIFE_SECONDS - CLOCK_SKEW_SECONDS,
    iss: app.app_id,
  }
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}
