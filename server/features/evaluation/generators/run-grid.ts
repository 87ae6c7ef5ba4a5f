import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../../platform/files/replace-file.ts'
import { Answerer, type Surroundings } from './answerer.ts'
import { answerCell, Cell, cellNames, estimateCell, reasonOf, runOf, usesEncoder } from './cell.ts'
import { type Generator, labelOf } from './generator.ts'
import type { Grid } from './grid.ts'
import { TokenMeter } from './token-meter.ts'
import type { Window } from './window.ts'

/** Hidden from the lists of files. */
const CELLS = '.cells'
const SPENT = 'spent.json'

type GridEstimate = {
  generators: number
  windows: number
  messages: number
  cells: number
  /** finished in an earlier run */
  done: number
  calls: number
  tokens: number
}

type GridOutcome = {
  /** names of the files in the folder, one for each generator */
  files: string[]
  made: number
  reused: number
  failed: { generator: string; source_id: string; datetime_from: string; reason: string }[]
  tokens: number
  /** why the run ended before all cells were tried; null: it did not */
  stopped: string | null
}

type GridRun = {
  /** What is left to do, before anything is sent. Throws `CannotAnswer` when a generator cannot be used here. */
  estimate(): Promise<GridEstimate>
  /** Answers the remaining cells. A cell is stored once it is finished, so that an interrupted run resumes where it stopped. */
  run(onCell: (done: number, all: number) => void): Promise<GridOutcome>
}

type GridOptions = { folder: string; surroundings: Surroundings; budget?: number | null }

/** Runs a grid over windows into a comparison directory. `budget`: tokens, of all runs into this folder together. */
export function openGrid(
  grid: Pick<Grid, 'generators' | 'repeats'>,
  windows: readonly Window[],
  options: GridOptions,
): GridRun {
  const { folder, surroundings, budget = null } = options
  const cells = path.join(folder, CELLS)
  const all = grid.generators.flatMap((generator) => windows.map((window) => ({ generator, window })))

  /** Where each cell is kept. */
  const keys = async () => {
    const nameOf = await cellNames(grid.generators, surroundings)
    return all.map(({ generator, window }) => path.join(cells, `${nameOf(generator, window, grid.repeats)}.json`))
  }

  return {
    async estimate() {
      const answerer = new Answerer(surroundings, new TokenMeter(0))
      const files = await keys()
      const estimate = {
        generators: grid.generators.length,
        windows: windows.length,
        messages: windows.reduce((sum, { messages }) => sum + messages.length, 0),
        cells: all.length,
        done: 0,
        calls: 0,
        tokens: 0,
      }
      for (const [at, { generator, window }] of all.entries()) {
        if (await readCell(files[at] as string)) estimate.done++
        else {
          const { calls, tokens } = await estimateCell(answerer, { generator, window, repeats: grid.repeats })
          estimate.calls += calls
          estimate.tokens += tokens
        }
      }
      return estimate
    },

    async run(onCell) {
      await mkdir(cells, { recursive: true, mode: 0o700 })
      const files = await keys()
      const found: (Cell | null)[] = await Promise.all(files.map(readCell))
      const spentFile = path.join(cells, SPENT)
      const meter = new TokenMeter(budget, {
        spent: await readSpent(spentFile),
        onSpent: (spent) => replaceFile(spentFile, JSON.stringify({ spent })),
      })
      const answerer = new Answerer(surroundings, meter)
      const outcome: GridOutcome = { files: [], made: 0, reused: 0, failed: [], tokens: 0, stopped: null }
      const open = all.flatMap(({ generator, window }, at) => (found[at] || !usesEncoder(generator) ? [] : [window]))
      const builtIn = all.some(({ generator }, at) => !found[at] && usesEncoder(generator))
      if (builtIn) await answerer.prepare([...new Set(open)])
      for (const [at, { generator, window }] of all.entries()) {
        surroundings.signal.throwIfAborted()
        if (found[at]) outcome.reused++
        else {
          try {
            const cell = await answerCell(answerer, meter, { generator, window, repeats: grid.repeats })
            await replaceFile(files[at] as string, JSON.stringify(cell))
            found[at] = cell
            outcome.made++
          } catch (error) {
            const reason = reasonOf(error)
            if (reason === null) throw error
            const { source_id, datetime_from } = window
            if (!reason.continues) {
              outcome.stopped = reason.text
              break
            }
            outcome.failed.push({ generator: labelOf(generator), source_id, datetime_from, reason: reason.text })
          }
        }
        onCell(at + 1, all.length)
      }
      for (const generator of grid.generators) {
        const runs = all.flatMap((one, at) => (one.generator === generator && found[at] ? [runOf(one, found[at])] : []))
        if (runs.length === 0) continue
        const name = `${slugOf(generator)}.json`
        await replaceFile(path.join(folder, name), `${JSON.stringify({ runs }, null, 1)}\n`)
        outcome.files.push(name)
      }
      outcome.tokens = meter.spent
      return outcome
    },
  }
}

/** A readable file name that no other generator has. */
function slugOf(generator: Generator): string {
  const words =
    labelOf(generator)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const hash = createHash('sha256').update(JSON.stringify(generator)).digest('hex').slice(0, 6)
  return [...words.join('-').slice(0, 60).split('-'), hash].join('-')
}

async function readCell(file: string): Promise<Cell | null> {
  const content = await readJsonOrNull(file)
  const parsed = Cell.safeParse(content)
  return parsed.success ? parsed.data : null
}

async function readSpent(file: string): Promise<number> {
  const parsed = z.object({ spent: z.number().nonnegative() }).safeParse(await readJsonOrNull(file))
  return parsed.success ? parsed.data.spent : 0
}

async function readJsonOrNull(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}
