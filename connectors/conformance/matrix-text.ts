import { type CellResult, cellOf, judgeCell, judgeCore, type MatrixColumn, type Outcomes } from './matrix.ts'
import { matrixCases } from './matrix-cases.ts'

const WIDTH = 11
const SIGNS: Record<CellResult['state'], (result: CellResult) => string> = {
  passed: ({ passed }) => String(passed),
  failed: () => 'FAILED',
  skipped: () => 'skipped',
  'not run': () => '?',
  // Without a reason, the case is none for that kind of connector.
  'n/a': ({ reasons }) => (reasons.length > 0 ? 'n/a' : '-'),
}

/**
 * The matrix of a run as text: a line for each case with the number of tests that passed, then why cells do not apply, were skipped, or
 * failed. `complete`: every test of the matrix should have run, so that one that did not counts as failed.
 */
export function matrixText(
  columns: readonly MatrixColumn[],
  outcomes: Outcomes,
  { complete }: { complete: boolean },
): { text: string; failed: number } {
  const remarks: Record<'n/a' | 'skipped' | 'failed' | 'not run', string[]> = {
    'n/a': [],
    skipped: [],
    failed: [],
    'not run': [],
  }
  const lines = matrixCases.map((one) => {
    const results = [
      ...columns.map((column) => [column.id, judgeCell(one, column, outcomes)] as const),
      ['core', judgeCore(one, outcomes)] as const,
    ]
    for (const [id, { state, reasons }] of results) {
      if (state === 'passed') continue
      const why = state === 'not run' ? ['a test of it did not run'] : reasons
      remarks[state].push(...why.map((reason) => `  ${one.number} ${id}: ${reason}`))
    }
    const cells = results.map(([, result]) => SIGNS[result.state](result).padStart(WIDTH)).join('')
    return `${String(one.number).padStart(3)}${cells}   ${one.text}`
  })
  const head = `   ${[...columns.map(({ id }) => id), 'core'].map((id) => id.padStart(WIDTH)).join('')}`
  const failed = remarks.failed.length + (complete ? remarks['not run'].length : 0)
  const sections = [
    ['Not applicable', remarks['n/a']],
    ['Skipped', [...new Set(remarks.skipped)]],
    ['Not run', complete ? remarks['not run'] : []],
    ['FAILED', remarks.failed],
  ] as const
  const remarked = sections.flatMap(([title, all]) => (all.length > 0 ? ['', `${title}:`, ...all] : []))
  return {
    text: ['Tests passed, by case and connector', '', head, ...lines, ...remarked, ''].join('\n'),
    failed,
  }
}

/** The matrix as a table for the documentation, and why cells do not apply: what is to be proven, not what a run has shown. */
export function matrixDocument(columns: readonly MatrixColumn[]): string {
  const remarks: string[] = []
  const rows = matrixCases.map((one) => {
    const cells = columns.map((column) => {
      const cell = cellOf(one, column)
      if (cell === undefined) return ''
      if ('notApplicable' in cell) {
        remarks.push(`- ${one.number}, ${column.label}: ${cell.notApplicable}.`)
        return 'n/a'
      }
      return cell.length > 0 ? 'own' : 'suite'
    })
    return `| ${[one.number, one.text, one.core.length > 0 ? 'core' : '', ...cells].join(' | ')} |`
  })
  const heads = columns.map(({ id, label }) => `[${label}](../connectors/${id}/matrix.ts)`)
  const head = `| ${['#', 'case', 'core', ...heads].join(' | ')} |`
  return [head, `|${' --- |'.repeat(columns.length + 3)}`, ...rows, '', 'Not applicable:', '', ...remarks, ''].join(
    '\n',
  )
}
