import { type Booted, boot } from '../boot.ts'
import { listAccounts, workspaceOfAccount } from '../features/accounts/index.ts'
import { readConfig } from '../platform/config/config.ts'
import type { Services } from '../platform/services.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Opens this installation for one command and closes it afterwards, even if the command fails. */
export async function withInstallation<T>({ env }: Terminal, work: (services: Services) => Promise<T>): Promise<T> {
  const config = readConfig(env)
  const booted: Booted = await boot({ ...config, logLevel: env.LOG_LEVEL ? config.logLevel : 'error' })
  try {
    return await work(booted.services)
  } finally {
    await booted.stop()
  }
}

/** The workspace of an account; without an e-mail address, of the only account. `option`: how the command takes the address. */
export async function workspaceOf(
  services: Services,
  email: string | undefined,
  option: '--to' | '--from' | '--workspace',
): Promise<string> {
  const accounts = await listAccounts(services)
  if (accounts.length === 0) {
    throw new UsageError('This installation has no account yet. Sign up first, or: groundswell admin create EMAIL NAME')
  }
  if (email === undefined && accounts.length > 1) {
    throw new UsageError(`There are several accounts: choose one with ${option} EMAIL.`)
  }
  const wanted = email?.trim().toLowerCase()
  const account = accounts.find((candidate) => wanted === undefined || candidate.email === wanted)
  if (!account) throw new UsageError(`There is no account ${email}.`)
  const workspaceId = await workspaceOfAccount(services, account.id)
  if (!workspaceId) throw new UsageError(`${account.email} has no workspace.`)
  return workspaceId
}
