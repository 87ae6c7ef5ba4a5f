import { createHash, randomBytes } from 'node:crypto'

/** A new bearer token of 256 random bits, and the hash under which it is kept: the token itself is stored nowhere. */
export function makeToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashToken(token) }
}

/** The SHA-256 of a token. A plain hash is enough: the token is random, so there is nothing to guess. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
