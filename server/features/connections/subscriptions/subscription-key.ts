import { createHash, randomBytes } from 'node:crypto'
import { open, SealError, seal } from '../../../platform/secrets/seal.ts'
import type { Services } from '../../../platform/services.ts'

/**
 * What is sealed in a subscription: the key in its address, a secret that the provider may sign with, and the secrets that the
 * connector returned.
 */
export type SubscriptionSecrets = { key: string; secret: string; secrets: Record<string, string> }

type Sealing = Pick<Services, 'key'>

/** A new key and secret, 32 random bytes each. */
export function newSubscriptionSecrets(): SubscriptionSecrets {
  return { key: randomBytes(32).toString('base64url'), secret: randomBytes(32).toString('base64url'), secrets: {} }
}

/** The SHA-256 of a key, by which its connection is found. */
export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Seals the secrets of a subscription as text that opens only for this connection. */
export function sealSubscription({ key }: Sealing, connectionId: string, secrets: SubscriptionSecrets): string {
  return seal(key, JSON.stringify(secrets), sealedForSubscription(connectionId))
}

/** Opens them; null when they are missing, as after a restore without secrets, or were sealed with another key. */
export function openSubscription(
  { key }: Sealing,
  connectionId: string,
  sealed: string | null,
): SubscriptionSecrets | null {
  if (sealed === null) return null
  try {
    return JSON.parse(open(key, sealed, sealedForSubscription(connectionId))) as SubscriptionSecrets
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

/** What the secrets of a subscription are sealed for. */
export function sealedForSubscription(connectionId: string): string {
  return `subscription:${connectionId}`
}
