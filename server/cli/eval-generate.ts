import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { recordOperator } from '../features/audit/index.ts'
import {
  BrokenGrid,
  CannotAnswer,
  openGrid,
  parseGrid,
  type Surroundings,
  type WindowMessage,
  windowsOf,
} from '../features/evaluation/index.ts'
import { exportFeedback } from '../features/feedback/index.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { encodeTexts, openEncoder } from './encode-texts.ts'
import { fileOptions, inputFile, readRows } from './input-file.ts'
import { withInstallation, workspaceOf } from './installation.ts'
import { progressBar } from './progress-bar.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

type GenerateOptions = {
  grid: string
  feedback?: string
  workspace?: string | true
  out?: string
  budget?: string
  estimate?: boolean
}

/** Runs a grid of generators over feedback of a file or a workspace, into a comparison directory. */
export async function generate(terminal: Terminal, options: GenerateOptions): Promise<void> {
  const config = readConfig(terminal.env)
  const grid = await readGrid(pathOf(terminal, options.grid))
  const budget = options.budget === undefined ? null : tokensOf(options.budget)
  const messages = await readMessages(terminal, options)
  const windows = windowsOf(messages, grid)
  if (windows.length === 0) throw new UsageError(`None of ${messages.length} messages is in a window of the grid.`)
  const folder = options.out
    ? pathOf(terminal, options.out)
    : path.join(config.comparisonsDir ?? path.join(config.dataDir, 'comparisons'), grid.name)
  const { surroundings, close } = surroundingsOf(terminal, config)
  try {
    const run = openGrid(grid, windows, { folder, surroundings, budget })
    const { generators, windows: count, messages: read, cells, done, calls, tokens } = await run.estimate()
    print(
      terminal,
      `${grid.name}: ${generators} generators × ${count} windows with ${text(read)} messages: ${text(cells)} answers, ${text(done)} of them finished earlier. ${
        calls === 0 ? 'No model is called' : `About ${text(calls)} calls and ${text(tokens)} tokens`
      }.`,
    )
    if (options.estimate) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const bar = progressBar('Answering', terminal.stderr)
    const outcome = await run.run((at, all) => bar.show(at / all, `${text(at)} of ${text(all)} answers`))
    bar.end()
    for (const { generator, source_id, datetime_from, reason } of outcome.failed) {
      terminal.stderr.write(`${generator}, ${source_id} from ${datetime_from.slice(0, 10)}: ${reason}\n`)
    }
    print(
      terminal,
      `${folder}: ${text(outcome.made)} answers made, ${text(outcome.reused)} kept, ${text(outcome.failed.length)} failed; ${text(outcome.tokens)} tokens used so far.`,
    )
    if (outcome.stopped !== null) throw new Error(`${outcome.stopped} Run it again to resume.`)
    if (outcome.failed.length > 0) terminal.exitCode = 1
  } catch (error) {
    if (error instanceof CannotAnswer) throw new UsageError(error.message)
    throw error
  } finally {
    close()
  }
}

/** The language model and the encoder of this installation's settings. */
export function surroundingsOf(
  { stderr }: Terminal,
  config: Config,
): { surroundings: Surroundings; close: () => void } {
  // Replies are checked as the product does, see `baseEncoderOf`.
  const base = openEncoder({ encoder: config.encoder && { ...config.encoder, adapter: false } })
  return {
    surroundings: {
      llm: config.llm,
      encodeAll: (texts) => encodeTexts(texts, config, stderr),
      encode: async (texts) => (await base?.encode(texts)) ?? null,
      signal: new AbortController().signal,
    },
    close: () => base?.stop(),
  }
}

async function readGrid(file: string) {
  const content = await readFile(file, 'utf8').catch(() => null)
  if (content === null) throw new UsageError(`There is no file ${file}.`)
  try {
    return parseGrid(content)
  } catch (error) {
    if (error instanceof BrokenGrid) throw new UsageError(error.message)
    throw error
  }
}

async function readMessages(terminal: Terminal, { feedback, workspace }: GenerateOptions): Promise<WindowMessage[]> {
  if (feedback !== undefined && workspace !== undefined) throw new UsageError('Choose --feedback or --workspace.')
  return feedback === undefined ? messagesOfWorkspace(terminal, workspace) : messagesOfFile(terminal, feedback)
}

/** What customers wrote in a file; its places are the sources, or the file. */
async function messagesOfFile(terminal: Terminal, argument: string): Promise<WindowMessage[]> {
  const file = await inputFile(terminal, argument)
  const { rows, problems } = await readRows(file, fileOptions(file.name, {}))
  if (problems.length > 0) terminal.stderr.write(`${problems.length} rows could not be read and are left out.\n`)
  const undated = rows.filter(({ item }) => item.dateKnown === false).length
  if (undated > 0) terminal.stderr.write(`${undated} messages have no date: they count as of 1970-01-01.\n`)
  return rows
    .filter(({ item }) => item.role !== 'agent')
    .map(({ line, item: { text, author, at, thread, place } }) => ({
      id: String(line),
      source: place ?? file.name,
      text,
      author,
      at: at.getTime(),
      ...(thread === null ? {} : { thread }),
    }))
}

/** The feedback of a workspace; a source is named as its tile and the place in it. The audit log of the workspace says that it was read. */
function messagesOfWorkspace(terminal: Terminal, workspace: string | true | undefined): Promise<WindowMessage[]> {
  return withInstallation(terminal, async (services) => {
    const email = workspace === true ? undefined : workspace
    const workspaceId = await workspaceOf(services, email, '--workspace')
    const messages: WindowMessage[] = []
    for await (const row of exportFeedback(services, workspaceId)) {
      messages.push({
        id: String(row.id),
        source: [row.source_name ?? row.source, row.place].filter((part) => part !== null).join(', '),
        text: row.text,
        author: row.author,
        at: Date.parse(row.date),
        ...(row.thread === null ? {} : { thread: row.thread }),
      })
    }
    await recordOperator(services, { action: 'feedback.exported', workspaceId })
    terminal.stderr.write(
      'The answers repeat feedback of this workspace. They are files: erasure and retention do not reach them.\n',
    )
    return messages
  })
}

function tokensOf(budget: string): number {
  const tokens = Number(budget)
  if (!Number.isSafeInteger(tokens) || tokens < 0) throw new UsageError('--budget is a number of tokens.')
  return tokens
}

function print({ stdout }: Terminal, line: string): void {
  stdout.write(`${line}\n`)
}

function text(count: number): string {
  return count.toLocaleString('en')
}
