import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import { CannotAnswer, gradeDirectory, NothingToGrade, openJudges } from '../features/evaluation/index.ts'
import { parseLabelled } from '../features/models/index.ts'
import { readConfig } from '../platform/config/config.ts'
import { surroundingsOf } from './eval-generate.ts'
import { progressBar } from './progress-bar.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The options of `eval grade`, as typed. */
export type GradeOptions = {
  run: string
  labels?: string
  out?: string
  /** names of models; true: that of the settings */
  judge?: string[] | true
  judgeRepeats?: string
  budget?: string
}

/** Grades the answers of a comparison directory into one eval session for each generator. */
export async function grade(terminal: Terminal, options: GradeOptions): Promise<void> {
  const config = readConfig(terminal.env)
  const labels = options.labels === undefined ? null : await readLabels(pathOf(terminal, options.labels))
  const judgeRepeats = numberOf('--judge-repeats', options.judgeRepeats ?? '1')
  const budget = options.budget === undefined ? null : numberOf('--budget', options.budget)
  const { surroundings, close } = surroundingsOf(terminal, config)
  try {
    const named = options.judge === true ? [config.llm?.model ?? ''] : (options.judge ?? [])
    const judges = await openJudges(named, surroundings, budget)
    const bars = new Map<string, ReturnType<typeof progressBar>>()
    await gradeDirectory(pathOf(terminal, options.run), {
      out: options.out ? pathOf(terminal, options.out) : (config.evalsDir ?? path.join(config.dataDir, 'evals')),
      labels,
      judges,
      judgeRepeats,
      signal: surroundings.signal,
      onProblem: (filename, reason) => {
        terminal.stderr.write(`${filename} is left out: ${reason}.\n`)
      },
      onPage: (label, done, all) => {
        const bar = bars.get(label) ?? progressBar(label, terminal.stderr)
        bars.set(label, bar)
        bar.show(done / all, `${done} of ${all} windows`)
        if (done === all) bar.end()
      },
      onSession: (file, session) => {
        terminal.stdout.write(`${file}\n${averagesOf(session)}`)
      },
    })
  } catch (error) {
    if (error instanceof CannotAnswer || error instanceof NothingToGrade) throw new UsageError(error.message)
    throw error
  } finally {
    close()
  }
}

/** A line for each evaluator: the mean of its pages. */
function averagesOf({ evaluators, response_evaluations: pages }: EvalSession): string {
  return evaluators
    .map(({ unique_name }, at) => {
      const scores = pages.flatMap((page) => page.rubrics_responses_evaluations[at]?.avg_score ?? [])
      const average = scores.reduce((sum, one) => sum + one, 0) / scores.length
      return `  ${scores.length === 0 ? '   –' : average.toFixed(2)}  ${unique_name ?? ''}\n`
    })
    .join('')
}

async function readLabels(file: string) {
  const content = await readFile(file, 'utf8').catch(() => null)
  if (content === null) throw new UsageError(`There is no file ${file}.`)
  try {
    return parseLabelled(content)
  } catch (error) {
    throw new UsageError(`${path.basename(file)}: ${(error as Error).message}`)
  }
}

function numberOf(option: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new UsageError(`${option} is a whole number from 1.`)
  return number
}
