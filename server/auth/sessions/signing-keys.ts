import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK } from 'jose'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { open, SealError, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { notifyProcesses } from './notice-store.ts'
import { insertSigningKey, lockSigningKeys, type SigningKeyRow, signingKeyRows } from './signing-key-store.ts'

/** The keys of an installation: the one that signs, and all that verify by `kid`. */
export type SigningKeys = {
  current: { id: string; key: CryptoKey }
  verifying: ReadonlyMap<string, KeyObject>
  /** What is published, without private parts. */
  published: readonly JWK[]
}

/** The algorithm of access tokens: ECDSA on P-256 with SHA-256. */
export const SIGNING_ALGORITHM = 'ES256'

/** Reads the keys, and creates the first one of an installation. A key that this sealing key does not open is replaced. */
export async function loadSigningKeys(services: Pick<Services, 'db' | 'key' | 'now'>): Promise<SigningKeys> {
  const rows = await withoutWorkspace(services.db.accounts, signingKeyRows)
  const found = await fromRows(services, rows)
  if (found) return found
  const made = await withoutWorkspace(services.db.accounts, async (tx) => {
    await lockSigningKeys(tx)
    const now = await signingKeyRows(tx)
    if (await fromRows(services, now)) return now
    await makeSigningKey(services, tx)
    return signingKeyRows(tx)
  })
  const keys = await fromRows(services, made)
  if (!keys) throw new Error('the new signing key cannot be read')
  return keys
}

/** Creates a new current key. Tokens of the previous one stay valid, so no one is signed out. */
export async function makeSigningKey(services: Pick<Services, 'key' | 'now'>, tx: AccountTx): Promise<string> {
  const id = randomUUID()
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const { kty, crv, x, y } = await exportJWK(pair.publicKey)
  const publicJwk = { kty, crv, x, y, kid: id, alg: SIGNING_ALGORITHM, use: 'sig', key_ops: ['verify'] }
  const sealedPrivate = seal(services.key, await exportPKCS8(pair.privateKey), sealedFor(id))
  await insertSigningKey(tx, { id, publicJwk, sealedPrivate }, services.now())
  await notifyProcesses(tx, 'keys')
  return id
}

/** The context that a key's private part is sealed for: it opens only in its own row. */
export function sealedFor(id: string): string {
  return `signing_key:${id}`
}

async function fromRows(services: Pick<Services, 'key'>, rows: readonly SigningKeyRow[]): Promise<SigningKeys | null> {
  const current = rows.find((row) => row.state === 'current')
  if (!current) return null
  let pkcs8: string
  try {
    pkcs8 = open(services.key, current.sealedPrivate, sealedFor(current.id))
  } catch (error) {
    if (error instanceof SealError && error.reason === 'other-key') return null
    throw error
  }
  const verifying = new Map<string, KeyObject>()
  for (const { id, publicJwk } of rows) verifying.set(id, createPublicKey({ key: publicJwk as JWK, format: 'jwk' }))
  return {
    current: { id: current.id, key: await importPKCS8(pkcs8, SIGNING_ALGORITHM) },
    verifying,
    published: rows.map((row) => row.publicJwk as JWK),
  }
}
