import { createHash, randomBytes } from 'node:crypto'
import { keyFrom, open, seal } from '../../platform/secrets/seal.ts'

/** A new token of 256 random bits, and its hash. Only the hash is stored. */
export function makeToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashToken(token) }
}

/** The SHA-256 of a token. A plain hash is enough: the token is random, so there is nothing to guess. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Seals a text so that only the holder of the token can open it; the stored hash does not help. */
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
