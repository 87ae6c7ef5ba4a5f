import { createHash, randomBytes } from 'node:crypto'
import { open, SealError, seal } from '../../../platform/secrets/seal.ts'
import type { Services } from '../../../platform/services.ts'

/** What a sign-in that was started needs once its code arrives: what was entered before, and the verifier of PKCE. */
export type SignInRequest = { settings: Record<string, unknown>; codeVerifier: string | null }

/** The SHA-256 of a state, which alone is stored. */
export function hashOfState(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

/** A new verifier with its challenge, S256 (RFC 7636). */
export function newVerifier(): { codeVerifier: string; codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url')
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') }
}

/** Seals a request; it opens with its own state only. */
export function sealRequest({ key }: Pick<Services, 'key'>, stateHash: Buffer, request: SignInRequest): string {
  return seal(key, JSON.stringify(request), sealedForState(stateHash))
}

/** Opens a sealed request; null when the key has changed since. A sign-in that was started by an earlier version needs nothing. */
export function openRequest(
  { key }: Pick<Services, 'key'>,
  { stateHash, sealed }: { stateHash: Buffer; sealed: string | null },
): SignInRequest | null {
  if (sealed === null) return { settings: {}, codeVerifier: null }
  try {
    return JSON.parse(open(key, sealed, sealedForState(stateHash))) as SignInRequest
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

function sealedForState(stateHash: Buffer): string {
  return `oauth-state:${stateHash.toString('base64url')}`
}
