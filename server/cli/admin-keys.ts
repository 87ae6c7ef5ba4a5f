import { resealAccounts, rotateSigningKey, serviceToken } from '../auth/index.ts'
import { resealConnections } from '../features/connections/index.ts'
import { resealReceivers } from '../features/receivers/index.ts'
import { forgetOldKeys, renewKey } from '../platform/secrets/key.ts'
import { withInstallation } from './installation.ts'
import { UsageError } from './usage-error.ts'

const MAX_HOURS = 24 * 365

/**
 * Rotates all keys. Signing: tokens signed with the previous key stay valid. Sealing: the file gets a new key and everything is sealed
 * with it; running processes pick it up automatically. With GROUNDSWELL_KEY the operator changes the variable first.
 */
export function rotateKeys(): Promise<void> {
  return withInstallation(async (services) => {
    const renewed = await renewKey(services.config)
    const key = renewed ?? services.key
    const accounts = await resealAccounts({ ...services, key })
    const connections = await resealConnections({ ...services, key })
    const receivers = await resealReceivers({ ...services, key })
    await rotateSigningKey({ ...services, key })
    const sealed = accounts.sealed + connections.sealed + receivers.sealed
    const lost = accounts.lost + connections.lost + receivers.lost
    if (renewed && lost === 0) await forgetOldKeys(services.config)
    process.stdout.write(`Access tokens are signed with a new key. Nobody is signed out.\n`)
    process.stdout.write(`${sealed} secrets are sealed with ${renewed ? 'a new key' : 'the key'} ${key.id}.\n`)
    if (!renewed) {
      process.stdout.write(
        'The sealing key comes from GROUNDSWELL_KEY. To change it: put the old one into GROUNDSWELL_OLD_KEYS and a new one into GROUNDSWELL_KEY, restart everything, and run this again.\n',
      )
    }
    if (lost > 0) {
      process.stdout.write(`${lost} secrets cannot be opened with any known key: they stay as they are.\n`)
      process.exitCode = 1
    }
  })
}

/** Prints a token with which a program can manage accounts at /auth/v1/admin. It cannot be revoked, so it is short-lived. */
export async function printServiceToken(options: { hours: string }): Promise<void> {
  const hours = Number(options.hours)
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_HOURS) {
    throw new UsageError(`--hours is a whole number from 1 to ${MAX_HOURS}.`)
  }
  await withInstallation(async (services) => {
    process.stdout.write(`${await serviceToken(services, hours)}\n`)
  })
}
