import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * A sealing key: 32 bytes and the short id under which sealed texts name it. `find` knows keys that were in use before, or
 * have come into use since, by their id.
 */
export interface Key {
  id: string
  bytes: Buffer
  find?(id: string): Buffer | null
}

/** Whether a text that was sealed with the key of this id can be opened. */
export function hasKey(key: Key, id: string): boolean {
  return id === key.id || (key.find?.(id) ?? null) !== null
}

/** The id of the key that a text was sealed with; null for anything but a sealed text. */
export function sealingKeyOf(sealed: string): string | null {
  const [version, keyId, text, ...rest] = sealed.split('.')
  if ((version !== VERSION && version !== FIRST_VERSION) || !keyId || text === undefined || rest.length > 0) return null
  return keyId
}

/** A sealed text could not be opened; `reason` is how it failed. */
export class SealError extends Error {
  override name = 'SealError'
  readonly reason: 'malformed' | 'other-key' | 'tampered'

  constructor(reason: SealError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const VERSION = 's2'
/** The format of the first release: the key's id is in front, and is not authenticated. */
const FIRST_VERSION = 's1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Makes a key of 32 bytes. Its id is derived from the bytes, so the same bytes always have the same id. */
export function keyFrom(bytes: Buffer): Key {
  if (bytes.length !== 32) throw new RangeError('a sealing key is exactly 32 bytes')
  const id = createHash('sha256').update('groundswell key id').update(bytes).digest('hex').slice(0, 8)
  return { id, bytes }
}

/**
 * Seals a text with AES-256-GCM under a random nonce, as `s2.<key id>.<base64url>`. The associated data is the key's id and
 * what the text belongs to (for example `connection:<id>`): a sealed text copied to another row does not open there.
 */
export function seal(key: Key, plaintext: string, associatedData: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(`${key.id} ${associatedData}`, 'utf8'))
  const body = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${VERSION}.${key.id}.${body.toString('base64url')}`
}

/**
 * Opens what `seal` returned, in this release or the first, with the same key (or one that it finds) and the same owner, or
 * throws a SealError that names the reason.
 */
export function open(key: Key, sealed: string, associatedData: string): string {
  const [version, keyId, text, ...rest] = sealed.split('.')
  if (
    (version !== VERSION && version !== FIRST_VERSION) ||
    keyId === undefined ||
    text === undefined ||
    rest.length > 0
  ) {
    throw new SealError('malformed', 'this is not a sealed text')
  }
  const body = Buffer.from(text, 'base64url')
  if (body.length < NONCE_BYTES + TAG_BYTES) throw new SealError('malformed', 'the sealed text is cut short')
  const bytes = keyId === key.id ? key.bytes : (key.find?.(keyId) ?? null)
  if (bytes === null) {
    throw new SealError(
      'other-key',
      `sealed with key ${keyId}, but the key in use is ${key.id}: give the old GROUNDSWELL_KEY or secret.key back`,
    )
  }
  const decipher = createDecipheriv('aes-256-gcm', bytes, body.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(version === VERSION ? `${keyId} ${associatedData}` : associatedData, 'utf8'))
  decipher.setAuthTag(body.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new SealError('tampered', 'the sealed text was changed, or belongs to something else', cause)
  }
}
