import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { textsToEncode } from '@groundswell/engine/index.ts'
import { type LabelledMessage, loadTrials } from '../features/models/index.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { encodeTexts, openEncoder } from './encode-texts.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

type TryOptions = { estimate?: boolean; read?: boolean }

const ROOT = path.resolve(import.meta.dirname, '../..')
const DEMO = { name: 'demo company', file: path.join(ROOT, 'connectors/sandbox/company/feedback.jsonl') }
/** Part of a checkout, not of an installation from a package. */
const COMPANIES_FOLDER = path.join(ROOT, 'bench/engine/companies')
const COMPANIES = [
  { name: 'hotel software, letters', file: 'hotel.jsonl' },
  { name: 'developer tool, chat', file: 'devtool.jsonl' },
  { name: 'fitness app, reviews', file: 'fitness.jsonl' },
  { name: 'web shops, support chat', file: 'shop.jsonl' },
].map(({ name, file }) => ({ name, file: path.join(COMPANIES_FOLDER, file) }))

/**
 * Asks the language model of the settings what the engine would ask it about labelled messages, and prints how often it was right and what
 * came of it. `read`: has it read them, and review and name the insights, instead. Without files: about our labelled sets, the demo company and four others.
 * Stores nothing.
 */
export async function tryModels(terminal: Terminal, files: readonly string[], options: TryOptions): Promise<void> {
  const config = readConfig(terminal.env)
  const { llm } = config
  if (!llm) throw new UsageError('No language model is set up: set LLM_MODEL and LLM_URL (docs/models.md).')
  const sets =
    files.length === 0
      ? ownSets(terminal)
      : files.map((argument) => ({ name: path.basename(argument), file: pathOf(terminal, argument) }))
  const { openTrials } = await loadTrials()
  const trials = await openTrials(llm)
  for (const { name, file } of sets) {
    const messages = await readLabelled(file, trials.parse)
    await (options.read ? tryReading : tryJudging)(trials, {
      terminal,
      name,
      messages,
      config,
      options,
      model: llm.model,
    })
  }
}

type Trials = Awaited<ReturnType<Awaited<ReturnType<typeof loadTrials>>['openTrials']>>
type Attempt = {
  terminal: Terminal
  name: string
  messages: LabelledMessage[]
  config: Config
  options: TryOptions
  model: string
}

async function tryJudging(
  trials: Trials,
  { terminal, name, messages, config, options, model }: Attempt,
): Promise<void> {
  const prepared = trials.prepare(messages, await encodeTexts(textsToEncode(messages), config, terminal.stderr))
  const { questions, calls, tokens } = trials.estimate(prepared)
  terminal.stdout.write(
    `${name}: ${messages.length} messages. About ${text(questions)} questions in ${text(calls)} calls, ${text(tokens)} tokens (${perThousand(tokens, messages)} per 1,000 messages); more if the model is asked back.\n`,
  )
  if (options.estimate) return
  const trial = await trials.run(prepared, (made) => showCalls(terminal, made))
  terminal.stderr.write('\n')
  const { before, after } = trial
  print(terminal, [
    `${model}: yes to ${percent(trial.trueYes)} of the right candidates and to ${percent(trial.falseYes)} of the wrong ones`,
    `replies not believed: ${trial.refused} of ${trial.calls}`,
    `B³ F1: ${percent(before.f1)} without it, ${percent(after.f1)} with it`,
    `precision of what is grouped: ${percent(before.groupedPrecision)}, ${percent(after.groupedPrecision)}`,
    `messages in an insight: ${percent(before.grouped)}, ${percent(after.grouped)}`,
    `tokens: ${text(trial.tokens)} (${perThousand(trial.tokens, messages)} per 1,000 messages)`,
  ])
}

