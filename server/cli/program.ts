import { ContractError } from '@groundswell/contract/errors.ts'
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../platform/config/config.ts'
import { readFailure } from '../platform/queue/failure.ts'
import { version } from '../platform/version.ts'
import { addAdmin } from './commands/admin.ts'
import { addEvaluation } from './commands/evaluation.ts'
import { addFeedback } from './commands/feedback.ts'
import { addInstallation } from './commands/installation.ts'
import { addMcp } from './commands/mcp.ts'
import { addModels } from './commands/models.ts'
import { addProcesses } from './commands/processes.ts'
import { ownTerminal, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The command line, in the order of its help. Each command is loaded when it is used, so that `group` needs no database. */
function commandsOf(terminal: Terminal): Command {
  const program = new Command('groundswell')
    .description('Customer feedback in, insights out.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .showHelpAfterError('Try --help.')

  addProcesses(program)
  addFeedback(program, terminal)
  addInstallation(program, terminal)
  addModels(program, terminal)
  addMcp(program, terminal)
  addEvaluation(program, terminal)
  addAdmin(program, terminal)
  return program
}

/** Carries out the command that the process was started with, and sets the exit code. */
export async function runCommandLine(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), ownTerminal())
}

/** Carries out a command, such as `['admin', 'list']`, and returns what its process exits with: 2 for a usage error, 1 for another failure. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await commandsOf(terminal).parseAsync(args, { from: 'user' })
    return terminal.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    terminal.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return (await isRefusal(error)) ? 2 : 1
  }
}

/** True for a usage error; any other error is a failure of the command. */
async function isRefusal(error: unknown): Promise<boolean> {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof ContractError) return true
  if (readFailure(error).kind === 'rejected') return true
  const { BackupError } = await import('../features/backup/index.ts')
  return error instanceof BackupError
}
