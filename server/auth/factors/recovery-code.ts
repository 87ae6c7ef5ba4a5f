import { createHash, randomInt } from 'node:crypto'

/** Without letters that look like digits or like each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP = 6

/** How many codes an account has at a time. */
const RECOVERY_CODES = 10

/** New codes to show once: 24 letters each, 118 bits, so that a plain hash is enough to protect them. */
export function makeRecoveryCodes(): string[] {
  const letter = () => LETTERS[randomInt(LETTERS.length)]
  const group = () => Array.from({ length: GROUP }, letter).join('')
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'))
}

/** The stored form of a code: a hash with the account, independent of how the code was typed. */
export function hashRecoveryCode(accountId: string, code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`${accountId}:${letters}`).digest()
}
