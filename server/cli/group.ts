import { type Grouping, group } from '@groundswell/engine/index.ts'
import { fileOptions, inputFile, type ReadingOptions, type Row, readRows } from './input-file.ts'
import { UsageError } from './usage-error.ts'

export type GroupOptions = Omit<ReadingOptions, 'format'> & { format: string; inputFormat?: string }

/** What `group --format json` prints. Lines count from 1; `text` is a quote of that line. */
export type GroupReport = {
  insights: {
    issue_number: number
    issue_name: string
    summary: string
    mention_count: number
    mentions: { line: number; text: string }[]
  }[]
  ungrouped: number[]
}

/** Groups one file without a server and prints the outcome. Bad rows are listed on standard error. */
export async function groupFile(argument: string, options: GroupOptions): Promise<void> {
  if (options.format !== 'table' && options.format !== 'json') throw new UsageError('--format is table or json.')
  const file = await inputFile(argument)
  const read = await readRows(file, fileOptions(file.name, { ...options, format: options.inputFormat }))
  const { problems } = read
  const rows = read.rows.filter(({ item }) => item.role !== 'agent')
  const ours = read.rows.length - rows.length
  if (ours > 0) process.stderr.write(`Left out as replies of your own side: ${ours} rows\n`)
  for (const problem of problems.slice(0, 20)) process.stderr.write(`line ${problem.line}: ${problem.reason}\n`)
  if (problems.length > 20) process.stderr.write(`… and ${problems.length - 20} more rows that could not be read\n`)
  if (rows.length === 0) throw new UsageError(`${file.name} holds no message.`)
  const report = groupRows(rows)
  process.stdout.write(options.format === 'json' ? `${JSON.stringify(report)}\n` : table(report, rows.length))
}

/** Groups rows; ids are line numbers, so that the outcome can name lines. */
export function groupRows(rows: Row[]): GroupReport {
  const byLine = new Map(rows.map((row) => [String(row.line), row]))
  const grouping: Grouping = group(
    rows.map(({ line, item }) => ({
      id: String(line),
      text: item.text,
      at: item.at.getTime(),
      ...(item.author ? { author: item.author } : {}),
      ...(item.thread ? { thread: item.thread } : {}),
    })),
  )
  return {
    insights: grouping.insights.map((insight) => ({
      issue_number: insight.issue_number,
      issue_name: insight.issue_name,
      summary: insight.summary,
      mention_count: insight.mention_count,
      mentions: insight.mentions.map((mention) => ({
        line: Number(mention.itemId),
        text: byLine.get(mention.itemId)?.item.text ?? '',
      })),
    })),
    ungrouped: grouping.ungrouped.map(Number),
  }
}

function table(report: GroupReport, rows: number): string {
  const grouped = rows - report.ungrouped.length
  const lines = report.insights.map((insight) => {
    const example = insight.mentions.find((mention) => oneLine(mention.text) !== insight.issue_name)
    return `${String(insight.mention_count).padStart(8)}  ${cut(insight.issue_name, 60).padEnd(60)}  ${cut(example?.text ?? '', 60)}`
  })
  const head = `${'mentions'.padStart(8)}  ${'insight'.padEnd(60)}  example`
  const foot = `${report.insights.length} insights from ${grouped} of ${rows} messages; ${report.ungrouped.length} in none.`
  return `${head}\n${lines.join('\n')}\n\n${foot}\n`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function cut(text: string, length: number): string {
  const line = Array.from(oneLine(text))
  return line.length <= length ? line.join('') : `${line.slice(0, length - 1).join('')}…`
}
