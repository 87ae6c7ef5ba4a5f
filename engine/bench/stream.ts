import { readFileSync } from 'node:fs'
import { assign } from '../assign.ts'
import type { Statement } from '../model.ts'
import { prepare } from '../prepare.ts'
import { seededRandom } from '../random.ts'
import { needsRevision, revise } from '../revise.ts'
import { createState, type State } from '../state.ts'
import { type Scores, scoreGrouping } from './metrics.ts'

export type Row = { text: string; label: string | null; id?: string; thread?: string; at?: number }

/** Rows of a `text⇥label` file; the label `oos` is noise. */
export function readRows(path: string): Row[] {
  const content = readFileSync(path, 'utf8')
  if (path.endsWith('.jsonl')) {
    return content
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const row = JSON.parse(line) as {
          id: string
          text: string
          label: string | null
          thread: string | null
          at: number
        }
        return { id: row.id, text: row.text, label: row.label, thread: row.thread ?? row.id, at: row.at }
      })
  }
  return content
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => {
      const [text = '', label = ''] = line.split('\t')
      return { text, label: label === 'oos' ? null : label }
    })
}

export type StreamResult = Scores & { churn: number; cpuMs: number; revisions: number; state: State }

/** Streams shuffled rows in batches with revisions as the engine asks for them, and scores the end. */
export function stream(
  rows: Row[],
  seed: number,
  batch = 250,
  tuning?: Parameters<typeof revise>[2],
  every = false,
): StreamResult {
  const random = seededRandom(seed)
  const order = rows.map((row) => ({ row, key: row.at ?? random() })).sort((a, b) => a.key - b.key)
  const statements: Statement[] = order.flatMap(({ row }, i) =>
    prepare({ id: row.id ?? `${i}`, text: row.text, at: row.at ?? i, ...(row.thread ? { thread: row.thread } : {}) }),
  )
  const began = process.cpuUsage().user
  const state = createState({ seed })
  let moved = 0
  let held = 0
  const step = () => {
    const { moves } = revise(state, [], tuning)
    moved += moves.filter((move) => move.from !== undefined).length
    for (const issue of state.issues.values()) held += issue.mentions
  }
  for (let i = 0; i < statements.length; i += batch) {
    assign(state, statements.slice(i, i + batch))
    if (every || needsRevision(state)) step()
  }
  step()
  const groups = order.map(({ row }, i) => {
    const index = state.statementIndex.get(`${row.id ?? i}:0`)
    const issue = index === undefined ? 0 : (state.nodes[state.statementNodes[index] as number]?.issue ?? 0)
    return issue > 0 ? issue : null
  })
  return {
    ...scoreGrouping(
      groups,
      order.map(({ row }) => row.label),
    ),
    churn: held > 0 ? (100 * moved) / held : 0,
    cpuMs: (process.cpuUsage().user - began) / 1_000,
    revisions: state.revisions,
    state,
  }
}
