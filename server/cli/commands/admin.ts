import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** `admin …`: accounts, keys and the audit log. */
export function addAdmin(program: Command, terminal: Terminal): void {
  const admin = program.command('admin').description('manage accounts')
  admin
    .command('list')
    .description('list the accounts')
    .action(async () => (await import('../admin.ts')).list(terminal))
  admin
    .command('grant')
    .description('make an account admin')
    .argument('<email>')
    .action(async (email) => (await import('../admin.ts')).grant(terminal, email))
  admin
    .command('revoke')
    .description('take that back')
    .argument('<email>')
    .action(async (email) => (await import('../admin.ts')).revoke(terminal, email))
  admin
    .command('create')
    .description('make an account; the password is read from standard input')
    .argument('<email>')
    .argument('<name>')
    .action(async (email, name) => (await import('../admin.ts')).create(terminal, email, name))
  admin
    .command('rotate-keys')
    .description('rotate the keys that sign tokens and seal secrets; nobody is signed out')
    .action(async () => (await import('../admin-keys.ts')).rotateKeys(terminal))
  admin
    .command('service-token')
    .description('print a token with which a program can manage accounts')
    .option('--hours <hours>', 'how long it is valid', '1')
    .action(async (options) => (await import('../admin-keys.ts')).printServiceToken(terminal, options))
  admin
    .command('sign-out')
    .description('end all sign-ins of an account, or of everyone')
    .argument('[email]')
    .option('--all', 'of everybody')
    .action(async (email, options) => (await import('../admin.ts')).signOut(terminal, email, options))
  admin
    .command('audit')
    .description('print the audit log of the whole installation')
    .option('--format <format>', 'csv or jsonl', 'jsonl')
    .option('--output <file>', 'write to a file instead')
    .action(async (options) => (await import('../admin-audit.ts')).audit(terminal, options))
}
