import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** `migrate`, `upgrade`, `backup`, `restore` and `doctor`: looking after an installation. */
export function addInstallation(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('bring the database up to date, as the owner that DATABASE_ADMIN_URL names')
    .action(async () => (await import('../migrate.ts')).migrateNow(terminal))

  program
    .command('upgrade')
    .description('bring the database to this version; --check prints what that would do, and changes nothing')
    .option('--check', 'print the pending migrations and the locks they take')
    .action(async ({ check }: { check?: boolean }) => {
      const { checkUpgrade, migrateNow } = await import('../migrate.ts')
      await (check ? checkUpgrade(terminal) : migrateNow(terminal))
    })

  const backupCommand = program
    .command('backup')
    .description('write the whole installation into one file')
    .argument('<file>', 'where to (- is standard output)')
    .option('--secrets', 'include the secrets of connections and the key that seals them; keep such a file safe')
    .action(async (file, options) => (await import('../backup.ts')).backup(terminal, file, options))

  backupCommand
    .command('drill')
    .description('restore a backup into a temporary database, to prove that it can be restored')
    .argument('[file]', 'the backup (default: the newest scheduled one)')
    .action(async (file) => (await import('../backup.ts')).drill(terminal, file))

  program
    .command('restore')
    .description('restore a backup into an empty installation')
    .argument('<file>', 'where from (- is standard input)')
    .action(async (file) => (await import('../backup.ts')).restore(terminal, file))

  program
    .command('doctor')
    .description('check this installation and report problems')
    .action(async () => (await import('../doctor.ts')).doctor(terminal))
}
