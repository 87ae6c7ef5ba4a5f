import { csvLine } from '@groundswell/contract/values/csv-cell.ts'
import { textOf } from '../../ui/text/plain-text.ts'
import type { ComparisonView, SessionsView } from './comparison-view.ts'

/** One response of one generator, as exported. */
type ExportedResponse = {
  source: string
  from: string
  to: string
  generator: string
  /** From 1, among the generator's responses to this input. */
  number: number
  response: Record<string, unknown>
}

/** What is shown of a source, by date range and generator, oldest first. */
function exportedResponses(source: string, { generators, comparisons }: SessionsView): ExportedResponse[] {
  return comparisons.flatMap((comparison) => responsesOf(source, generators, comparison))
}

function responsesOf(source: string, generators: readonly string[], { from, to, rows }: ComparisonView) {
  return generators.flatMap((generator, column) =>
    rows.flatMap((row, index): ExportedResponse[] => {
      const entries = row[column]
      return entries ? [{ source, from, to, generator, number: index + 1, response: Object.fromEntries(entries) }] : []
    }),
  )
}

/** A line of JSON for each response. */
export function comparisonJsonl(source: string, sessions: SessionsView): string {
  return exportedResponses(source, sessions)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('')
}

/** A line for each response, with a column for each key that any of them has. A list has a line of the cell for each entry. */
export function comparisonCsv(source: string, sessions: SessionsView): string {
  const responses = exportedResponses(source, sessions)
  const keys = [...new Set(responses.flatMap(({ response }) => Object.keys(response)))]
  const head = ['source', 'from', 'to', 'generator', 'number', ...keys]
  const lines = responses.map((one) => [
    one.source,
    one.from,
    one.to,
    one.generator,
    one.number,
    ...keys.map((key) => cellText(one.response[key])),
  ])
  return [head, ...lines].map(csvLine).join('')
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)
}
