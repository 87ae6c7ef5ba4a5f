import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'

/** Seconds by which the clocks may differ. */
const LEEWAY_SECONDS = 60

const Header = z.object({ alg: z.literal('HS256') })
/** Atlassian does not document the claims: those that are present are verified. */
const Claims = z.object({ exp: z.optional(z.number()), nbf: z.optional(z.number()) })

/**
 * Verifies the bearer token of a webhook, a JWT that Atlassian signs with the secret of the OAuth app. Throws `Rejected`, with a message
 * that contains neither secret nor token. An empty secret verifies nothing.
 */
export function verifyToken(secret: string, { headers }: Pick<ProviderRequest, 'headers'>, now: Date): void {
  if (secret === '') throw new Rejected('The secret of your Atlassian app is not set')
  const { authorization } = headers
  const token = typeof authorization === 'string' ? /^(?:Bearer|JWT) +(\S+)$/i.exec(authorization)?.[1] : undefined
  const [header = '', claims = '', signature = '', ...rest] = token?.split('.') ?? []
  if (!Header.safeParse(decoded(header)).success || rest.length > 0) throw new Rejected('The event has no valid token')
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Rejected('The token of the event is not that of your Atlassian app')
  }
  const times = Claims.safeParse(decoded(claims)).data
  if (!times) throw new Rejected('The event has no valid token')
  const seconds = now.getTime() / 1000
  const isOver = times.exp !== undefined && times.exp + LEEWAY_SECONDS < seconds
  const isEarly = times.nbf !== undefined && times.nbf - LEEWAY_SECONDS > seconds
  if (isOver || isEarly) throw new Rejected('The token of the event is expired, or the clock of this machine is wrong')
}

const decoded = (part: string) => parseJson(Buffer.from(part, 'base64url').toString('utf8'))
