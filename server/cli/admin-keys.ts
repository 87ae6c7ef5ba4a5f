import { resealAccounts, resealProviders, rotateSigningKey, serviceToken } from '../auth/index.ts'
import { resealConnections } from '../features/connections/index.ts'
import { resealReceivers } from '../features/receivers/index.ts'
import { forgetOldKeys, renewKey } from '../platform/secrets/key.ts'
import { withInstallation } from './installation.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const MAX_HOURS = 24 * 365

/**
 * Rotates all keys. Signing: tokens signed with the previous key stay valid. Sealing: the file gets a new key and everything is sealed
 * with it; running processes pick it up automatically. With GROUNDSWELL_KEY the operator changes the variable first.
 */
export function rotateKeys(terminal: Terminal): Promise<void> {
  return withInstallation(terminal, async (services) => {
    const renewed = await renewKey(services.config)
    const key = renewed ?? services.key
    const accounts = await resealAccounts({ ...services, key })
    const connections = await resealConnections({ ...services, key })
    const receivers = await resealReceivers({ ...services, key })
    const providers = await resealProviders({ ...services, key })
    await rotateSigningKey({ ...services, key })
    const all = [accounts, connections, receivers, providers]
    const sealed = all.reduce((sum, one) => sum + one.sealed, 0)
    const lost = all.reduce((sum, one) => sum + one.lost, 0)
    if (renewed && lost === 0) await forgetOldKeys(services.config)
    terminal.stdout.write(`Access tokens are signed with a new key. Nobody is signed out.\n`)
    terminal.stdout.write(`${sealed} secrets are sealed with ${renewed ? 'a new key' : 'the key'} ${key.id}.\n`)
    if (!renewed) {
      terminal.stdout.write(
        'The sealing key comes from GROUNDSWELL_KEY. To change it: put the old one into GROUNDSWELL_OLD_KEYS and a new one into GROUNDSWELL_KEY, restart everything, and run this again.\n',
      )
    }
    if (lost > 0) {
      terminal.stdout.write(`${lost} secrets cannot be opened with any known key: they stay as they are.\n`)
      terminal.exitCode = 1
    }
  })
}

/** Prints a token with which a program can manage accounts at /auth/v1/admin. It cannot be revoked, so it is short-lived. */
export async function printServiceToken(terminal: Terminal, options: { hours: string }): Promise<void> {
  const hours = Number(options.hours)
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_HOURS) {
    throw new UsageError(`--hours is a whole number from 1 to ${MAX_HOURS}.`)
  }
  await withInstallation(terminal, async (services) => {
    terminal.stdout.write(`${await serviceToken(services, hours)}\n`)
  })
}
