import path from 'node:path'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'
import type { Outcome } from './conformance/matrix.ts'

const root = path.resolve(import.meta.dirname, '..')
/** The matrix is printed where these ran: a run of one connector's tests has other things to say. */
const SUITES = ['', '-sources', '-trackers'].map((part) => `connectors/conformance${part}.test.ts`)

/**
 * A vitest reporter that prints the acceptance matrix of a run of the connectors' tests, and fails the run where a cell has a test that
 * failed or does not exist. With MATRIX=complete it also fails where a test of the matrix did not run.
 */
export default class MatrixReporter implements Reporter {
  private readonly complete = process.env['MATRIX'] === 'complete'
  private matrix: Awaited<ReturnType<typeof loadMatrix>> | null = null

  /** Before the tests: once a worker has asked vitest about a module that Node loads, vitest's own import of it has no exports. */
  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const files = new Set(specifications.map(({ moduleId }) => path.relative(root, moduleId)))
    if (this.complete || SUITES.every((file) => files.has(file))) this.matrix = await loadMatrix()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.matrix === null) return
    const { columns, matrixText } = this.matrix
    const outcomes = new Map(modules.map((module) => [path.relative(root, module.moduleId), outcomesOf(module)]))
    const { text, failed } = matrixText(columns, outcomes, { complete: this.complete })
    process.stdout.write(`\n${text}`)
    if (failed > 0) process.exitCode = 1
  }
}

async function loadMatrix() {
  const { connectors } = await import('./index.ts')
  const { loadColumns } = await import('./conformance/matrix.ts')
  const { matrixText } = await import('./conformance/matrix-text.ts')
  return { columns: await loadColumns(connectors), matrixText }
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
