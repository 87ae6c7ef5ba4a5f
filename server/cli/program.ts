import { ContractError } from '@groundswell/contract/errors.ts'
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../platform/config/config.ts'
import { readFailure } from '../platform/queue/failure.ts'
import { version } from '../platform/version.ts'
import { ownTerminal, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Adds the options that say how a file is read. */
const withReadingOptions = (command: Command): Command =>
  command
    .option('--header', 'the first line names the columns (default: detected from content)')
    .option('--no-header', 'the first line is data')
    .option('--encoding <encoding>', 'such as utf-8, utf-16le or windows-1252 (default: detected from content)')
    .option(
      '--date-order <order>',
      'day-first or month-first: how to read 03/04/2026 (default: detected from the whole column)',
    )
    .option('--zones <list>', 'what abbreviations of time zones mean, such as IST=+02:00,CST=+08:00')
    .option('--sheet <name>', 'the sheet of a workbook (default: the first one that is not empty)')
    .option('--own-replies <what>', 'context or feedback: what replies of your own side are (default: context)')

/** The command line. Each command is loaded when it is used, so that `group` needs no database. */
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

  program
    .command('serve')
    .description('run the API and the web app without a worker')
    .action(async () => (await import('./serve.ts')).serve())

  program
    .command('worker')
    .description('run a worker without the API')
    .action(async () => (await import('./serve.ts')).work())

  program
    .command('demo')
    .description("run the product with a made-up company's feedback on temporary data")
    .action(async () => (await import('../demo/run.ts')).runDemo())

  withReadingOptions(
    program
      .command('import')
      .description(
        'import the messages of a file, or of the files of a folder, into this installation (- is standard input)',
      )
      .argument('<file>')
      .option('--to <email>', "the account whose workspace receives it (default: the installation's only one)")
      .option('--format <format>', 'csv, tsv, jsonl or text (default: detected from name and content)')
      .option('--text-column <name>', 'the column that holds the message'),
  )
    .option('--source <name>', 'the file source it goes into, or new (default: that of the same file, else a new one)')
    .option('--name <name>', 'what a new source is called (default: as the file)')
    .option('--replace', 'replace text that differs; the earlier text stays stored')
    .option('--keep', 'leave text that differs')
    .action(async (file, options) => (await import('./import.ts')).importFile(terminal, file, options))

  program
    .command('export')
    .description('print all feedback of a workspace as JSONL')
    .option('--from <email>', "the account whose workspace is meant (default: the installation's only one)")
    .option('--output <file>', 'write to a file instead')
    .action(async (options) => (await import('./export.ts')).exportAll(terminal, options))

  withReadingOptions(
    program
      .command('group')
      .description(
        'group the messages of a file or folder as an installation does, without any server (- is standard input)',
      )
      .argument('<file>')
      .option('--format <format>', 'table or json', 'table')
      .option('--input-format <format>', 'csv, tsv, jsonl or text (default: detected from name and content)')
      .option(
        '--text-column <name>',
        'the column that holds the message (default for TSV without a header: the first)',
      ),
  )
    .option('--words', 'compare words alone, without the built-in encoder: faster, and finds less')
    .action(async (file, options) => (await import('./group.ts')).groupFile(terminal, file, options))

  program
    .command('migrate')
    .description('bring the database up to date, as the owner that DATABASE_ADMIN_URL names')
    .action(async () => (await import('./migrate.ts')).migrateNow(terminal))

  program
    .command('upgrade')
    .description('bring the database to this version; --check prints what that would do, and changes nothing')
    .option('--check', 'print the pending migrations and the locks they take')
    .action(async ({ check }: { check?: boolean }) => {
      const { checkUpgrade, migrateNow } = await import('./migrate.ts')
      await (check ? checkUpgrade(terminal) : migrateNow(terminal))
    })

  const backupCommand = program
    .command('backup')
    .description('write the whole installation into one file')
    .argument('<file>', 'where to (- is standard output)')
    .option('--secrets', 'include the secrets of connections and the key that seals them; keep such a file safe')
    .action(async (file, options) => (await import('./backup.ts')).backup(terminal, file, options))

  backupCommand
    .command('drill')
    .description('restore a backup into a temporary database, to prove that it can be restored')
    .argument('[file]', 'the backup (default: the newest scheduled one)')
    .action(async (file) => (await import('./backup.ts')).drill(terminal, file))

  program
    .command('restore')
    .description('restore a backup into an empty installation')
    .argument('<file>', 'where from (- is standard input)')
    .action(async (file) => (await import('./backup.ts')).restore(terminal, file))

  program
    .command('doctor')
    .description('check this installation and report problems')
    .action(async () => (await import('./doctor.ts')).doctor(terminal))

  program
    .command('models')
    .description('language models')
    .command('try')
    .description('score the language model of the settings on labelled messages; stores nothing')
    .argument(
      '[files...]',
      'text and label separated by a tab, or JSON lines (default: the demo company and the four other labelled sets)',
    )
    .option('--estimate', 'only print how many questions and tokens it would take')
    .option('--read', 'have it read the messages and review the insights, instead of judging undecided messages')
    .action(async (files, options) => (await import('./models-try.ts')).tryModels(terminal, files, options))

  program
    .command('mcp')
    .description(
      'serve agents over standard input and output, by calls to the server GROUNDSWELL_URL with GROUNDSWELL_API_KEY',
    )
    .action(async () => (await import('./mcp.ts')).serveStdio(terminal))

  addEvaluation(program, terminal)
  addAdmin(program, terminal)
  return program
}

