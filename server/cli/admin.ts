import { text } from 'node:stream/consumers'
import { needsFirstAdmin, signOutEverywhere } from '../auth/index.ts'
import { createAccount, grantAdmin, listAccounts, revokeAdmin } from '../features/accounts/index.ts'
import { withInstallation } from './installation.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Prints every account, one on a line. */
export function list(terminal: Terminal): Promise<void> {
  return withInstallation(terminal, async (services) => {
    const accounts = await listAccounts(services)
    if (accounts.length === 0) terminal.stdout.write('No accounts yet.\n')
    for (const account of accounts) {
      terminal.stdout.write(`${account.email}\t${account.name}\t${account.isAdmin ? 'admin' : 'member'}\n`)
    }
  })
}

/** Makes the account with this e-mail address an admin. Throws `UsageError` where there is none. */
export function grant(terminal: Terminal, email: string): Promise<void> {
  return withInstallation(terminal, async (services) => {
    if (!(await grantAdmin(services, email))) throw new UsageError(`There is no account ${email}.`)
    terminal.stdout.write(`${email} is admin now.\n`)
  })
}

/** Takes the rights of an admin from the account with this e-mail address. Throws `UsageError` where there is none. */
export function revoke(terminal: Terminal, email: string): Promise<void> {
  return withInstallation(terminal, async (services) => {
    if (!(await revokeAdmin(services, email))) throw new UsageError(`There is no account ${email}.`)
    terminal.stdout.write(`${email} is no longer admin.\n`)
  })
}

/** Without an e-mail address, `--all` is required. */
export function signOut(terminal: Terminal, email: string | undefined, options: { all?: boolean }): Promise<void> {
  if ((email === undefined) !== (options.all ?? false)) throw new UsageError('Give an e-mail address, or --all.')
  return withInstallation(terminal, async (services) => {
    const ended = await signOutEverywhere(services, email ?? null)
    if (ended === null) throw new UsageError(`There is no account ${email}.`)
    terminal.stdout.write(`${ended} sign-ins have ended.\n`)
  })
}

/** The password is read from standard input, so that it is in no shell history and no process list. */
export async function create(terminal: Terminal, email: string, name: string): Promise<void> {
  if (terminal.stdin.isTTY) terminal.stderr.write('Password, then Ctrl-D: ')
  const password = (await text(terminal.stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new UsageError('Give the password on standard input.')
  await withInstallation(terminal, async (services) => {
    const isAdmin = await needsFirstAdmin(services)
    await createAccount(services, { email: email.trim().toLowerCase(), name, password, isAdmin })
    terminal.stdout.write(`${email} can sign in now${isAdmin ? ' and is admin, as the first one' : ''}.\n`)
  })
}
