import { ContractError } from '@groundswell/contract/errors.ts'
import { hash, verify } from '@node-rs/argon2'
import { MAX_BYTES } from './rules.ts'

const MAX_CONCURRENT = 64

/** argon2id, version 1.3, which are the library's own defaults. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let running = 0
let stranger: Promise<string> | undefined

/** Hashes a password, off the event loop. Refuses when too many wait, so that a flood cannot take all the memory. */
export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password, cost))
}

/** True when the password is the hash's. With no hash it takes as long, and is false. */
export async function checkPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = Buffer.byteLength(password) <= MAX_BYTES
  stranger ??= hash('nobody has this password', cost)
  const against = passwordHash ?? (await stranger)
  const same = await limited(() => verify(against, fits ? password : ''))
  return same && fits && passwordHash !== null
}

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT)
    throw new ContractError('too_many_requests', 'Too many people are signing in: try again')
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
  }
}
