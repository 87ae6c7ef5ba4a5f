import { createHash, randomInt } from 'node:crypto'

/** Without letters that are taken for digits or for each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP = 6

/** How many codes a person has at once. */
const RECOVERY_CODES = 10

/** New codes to be shown once: 24 letters each, 118 bits, so that a plain hash keeps them as safe as they need to be. */
export function makeRecoveryCodes(): string[] {
  const letter = () => LETTERS[randomInt(LETTERS.length)]
  const group = () => Array.from({ length: GROUP }, letter).join('')
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'))
}

/** What is kept of a code: a hash with the account, however the code was typed. */
export function hashRecoveryCode(accountId: string, code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`${accountId}:${letters}`).digest()
}
