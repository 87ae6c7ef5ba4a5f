import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { Outcome } from './conformance/matrix.ts'

const root = path.resolve(import.meta.dirname, '..')
/** The matrix is printed where these ran: a run of one connector's tests has other things to say. */
const SUITES = ['', '-sources', '-trackers'].map((part) => `connectors/conformance${part}.test.ts`)

/**
 * A vitest reporter that prints the acceptance matrix of a run of the connectors' tests, and fails the run where a cell has a test that
 * failed or does not exist. With MATRIX=complete it also fails where a test of the matrix did not run.
 */
export default class MatrixReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const complete = process.env['MATRIX'] === 'complete'
    const outcomes = new Map(modules.map((module) => [path.relative(root, module.moduleId), outcomesOf(module)]))
    if (!complete && !SUITES.every((file) => outcomes.has(file))) return
    const { connectors } = await import('./index.ts')
    const { loadColumns } = await import('./conformance/matrix.ts')
    const { matrixText } = await import('./conformance/matrix-text.ts')
    const { text, failed } = matrixText(await loadColumns(connectors), outcomes, { complete })
    process.stdout.write(`\n${text}`)
    if (failed > 0) process.exitCode = 1
  }
}

function outcomesOf(module: TestModule): Outcome[] {
  return [...module.children.allTests()].map((test) => {
    const result = test.result()
    const note = result.state === 'skipped' ? (result.note ?? null) : null
    if (result.state === 'passed' || result.state === 'failed')
      return { name: test.fullName, state: result.state, note }
    // What a filter leaves out has no note.
    return { name: test.fullName, state: note === null ? 'not run' : 'skipped', note }
  })
}
