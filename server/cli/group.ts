import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { group, type Item, type SentenceEncoder, textsToEncode } from '@groundswell/engine/index.ts'
import { readConfig } from '../platform/config/config.ts'
import { oneLine } from '../platform/one-line.ts'
import { encodeTexts } from './encode-texts.ts'
import { fileOptions, inputFile, type ReadingOptions, type Row, readRows } from './input-file.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The options of `group`, as typed. */
export type GroupOptions = Omit<ReadingOptions, 'format'> & {
  format: string
  inputFormat?: string
  /** compare words alone */
  words?: boolean
}

/** What `group --format json` prints. Lines count from 1; `text` is a quote of that line. `emerging`: there is less evidence for it. */
export type GroupReport = {
  insights: {
    issue_number: number
    issue_name: string
    summary: string
    mention_count: number
    emerging: boolean
    mentions: { line: number; text: string }[]
  }[]
  ungrouped: number[]
}

/** Groups one file without a server and prints the outcome. Bad rows are listed on standard error. */
export async function groupFile(terminal: Terminal, argument: string, options: GroupOptions): Promise<void> {
  if (options.format !== 'table' && options.format !== 'json') throw new UsageError('--format is table or json.')
  const file = await inputFile(terminal, argument)
  const read = await readRows(file, fileOptions(file.name, { ...options, format: options.inputFormat }))
  const { problems } = read
  const rows = read.rows.filter(({ item }) => item.role !== 'agent')
  const ours = read.rows.length - rows.length
  if (ours > 0) terminal.stderr.write(`Left out as replies of your own side: ${ours} rows\n`)
  for (const problem of problems.slice(0, 20)) terminal.stderr.write(`line ${problem.line}: ${problem.reason}\n`)
  if (problems.length > 20) terminal.stderr.write(`… and ${problems.length - 20} more rows that could not be read\n`)
  if (rows.length === 0) throw new UsageError(`${file.name} holds no message.`)
  const items = rows.map(itemOf)
  const encoder = options.words
    ? null
    : await encodeTexts(textsToEncode(items), readConfig(terminal.env), terminal.stderr)
  const report = groupRows(rows, items, encoder)
  terminal.stdout.write(options.format === 'json' ? `${JSON.stringify(report)}\n` : table(report, rows.length))
}

/** A row as the engine reads it. Its id is its line, so that the outcome can name lines. */
function itemOf({ line, item }: Row): Item {
  return {
    id: String(line),
    text: item.text,
    at: item.at.getTime(),
    ...(item.author ? { author: item.author } : {}),
    ...(item.thread ? { thread: item.thread } : {}),
  }
}

function groupRows(rows: readonly Row[], items: Item[], encoder: SentenceEncoder | null): GroupReport {
  const byLine = new Map(rows.map((row) => [String(row.line), row]))
  const grouping = group(items, encoder ? { encoder } : {})
  return {
    insights: grouping.insights.map((insight) => ({
      issue_number: insight.issue_number,
      issue_name: insight.issue_name,
      summary: insight.summary,
      mention_count: insight.mention_count,
      emerging: insight.emerging,
      mentions: insight.mentions.map((mention) => ({
        line: Number(mention.itemId),
        text: byLine.get(mention.itemId)?.item.text ?? '',
      })),
    })),
    ungrouped: grouping.ungrouped.map(Number),
  }
}

function table({ insights, ungrouped }: GroupReport, rows: number): string {
  const regular = insights.filter(({ emerging }) => !emerging)
  const emerging = insights.filter((insight) => insight.emerging)
  const head = `${'mentions'.padStart(8)}  ${'insight'.padEnd(60)}  example\n`
  const part = emerging.length > 0 ? `\nEmerging, with little evidence so far\n${emerging.map(lineOf).join('')}` : ''
  const counts = `${counted(regular.length, 'insight')}${emerging.length > 0 ? ` and ${emerging.length} emerging` : ''}`
  const foot = `${counts} from ${rows - ungrouped.length} of ${rows} messages; ${ungrouped.length} in none.`
  return `${head}${regular.map(lineOf).join('')}${part}\n${foot}\n`
}

function lineOf({ issue_name: name, mention_count: count, mentions }: GroupReport['insights'][number]): string {
  const example = mentions.find(({ text }) => oneLine(text) !== name)
  return `${String(count).padStart(8)}  ${oneLine(name, 60).padEnd(60)}  ${oneLine(example?.text ?? '', 60)}\n`
}
