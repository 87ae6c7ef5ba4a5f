import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ENGINE_VERSION } from '@groundswell/engine/index.ts'
import {
  ALPHA,
  Baseline,
  BrokenCases,
  BudgetReached,
  baselineOf,
  CannotAnswer,
  type Case,
  type Comparison,
  compare,
  Generator,
  labelOf,
  MIN_CASES,
  type Outcome,
  parseCases,
  runCases,
} from '../features/evaluation/index.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { casesOfWorkspace } from './eval-cases.ts'
import { surroundingsOf } from './eval-generate.ts'
import { progressBar } from './progress-bar.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The options of `eval run`, as typed. */
export type RunOptions = {
  cases?: string
  /** true: the installation's only one */
  workspace?: string | true
  generator?: string
  /** true: that of the settings */
  model?: string | true
  words?: boolean
  baseline?: string
  pin?: string
  budget?: string
}

const MAX_NAMED = 20

/** Grades a generator on cases, compares the outcome with a baseline, and sets exit code 1 for a significant regression. */
export async function runOnCases(terminal: Terminal, options: RunOptions): Promise<void> {
  const config = readConfig(terminal.env)
  const generator = await generatorOf(terminal, options, config)
  const budget = options.budget === undefined ? null : Number(options.budget)
  if (budget !== null && (!Number.isSafeInteger(budget) || budget < 0))
    throw new UsageError('--budget is a number of tokens.')
  const baseline = options.baseline === undefined ? null : await readBaseline(pathOf(terminal, options.baseline))
  const cases = await casesOf(terminal, options)
  if (cases.length === 0) throw new UsageError('There are no cases.')
  const { surroundings, close } = surroundingsOf(terminal, config)
  const bar = progressBar('Grading', terminal.stderr)
  try {
    const { outcomes, tokens } = await runCases(cases, generator, {
      surroundings,
      budget,
      onCase: (done, all) => bar.show(done / all, `${done} of ${all} cases`),
    })
    bar.end()
    const comparison = baseline && compare(outcomes, baseline)
    terminal.stdout.write(
      `${labelOf(generator)}, engine ${ENGINE_VERSION}${tokens > 0 ? `, ${tokens.toLocaleString('en')} tokens` : ''}\n${tableOf(outcomes, baseline, comparison)}`,
    )
    if (comparison) terminal.stdout.write(verdictOf(comparison))
    if (options.pin !== undefined) {
      const space = (await surroundings.encodeAll([]))?.space ?? null
      const pinned = baselineOf(outcomes, {
        generator,
        engine_version: String(ENGINE_VERSION),
        encoder: generator.llm_model_name === 'words' && generator.method === 'built-in' ? null : space,
      })
      await writeFile(pathOf(terminal, options.pin), `${JSON.stringify(pinned, null, 2)}\n`)
    }
    if (comparison?.verdict === 'regression') terminal.exitCode = 1
  } catch (error) {
    bar.end()
    if (error instanceof CannotAnswer || error instanceof BudgetReached) throw new UsageError(error.message)
    throw error
  } finally {
    close()
  }
}

async function generatorOf(
  terminal: Terminal,
  { generator, model, words }: RunOptions,
  config: Config,
): Promise<Generator> {
  if ([generator, model, words].filter((one) => one !== undefined).length > 1)
    throw new UsageError('Choose one of --generator, --model and --words.')
  if (generator === undefined) {
    const name = model === true ? config.llm?.model : model
    if (model !== undefined && name === undefined)
      throw new UsageError('No language model is set up: set LLM_MODEL and LLM_URL (docs/models.md).')
    return Generator.parse({
      method: name === undefined ? 'built-in' : 'read-group-review',
      llm_model_name: name ?? (words ? 'words' : 'sentences'),
      response_class: 'IssueName',
    })
  }
  const parsed = Generator.safeParse(await readJson(pathOf(terminal, generator)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`${path.basename(generator)}: ${issue?.path.join('.') || 'the generator'}: ${issue?.message}`)
}

async function casesOf(terminal: Terminal, { cases, workspace }: RunOptions): Promise<Case[]> {
  if (cases !== undefined && workspace !== undefined) throw new UsageError('Choose --cases or --workspace.')
  if (cases === undefined) return casesOfWorkspace(terminal, workspace)
  try {
    return parseCases(await readText(pathOf(terminal, cases)))
  } catch (error) {
    if (error instanceof BrokenCases) throw new UsageError(`${path.basename(cases)}: ${error.message}`)
    throw error
  }
}

async function readBaseline(file: string): Promise<Baseline> {
  const parsed = Baseline.safeParse(await readJson(file))
  if (parsed.success) return parsed.data
  throw new UsageError(`${path.basename(file)} is no baseline: write one with --pin.`)
}

async function readJson(file: string): Promise<unknown> {
  const content = await readText(file)
  try {
    return JSON.parse(content)
  } catch {
    throw new UsageError(`${path.basename(file)} is not JSON.`)
  }
}

async function readText(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch(() => null)
  if (content === null) throw new UsageError(`There is no file ${file}.`)
  return content
}

/** A row for each kind of correction, and one for all. */
function tableOf(outcomes: readonly Outcome[], baseline: Baseline | null, comparison: Comparison | null): string {
  const before = new Map(baseline?.cases.map(({ id, passed }) => [id, passed]))
  const kinds = [...new Set(outcomes.map(({ kind }) => kind)), null]
  const rows = kinds.map((wanted) => {
    const own = outcomes.filter(({ kind }) => wanted === null || kind === wanted)
    const of = (some: readonly Outcome[] = []) => some.filter(({ kind }) => wanted === null || kind === wanted).length
    return [
      wanted ?? 'all',
      own.length,
      own.filter(({ passed }) => passed).length,
      own.filter(({ passed }) => passed === null).length,
      ...(comparison
        ? [own.filter(({ id }) => before.get(id)).length, of(comparison.worse), of(comparison.better)]
        : []),
    ]
  })
  const head = ['', 'cases', 'passed', 'not graded', ...(comparison ? ['passed before', 'worse', 'better'] : [])]
  const line = (cells: readonly (string | number)[]) =>
    `${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(8) : String(cell).padStart(Math.max(8, String(head[at]).length + 2)))).join('')}\n`
  return [head, ...rows].map(line).join('')
}

function verdictOf({ compared, changed, unknown, worse, better, p, verdict }: Comparison): string {
  const leftOut = [
    ...(changed > 0 ? [`${changed} changed since`] : []),
    ...(unknown > 0 ? [`${unknown} not in the baseline`] : []),
  ]
  const sentences = {
    regression: 'a significant regression',
    'no regression': 'no significant regression',
    'too few cases': `too few cases to decide: at least ${MIN_CASES} are needed`,
  }[verdict]
  const named = worse.slice(0, MAX_NAMED).map(({ id, reason }) => `  worse: ${id}: ${reason}\n`)
  const more = worse.length > MAX_NAMED ? `  and ${worse.length - MAX_NAMED} more\n` : ''
  return `${named.join('')}${more}McNemar's exact test, one-sided: ${worse.length} of ${compared} compared cases are worse, ${better.length} better${
    leftOut.length > 0 ? ` (left out: ${leftOut.join(', ')})` : ''
  }; p = ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}, alpha = ${ALPHA}: ${sentences}.\n`
}
