import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

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

/** `import`, `export` and `group`: feedback from and to files. */
export function addFeedback(program: Command, terminal: Terminal): void {
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
    .action(async (file, options) => (await import('../import.ts')).importFile(terminal, file, options))

  program
    .command('export')
    .description('print all feedback of a workspace as JSONL')
    .option('--from <email>', "the account whose workspace is meant (default: the installation's only one)")
    .option('--output <file>', 'write to a file instead')
    .action(async (options) => (await import('../export.ts')).exportAll(terminal, options))

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
    .action(async (file, options) => (await import('../group.ts')).groupFile(terminal, file, options))
}
