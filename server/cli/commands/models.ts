import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** `models try`: how well a language model does. */
export function addModels(program: Command, terminal: Terminal): void {
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
    .action(async (files, options) => (await import('../models-try.ts')).tryModels(terminal, files, options))
}
