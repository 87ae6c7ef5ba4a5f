import { createHmac } from 'node:crypto'

const STEP_SECONDS = 30
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app shows for a base32 secret at that moment (RFC 6238: SHA-1, six digits, 30 seconds). */
export function codeOf(secret: string, at: Date): string {
  let bits = ''
  for (const letter of secret.replaceAll(/[\s=]/g, '')) bits += LETTERS.indexOf(letter).toString(2).padStart(5, '0')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 1000 / STEP_SECONDS)))
  const hash = createHmac('sha1', key).update(counter).digest()
  const start = (hash.at(-1) ?? 0) & 15
  const number = (hash.readUInt32BE(start) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}
