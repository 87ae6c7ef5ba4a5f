import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** `eval …`: comparing and grading ways to turn feedback into insights. */
export function addEvaluation(program: Command, terminal: Terminal): void {
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
    .action(async (options) => (await import('../eval-generate.ts')).generate(terminal, options))

  evaluation
    .command('grade')
    .description('grade the answers of a comparison directory, into one eval session for each generator')
    .requiredOption('--run <folder>', 'the comparison directory')
    .option('--labels <file>', 'what messages are about: text and label separated by a tab, or JSON lines')
    .option('--out <folder>', 'where to (default: the folder of the evals)')
    .option('--judge [models...]', 'also have a language model grade (default: that of the settings); two are compared')
    .option('--judge-repeats <times>', 'how often each judge is asked about the same', '1')
    .option('--budget <tokens>', 'stop before the judges use more tokens')
    .action(async (options) => (await import('../eval-grade.ts')).grade(terminal, options))

  evaluation
    .command('cases')
    .description(
      'list the labelled cases that corrections of a workspace give, if its owner allows that; people’s names are taken out',
    )
    .option('--workspace [email]', "the account whose workspace it is (default: the installation's only one)")
    .option('--out <file>', 'write the cases into this file instead, as JSONL')
    .action(async (options) => (await import('../eval-cases.ts')).listCases(terminal, options))

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
    .action(async (options) => (await import('../eval-run.ts')).runOnCases(terminal, options))

  evaluation
    .command('formats')
    .description('print the file formats of evaluation as JSON Schema')
    .option('--out <folder>', 'write a file for each into this folder instead')
    .action(async (options) => (await import('../eval-formats.ts')).writeFormats(terminal, options))
}