async function tryReading(
  trials: Trials,
  { terminal, name, messages, config, options, model }: Attempt,
): Promise<void> {
  const { calls, tokens } = await trials.estimateReading(messages)
  const reviewing = await trials.estimateReviews(
    messages,
    await encodeTexts(textsToEncode(messages), config, terminal.stderr),
  )
  terminal.stdout.write(
    `${name}: ${messages.length} messages. Reading them takes about ${text(calls)} calls and ${text(tokens)} tokens (${perThousand(tokens, messages)} per 1,000 messages). By the insights that they are in unread, reviewing and naming takes about ${plural(reviewing.insights, 'review')} in ${plural(reviewing.calls, 'call')} and ${text(reviewing.tokens)} tokens (${perThousand(reviewing.tokens, messages)} per 1,000 messages), and about ${text(trials.tokensPerName)} more for each insight that changes or gets no name from its review.\n`,
  )
  if (options.estimate) return
  // As the checks of the product, see `baseEncoderOf`.
  const encoder = openEncoder({ encoder: config.encoder && { ...config.encoder, adapter: false } })
  try {
    const { before, read, reviewed, reading, reviews, names } = await trials.read(messages, {
      encode: async (texts) => (await encoder?.encode(texts)) ?? null,
      encodeAll: (texts) => encodeTexts(texts, config, terminal.stderr),
      onCall: (made) => showCalls(terminal, made),
    })
    terminal.stderr.write('\n')
    const steps = (share: 'f1' | 'groupedPrecision' | 'grouped') =>
      `${percent(before[share])} by words, ${percent(read[share])} read, ${percent(reviewed[share])} reviewed`
    print(terminal, [
      `${model}: read ${text(messages.length - reading.unread)} messages, found nothing in ${text(reading.empty)}, ${text(reading.unread)} stay unread`,
      `reviews: ${text(reviews.moved)} mentions moved, ${text(reviews.parts)} insights split off, ${text(reviews.merged)} merged`,
      `controls of reviews: ${text(reviews.errors.wrong)} of ${text(reviews.errors.asked)} reviews wrong, an estimated error rate of ${percent(100 * reviews.errors.rate)}`,
      `names: ${text(names.reviewed)} of ${text(names.insights)} were given by reviews, ${text(names.first)} taken at the first request, ${text(names.second)} at the second`,
      `replies not believed: ${reading.refused} of ${reading.calls} readings, ${reviews.refused} of ${reviews.calls} reviews, ${names.refused} of ${names.calls} names`,
      `B³ F1: ${steps('f1')}`,
      `precision of what is grouped: ${steps('groupedPrecision')}`,
      `messages in an insight: ${steps('grouped')}`,
      `tokens per 1,000 messages: ${perThousand(reading.tokens, messages)} for reading, ${perThousand(reviews.tokens, messages)} for reviews, ${perThousand(names.tokens, messages)} for names`,
    ])
  } finally {
    encoder?.stop()
  }
}

function showCalls(terminal: Terminal, made: number): void {
  terminal.stderr.write(`\r${made} calls`)
}

function print(terminal: Terminal, lines: readonly string[]): void {
  terminal.stdout.write(`${lines.map((line) => `  ${line}`).join('\n')}\n`)
}

/** The labelled sets that are there. Says which are not. */
function ownSets(terminal: Terminal): { name: string; file: string }[] {
  const found = COMPANIES.filter(({ file }) => existsSync(file))
  const missing = COMPANIES.filter((one) => !found.includes(one))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `“${name}”`).join(', ')
    terminal.stderr.write(
      `Not scored on ${names}: these labelled messages are part of a checkout of Groundswell (bench/engine/companies), and are not here.\n`,
    )
  }
  return [DEMO, ...found]
}

async function readLabelled(file: string, parse: (content: string) => LabelledMessage[]): Promise<LabelledMessage[]> {
  const content = await readFile(file, 'utf8').catch(() => null)
  if (content === null) throw new UsageError(`There is no file ${file}.`)
  try {
    return parse(content)
  } catch (error) {
    throw new UsageError(`${path.basename(file)}: ${(error as Error).message}`)
  }
}

function perThousand(tokens: number, messages: readonly LabelledMessage[]): string {
  return text(Math.round((1_000 * tokens) / Math.max(1, messages.length)))
}

function percent(share: number | null): string {
  return share === null ? '–' : `${share.toFixed(1)}%`
}

function text(count: number): string {
  return count.toLocaleString('en')
}

function plural(count: number, noun: string): string {
  return `${text(count)} ${count === 1 ? noun : `${noun}s`}`
}
