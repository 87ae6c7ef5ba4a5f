import * as z from 'zod/mini'
import type { Refreshed } from '../connector.ts'

/** The response of a token endpoint (RFC 6749, section 5.1). `expires_in` is in seconds. */
export const TokenReply = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.optional(z.nullable(z.string())),
  expires_in: z.optional(z.nullable(z.number().check(z.nonnegative()))),
  /** Separated by spaces or commas, or a list. */
  scope: z.optional(z.nullable(z.union([z.string(), z.array(z.string())]))),
})

/** `scopes` null: the provider names none. */
export type Granted = Refreshed & {
  secrets: { access_token: string; refresh_token?: string }
  scopes: readonly string[] | null
}

/** The secrets of a connection from a response to a request of this time, in epoch milliseconds. */
export function grantedTokens(reply: z.infer<typeof TokenReply>, requestedAt: number): Granted {
  const { access_token, refresh_token, expires_in, scope } = reply
  return {
    secrets: { access_token, ...(refresh_token ? { refresh_token } : {}) },
    expiresAt: expires_in ? new Date(requestedAt + expires_in * 1000) : null,
    scopes: typeof scope === 'string' ? scope.split(/[ ,]+/).filter(Boolean) : (scope ?? null),
  }
}
