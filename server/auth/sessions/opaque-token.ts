import { createHash, randomBytes } from 'node:crypto'
import { keyFrom, open, seal } from '../../platform/secrets/seal.ts'

/** A new token of 256 random bits, and the hash under which it is kept: the token itself is stored nowhere. */
export function makeToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashToken(token) }
}

/** The SHA-256 of a token. A plain hash is enough: the token is random, so there is nothing to guess. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Seals a text so that only who holds the token can open it; what is stored of the token does not help. */
export function sealWithToken(token: string, text: string): string {
  return seal(keyOf(token), text, 'refresh token')
}

/** Opens what `sealWithToken` made with the same token. */
export function openWithToken(token: string, sealed: string): string {
  return open(keyOf(token), sealed, 'refresh token')
}

function keyOf(token: string) {
  return keyFrom(createHash('sha256').update('groundswell next refresh token').update(token).digest())
}
