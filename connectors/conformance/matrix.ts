import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Connector } from '../connector.ts'
import type { MatrixCell, MatrixRow } from '../kit/matrix-row.ts'
import { type Kind, type MatrixCase, matrixCases } from './matrix-cases.ts'

/** A connector of the matrix with its own cells. */
export type MatrixColumn = { id: string; label: string; kind: Kind; row: MatrixRow }

/** A test that ran, or was left out by a filter. `note`: why it was skipped. */
export type Outcome = { name: string; state: 'passed' | 'failed' | 'skipped' | 'not run'; note: string | null }
/** What a run knows: the tests of each file in it, by the file's path in the project. */
export type Outcomes = ReadonlyMap<string, readonly Outcome[]>

/** `passed`: how many tests passed. `reasons`: why it failed, was skipped, or does not apply. */
export type CellResult = {
  state: 'passed' | 'failed' | 'skipped' | 'not run' | 'n/a'
  passed: number
  reasons: readonly string[]
}

/** One test, or several, by the beginning of their names. `optional`: it may be skipped, because others are part of the same cell. */
type Proof = { file: string; name: string; optional: boolean }

const SUITES: Record<Kind, (id: string, check: string) => string> = {
  source: (id, check) => `connectors/conformance-sources: ${id} pulls > ${check}`,
  push: (id, check) => `connectors/conformance: ${id} pushes > ${check}`,
  tracker: (id, check) => `connectors/conformance-trackers: ${id} > ${check}`,
}

/** The column of each connector with a tile, in the order of the list. Throws where one has no `matrix.ts`. */
export async function loadColumns(connectors: readonly Connector[]): Promise<MatrixColumn[]> {
  const shown = connectors.filter(({ manifest }) => manifest.tile && !manifest.comingSoon)
  return await Promise.all(
    shown.map(async (connector) => {
      const { id, label } = connector.manifest
      const file = new URL(`../${id}/matrix.ts`, import.meta.url)
      if (!existsSync(file)) throw new Error(`connectors/${id}/matrix.ts is missing: which tests prove which case`)
      const { matrix } = (await import(file.href)) as { matrix: MatrixRow }
      return { id, label, kind: kindOf(connector), row: matrix }
    }),
  )
}

function kindOf({ pull, tracker }: Connector): Kind {
  if (pull) return 'source'
  return tracker ? 'tracker' : 'push'
}

/** The cell of a connector; undefined where the case is none for its kind. */
export function cellOf({ suite, number }: MatrixCase, { kind, row }: MatrixColumn): MatrixCell | undefined {
  return suite[kind] === undefined ? undefined : (row[number] ?? [])
}

/** Every file with a test that is part of the matrix, by its path in the project. */
export function filesOf(columns: readonly MatrixColumn[]): string[] {
  const proofs = matrixCases.flatMap((one) => [
    ...coreProofs(one),
    ...columns.flatMap((column) => {
      const cell = cellOf(one, column)
      return cell && !('notApplicable' in cell) ? proofsOf(one, column, cell) : []
    }),
  ])
  return [...new Set(proofs.map(({ file }) => file))].toSorted()
}

/** What a run shows of a case for a connector. */
export function judgeCell(one: MatrixCase, column: MatrixColumn, outcomes: Outcomes): CellResult {
  const cell = cellOf(one, column)
  if (cell === undefined) return { state: 'n/a', passed: 0, reasons: [] }
  if ('notApplicable' in cell) return { state: 'n/a', passed: 0, reasons: [cell.notApplicable] }
  return judge(proofsOf(one, column, cell), outcomes, one.skips ?? false)
}

/** What a run shows of the part of a case that no connector implements. */
export function judgeCore(one: MatrixCase, outcomes: Outcomes): CellResult {
  const proofs = coreProofs(one)
  return proofs.length === 0 ? { state: 'n/a', passed: 0, reasons: [] } : judge(proofs, outcomes, false)
}

const coreProofs = ({ core }: MatrixCase) => core.map((text) => proof(text))

function proofsOf(one: MatrixCase, { id, kind }: MatrixColumn, own: readonly string[]): Proof[] {
  return [
    ...own.map((text) => proof(text, path.posix.join('connectors', id))),
    ...(one.tests?.(id, kind) ?? []).map((text) => proof(text)),
    ...(one.suite[kind] ?? []).map((check) => ({ ...proof(SUITES[kind](id, check)), optional: true })),
  ]
}

function proof(text: string, folder = ''): Proof {
  const at = text.indexOf(': ')
  const [file, name] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 2)]
  return { file: path.posix.join(folder, `${file}.test.ts`), name, optional: false }
}

function judge(proofs: readonly Proof[], outcomes: Outcomes, maySkip: boolean): CellResult {
  const passed = new Set<string>()
  const problems = new Set<string>()
  const notes = new Set<string>()
  let isWaiting = false
  for (const { file, name, optional } of proofs) {
    const tests = outcomes.get(file)
    const found = tests?.filter((test) => test.name.startsWith(name)) ?? []
    if (tests && found.length === 0) problems.add(`${file} has no test “${name}”`)
    isWaiting ||= !tests || found.some(({ state }) => state === 'not run')
    for (const test of found) {
      const key = `${file}: ${test.name}`
      if (test.state === 'passed') passed.add(key)
      if (test.state === 'failed') problems.add(key)
      if (test.state === 'skipped') notes.add(test.note ?? '')
      if (test.state === 'skipped' && !optional && !maySkip) problems.add(`${key} (skipped)`)
    }
  }
  const result = (state: CellResult['state'], reasons: Iterable<string> = []): CellResult => ({
    state,
    passed: passed.size,
    reasons: [...reasons],
  })
  if (problems.size > 0) return result('failed', problems)
  if (isWaiting) return result('not run')
  if (passed.size > 0) return result('passed')
  if (maySkip && notes.size > 0) return result('skipped', notes)
  return result('failed', ['no test proves it', ...notes])
}
