// Replays the 60 later messages of the demo company one at a time, as a server receives them: each is placed by its words first, then its
// vector arrives, and then the engine revises if it asks for that. Prints how many are in an insight after each, and how many of these in
// one that is mostly about their subject.
//   node bench/engine/trickle.ts
import path from 'node:path'
import { readStatement, type SentenceEncoder, textsToEncode } from '@groundswell/engine/group.ts'
import {
  assign,
  attachVectors,
  createState,
  needsRevision,
  prepare,
  revise,
  type State,
} from '@groundswell/engine/index.ts'
import { isEmerging } from '@groundswell/engine/model.ts'
import { encoderOf } from './encoder/encoder.ts'
import { headingOf, thisMachine } from './machine.ts'
import { type Row, readRows } from './stream.ts'

const COMPANY = path.resolve(import.meta.dirname, '..', '..', 'connectors', 'sandbox', 'company')
const BATCH = 250

type Count = { joined: number; right: number; emerging: number }

const itemOf = ({ id = '', text, thread }: Row, at: number) => ({ id, text, at, ...(thread ? { thread } : {}) })

async function main(): Promise<void> {
  const before = readRows(path.join(COMPANY, 'feedback.jsonl'))
  const later = readRows(path.join(COMPANY, 'trickle.jsonl'))
  const encoder = await encoderOf(textsToEncode([...before, ...later].map(itemOf)))
  if (!encoder) return
  const state = grouped(before, encoder)
  const labels = new Map([...before, ...later].map(({ id = '', label }) => [id, label]))
  const counts: Record<string, Count> = {}
  const count = (when: string, id: string) => {
    const one = (counts[when] ??= { joined: 0, right: 0, emerging: 0 })
    const issue = issueOf(state, id)
    if (isEmerging(issue)) one.emerging++
    else if (issue > 0) {
      one.joined++
      if (isRight(state, issue, id, labels)) one.right++
    }
  }
  later.forEach((row, n) => {
    const { id = '' } = row
    const statements = prepare(itemOf(row, before.length + n))
    assign(
      state,
      statements.map((one) => readStatement(one, undefined)),
    )
    count('at once, by its words', id)
    attachVectors(state, lateVectors(statements, encoder))
    count('once its vector is there', id)
    if (needsRevision(state, { idle: true })) revise(state)
    count('after a revision, if one is due', id)
  })
  for (const { id = '' } of later) count('after all of them', id)
  const lines = Object.entries(counts).map(
    ([when, { joined, right, emerging }]) => `| ${when} | ${joined} | ${right} | ${emerging} |`,
  )
  process.stdout.write(`${headingOf(thisMachine(new Date()))}

Of ${later.length} messages, ${later.filter(({ label }) => label !== null).length} have a subject.

| | in an insight | mostly about their subject | in an emerging one |
|---|---:|---:|---:|
${lines.join('\n')}
`)
}

/** The state after the ten weeks, with all vectors. */
function grouped(rows: readonly Row[], encoder: SentenceEncoder): State {
  const state = createState({ seed: 1, space: encoder.space, languages: encoder.languages })
  for (let start = 0; start < rows.length; start += BATCH) {
    const statements = rows.slice(start, start + BATCH).flatMap((row, n) => prepare(itemOf(row, start + n)))
    assign(
      state,
      statements.map((one) => readStatement(one, encoder)),
    )
    if (needsRevision(state)) revise(state)
  }
  revise(state)
  return state
}

function lateVectors(statements: ReturnType<typeof prepare>, encoder: SentenceEncoder) {
  return statements.flatMap((statement) => {
    const { id, text, at, vector, subjectless = false } = readStatement(statement, encoder)
    return vector ? [{ statementId: id, text, at, vector, subjectless }] : []
  })
}

/** The issue of the first statement of a message that is in one; 0: none is. */
function issueOf(state: State, id: string): number {
  for (let number = 0; ; number++) {
    const index = state.statementIndex.get(`${id}:${number}`)
    if (index === undefined) return 0
    const issue = state.nodes[state.statementNodes[index] as number]?.issue ?? 0
    if (issue > 0) return issue
  }
}

/** Whether most other messages of the issue have the subject of this one. */
function isRight(state: State, issue: number, id: string, labels: ReadonlyMap<string, string | null>): boolean {
  const others = [...(state.issues.get(issue)?.nodes ?? [])]
    .flatMap((index) => state.nodes[index]?.followers ?? [])
    .map((follower) => (state.statementIds[follower] as string).replace(/:\d+$/, ''))
    .filter((other) => other !== id)
  const alike = others.filter((other) => labels.get(other) === labels.get(id))
  return labels.get(id) !== null && alike.length * 2 > others.length
}

await main()