function addEvaluation(program: Command, terminal: Terminal): void {
  const evaluation = program
    .command('eval')
    .description('compare and grade ways to turn feedback into insights (docs/evaluation.md)')
  evaluation
    .command('generate')
    .description('have each generator of a grid answer each window of feedback, into a comparison directory')
    .requiredOption('--grid <file>', 'generators, sources and windows, as JSON')
    .option('--feedback <file>', 'the feedback, as for import (default: that of a workspace)')
    .option('--workspace [email]', "the account whose workspace it is (default: the installation's only one)")
    .option('--out <folder>', "where to (default: the grid's name in the folder of the comparisons)")
    .option('--budget <tokens>', 'stop before more tokens are used, of all runs into this folder together')
    .option('--estimate', 'only print how many answers, calls and tokens it would take')
    .action(async (options) => (await import('./eval-generate.ts')).generate(terminal, options))

  evaluation
    .command('grade')
    .description('grade the answers of a comparison directory, into one eval session for each generator')
    .requiredOption('--run <folder>', 'the comparison directory')
    .option('--labels <file>', 'what messages are about: text and label separated by a tab, or JSON lines')
    .option('--out <folder>', 'where to (default: the folder of the evals)')
    .option('--judge [models...]', 'also have a language model grade (default: that of the settings); two are compared')
    .option('--judge-repeats <times>', 'how often each judge is asked about the same', '1')
    .option('--budget <tokens>', 'stop before the judges use more tokens')
    .action(async (options) => (await import('./eval-grade.ts')).grade(terminal, options))

  evaluation
    .command('cases')
    .description(
      'list the labelled cases that corrections of a workspace give, if its owner allows that; people’s names are taken out',
    )
    .option('--workspace [email]', "the account whose workspace it is (default: the installation's only one)")
    .option('--out <file>', 'write the cases into this file instead, as JSONL')
    .action(async (options) => (await import('./eval-cases.ts')).listCases(terminal, options))

  evaluation
    .command('run')
    .description(
      "grade the engine, or a model, on cases, and compare with a baseline by McNemar's exact test, one-sided: exit code 1 for a significant regression (p below 0.05, of at least 20 compared cases)",
    )
    .option('--cases <file>', 'the cases, as JSONL (default: those of a workspace, see eval cases)')
    .option('--workspace [email]', "the account whose workspace it is (default: the installation's only one)")
    .option('--generator <file>', 'the generator to grade, as JSON (default: the built-in engine)')
    .option('--model [name]', 'have this model read, and review the insights (default: that of the settings)')
    .option('--words', 'the built-in engine without its encoder')
    .option('--baseline <file>', 'the outcomes to compare with')
    .option('--pin <file>', 'write the outcomes as a baseline')
    .option('--budget <tokens>', 'stop before the model uses more tokens')
    .action(async (options) => (await import('./eval-run.ts')).runOnCases(terminal, options))

  evaluation
    .command('formats')
    .description('print the file formats of evaluation as JSON Schema')
    .option('--out <folder>', 'write a file for each into this folder instead')
    .action(async (options) => (await import('./eval-formats.ts')).writeFormats(terminal, options))
}

function addAdmin(program: Command, terminal: Terminal): void {
  const admin = program.command('admin').description('manage accounts')
  admin
    .command('list')
    .description('list the accounts')
    .action(async () => (await import('./admin.ts')).list(terminal))
  admin
    .command('grant')
    .description('make an account admin')
    .argument('<email>')
    .action(async (email) => (await import('./admin.ts')).grant(terminal, email))
  admin
    .command('revoke')
    .description('take that back')
    .argument('<email>')
    .action(async (email) => (await import('./admin.ts')).revoke(terminal, email))
  admin
    .command('create')
    .description('make an account; the password is read from standard input')
    .argument('<email>')
    .argument('<name>')
    .action(async (email, name) => (await import('./admin.ts')).create(terminal, email, name))
  admin
    .command('rotate-keys')
    .description('rotate the keys that sign tokens and seal secrets; nobody is signed out')
    .action(async () => (await import('./admin-keys.ts')).rotateKeys(terminal))
  admin
    .command('service-token')
    .description('print a token with which a program can manage accounts')
    .option('--hours <hours>', 'how long it is valid', '1')
    .action(async (options) => (await import('./admin-keys.ts')).printServiceToken(terminal, options))
  admin
    .command('sign-out')
    .description('end all sign-ins of an account, or of everyone')
    .argument('[email]')
    .option('--all', 'of everybody')
    .action(async (email, options) => (await import('./admin.ts')).signOut(terminal, email, options))
  admin
    .command('audit')
    .description('print the audit log of the whole installation')
    .option('--format <format>', 'csv or jsonl', 'jsonl')
    .option('--output <file>', 'write to a file instead')
    .action(async (options) => (await import('./admin-audit.ts')).audit(terminal, options))
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
