import { hashToken, makeToken } from '../sessions/opaque-token.ts'
import type { KeyRow } from './store.ts'

/** The prefix by which people and secret scanners recognise a key. */
const PREFIX = 'gsk_'
const START_LENGTH = PREFIX.length + 4

/** True for a token that can only be an API key. */
export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX)
}

/** A new key of 256 random bits, its hash, and its first characters. Only the last two are stored. */
export function makeApiKey(): { token: string; tokenHash: Buffer; tokenStart: string } {
  const token = `${PREFIX}${makeToken().token}`
  return { token, tokenHash: hashToken(token), tokenStart: token.slice(0, START_LENGTH) }
}

/** How the audit log names a key. */
export function labelOf({ name, tokenStart }: Pick<KeyRow, 'name' | 'tokenStart'>): string {
  return `${name} (${tokenStart}…)`
}
