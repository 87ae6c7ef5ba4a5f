import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scoreGrouping } from '@groundswell/bench/engine/metrics.ts'
import { type Row, readRows, stream } from '@groundswell/bench/engine/stream.ts'
import { describe, expect, test } from 'vitest'
import { assign, createState, group, prepare, revise } from '../index.ts'
import { featuresOf, type Node } from '../state/state.ts'
import { statementVectors } from '../text/statement-vectors.ts'
import { nearestPairs } from './similarity/nearest-pairs.ts'

const COMPANY = fileURLToPath(new URL('../../connectors/sandbox/company/feedback.jsonl', import.meta.url))

function scored(rows: Row[]) {
  const items = rows.map((row, i) => ({
    id: row.id ?? `${i}`,
    text: row.text,
    at: row.at ?? i,
    ...(row.thread === undefined ? {} : { thread: row.thread }),
  }))
  const { insights } = group(items)
  const groups = new Map(
    insights.flatMap((insight) => insight.mentions.map((one) => [one.itemId, insight.issue_number])),
  )
  const scores = scoreGrouping(
    items.map((item) => groups.get(item.id) ?? null),
    rows.map((row) => row.label),
  )
  return { insights, scores }
}

describe('the demo company', () => {
  test('is there to be measured', () => {
    expect(existsSync(COMPANY)).toBe(true)
  })

  test('meets the quality thresholds', () => {
    const { insights, scores } = scored(readRows(COMPANY))
    expect(scores.precision).toBeGreaterThan(88)
    expect(scores.recall).toBeGreaterThan(45)
    expect(scores.coverage).toBeGreaterThan(50)
    expect(scores.noiseGrouped).toBeLessThan(15)
    const names = insights.map((insight) => insight.issue_name)
    expect(new Set(names).size).toBe(names.length)
  })

  test('is grouped similarly for any batch size', () => {
    const rows = readRows(COMPANY)
    /** The median of three searches: one of them may end where the largest insight is two. */
    const largest = (batch: number) => {
      const sizes = [1, 2, 3].map((seed) => {
        const { issues } = stream(rows, seed, { batch, intents: true }).state
        return Math.max(...[...issues.values()].map(({ mentions }) => mentions))
      })
      return sizes.sort((a, b) => a - b)[1] as number
    }
    const sizes = [50, 150, 250, 400, 600].map(largest)
    expect(Math.min(...sizes)).toBeGreaterThan(0.75 * Math.max(...sizes))
  })

  test('has no insight with a message unlike all others', () => {
    const state = createState()
    const rows = readRows(COMPANY)
    for (let from = 0; from < rows.length; from += 250) {
      const items = rows
        .slice(from, from + 250)
        .map((row, i) => ({ ...row, id: row.id ?? `${from + i}`, at: row.at ?? i }))
      assign(state, items.flatMap(prepare))
      revise(state)
    }
    const nodes = state.nodes.filter((node) => node !== null)
    const statements = state.nodes.flatMap((node, index) =>
      node ? [{ features: featuresOf(state, index), language: node.language }] : [],
    )
    const features = statements.map((statement) => statement.features)
    const pairs = nearestPairs(
      features,
      state.vocabulary,
      nodes.length,
      0.25,
      statementVectors(statements, state.vocabulary),
    )
    const alike = new Set<Node>()
    pairs.from.forEach((from, p) => {
      const [one, other] = [nodes[from] as Node, nodes[pairs.to[p] as number] as Node]
      if (one.issue === other.issue) alike.add(one).add(other)
    })
    const strangers = nodes.filter((node) => {
      const members = state.issues.get(node.issue)?.nodes.size ?? 0
      return members > 1 && !alike.has(node)
    })
    expect(nodes.length).toBeGreaterThan(100)
    expect(strangers.map(({ text }) => text)).toEqual([])
  })
})
