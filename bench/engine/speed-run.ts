// One measurement in its own process, so that its memory is the engine's; prints JSON. Started by speed.ts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { assign } from '@groundswell/engine/clustering/assign.ts'
import { needsRevision, revise } from '@groundswell/engine/clustering/revise.ts'
import type { Item } from '@groundswell/engine/model.ts'
import { deserialize, serialize } from '@groundswell/engine/state/serialize.ts'
import { createState, type State } from '@groundswell/engine/state/state.ts'
import { prepare } from '@groundswell/engine/text/prepare.ts'
import { leader } from './peers.ts'
import { syntheticStream } from './synthetic-stream.ts'

const COMPANY = path.resolve(import.meta.dirname, '..', '..', 'connectors', 'sandbox', 'company', 'feedback.jsonl')
const BATCH = 250
/** The last messages are processed one at a time. */
const SINGLE_MESSAGES = 2_000
const MESSAGES_PER_REVISION = 500
const MIN_KEPT = 5_000

/** The cost of a stream. CPU time is that of all threads. */
export type Streamed = {
  size: number
  /** CPU time of prepare and assign: all messages, and the last half */
  onlineMs: number
  lastHalfMs: number
  revisionMs: number
  revisions: number
  /** wall time of a single message, 99th percentile */
  p99Ms: number
  peakMiB: number
  kept: number
  issues: number
  terms: number
}
export type Stored = { bytes: number; writeMs: number; readMs: number }
export type Revised = { scope: number; ms: number[] }
type Peer = { size: number; cpuMs: number }
export type Outcome = { streamed?: Streamed; stored?: Stored; revised?: Revised; peer?: Peer }

const [kind = '', size = '10000', seed = '1'] = process.argv.slice(2)
const outcomes: Record<string, (size: number, seed: number) => Outcome> = { stream, revision, peer }
process.stdout.write(JSON.stringify(outcomes[kind]?.(Number(size), Number(seed)) ?? {}))

function source(seed: number): Generator<Item> {
  const texts = readFileSync(COMPANY, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  return syntheticStream(texts, seed)
}

function take(items: Generator<Item>, count: number): Item[] {
  return Array.from({ length: count }, () => items.next().value as Item)
}

/** CPU time in ms, all threads. */
function cpuOf(work: () => void): number {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}

/**
 * Processes this many messages with revisions when the engine requests them; at 100,000 the state is stored and
 * restored.
 */
function stream(size: number, seed: number): Outcome {
  const items = source(seed)
  const state = createState({ seed })
  const online: number[] = []
  let revisionMs = 0
  for (let read = 0; read < size - SINGLE_MESSAGES; read += BATCH) {
    const batch = take(items, BATCH)
    online.push(cpuOf(() => void assign(state, batch.flatMap(prepare))))
    if (needsRevision(state)) revisionMs += cpuOf(() => void revise(state))
  }
  const single: number[] = []
  const last = take(items, SINGLE_MESSAGES)
  online.push(
    cpuOf(() => {
      for (const item of last) {
        const began = performance.now()
        assign(state, prepare(item))
        single.push(performance.now() - began)
      }
    }),
  )
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  const streamed: Streamed = {
    size,
    onlineMs: sum(online),
    lastHalfMs: sum(online.slice(size / 2 / BATCH)),
    revisionMs,
    revisions: state.revisions,
    p99Ms: single.sort((a, b) => a - b)[Math.floor(SINGLE_MESSAGES * 0.99)] as number,
    peakMiB: process.resourceUsage().maxRSS / 1_024,
    kept: state.nodes.length - state.dropped,
    issues: state.issues.size,
    terms: state.vocabulary.size,
  }
  return size === 100_000 ? { streamed, stored: store(state) } : { streamed }
}

function store(state: State): Stored {
  let bytes: Uint8Array = new Uint8Array(0)
  const writeMs = cpuOf(() => {
    bytes = serialize(state)
  })
  return { bytes: bytes.length, writeMs, readMs: cpuOf(() => void deserialize(bytes)) }
}

/** Revisions of a workspace with at least 5,000 kept statements, each after 500 more messages. */
function revision(rounds: number, seed: number): Outcome {
  const items = source(seed)
  const state = createState({ seed })
  while (state.nodes.length < MIN_KEPT) {
    assign(state, take(items, BATCH).flatMap(prepare))
    if (needsRevision(state)) revise(state)
  }
  const scope = state.nodes.length
  const ms = Array.from({ length: rounds }, () => {
    assign(state, take(items, MESSAGES_PER_REVISION).flatMap(prepare))
    return cpuOf(() => void revise(state))
  })
  return { revised: { scope, ms } }
}

/** The leader algorithm, see `peers.ts`. */
function peer(size: number, seed: number): Outcome {
  const texts = take(source(seed), size).map(({ text }) => text)
  return { peer: { size, cpuMs: cpuOf(() => void leader(texts)) } }
}
