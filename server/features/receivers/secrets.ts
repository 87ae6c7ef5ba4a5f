import { newSigningSecret, OLD_SECRET_MS } from '@groundswell/connectors/kit/webhooks/standard-webhooks.ts'
import { open, SealError, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'

/** What is sealed in a receiver. The address is a secret because many receivers recognise senders by a key in it. */
export type ReceiverSecrets = { url: string; secret: string; old?: { secret: string; until: string } }

/** The secrets of a new receiver. */
export function newSecrets(url: string): ReceiverSecrets {
  return { url, secret: newSigningSecret() }
}

/** The same with a new signing secret; the one before also signs for a day. */
export function rotated({ url, secret }: ReceiverSecrets, at: Date): ReceiverSecrets {
  const until = new Date(at.getTime() + OLD_SECRET_MS).toISOString()
  return { url, secret: newSigningSecret(), old: { secret, until } }
}

/** The secrets that sign at a time, the current one first. */
export function signingSecrets({ secret, old }: ReceiverSecrets, at: Date): string[] {
  return old !== undefined && Date.parse(old.until) > at.getTime() ? [secret, old.secret] : [secret]
}

/** Seals the secrets of one receiver; they open for this receiver only. */
export function sealReceiver(services: Pick<Services, 'key'>, id: string, secrets: ReceiverSecrets): string {
  return seal(services.key, JSON.stringify(secrets), sealedFor(id))
}

/** The secrets of a receiver; null: no known key opens them, or a backup left them out. */
export function openReceiver(
  services: Pick<Services, 'key'>,
  { id, sealed }: { id: string; sealed: string | null },
): ReceiverSecrets | null {
  if (sealed === null) return null
  try {
    return JSON.parse(open(services.key, sealed, sealedFor(id))) as ReceiverSecrets
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

function sealedFor(id: string): string {
  return `receiver:${id}`
}
