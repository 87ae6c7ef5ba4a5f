import { fileURLToPath } from 'node:url'
import { readRows } from '@groundswell/bench/engine/stream.ts'
import { companyTags, seenCases, type TagCases, unseenCases } from '@groundswell/fixtures/engine/tag-cases.ts'
import { blindCases } from '@groundswell/fixtures/engine/tag-cases-blind.ts'
import { freshCases } from '@groundswell/fixtures/engine/tag-cases-fresh.ts'
import { expect, test } from 'vitest'
import { group } from '../index.ts'
import { parseTagPlan, prepareTagText, type TagCounts, type TagSource, tagValue } from './tags.ts'

const COMPANY = fileURLToPath(new URL('../../connectors/sandbox/company/feedback.jsonl', import.meta.url))
/** An insight counts as being about an issue if at least this share of it is. */
const PURE = 0.7
const QUOTES = 12

const NO_COUNTS: TagCounts = {
  mentions: 0,
  people: 0,
  week: 0,
  weekBefore: 0,
  firstSeen: null,
  lastSeen: null,
  allMentions: 0,
  allPeople: 0,
  now: 0,
}

type Judged = { tag: string; name: string; wanted: string[]; given: string | null }

function judge(tag: TagCases['tag'], source: TagSource, wanted: string | null): Judged {
  const given = tagValue(parseTagPlan(tag), prepareTagText(source), NO_COUNTS)
  return {
    tag: tag.name,
    name: source.name,
    wanted: wanted?.split('|') ?? [],
    given: given === null ? null : String(given),
  }
}

function figures(judged: readonly Judged[]) {
  const given = judged.filter((one) => one.given !== null)
  const right = given.filter((one) => one.wanted.includes(one.given as string))
  const wanted = judged.filter((one) => one.wanted.length > 0)
  const wrong = given.filter((one) => !right.includes(one)).map((one) => `${one.tag}: ${one.name} → ${one.given}`)
  const missed = wanted
    .filter((one) => one.given === null)
    .map((one) => `${one.tag}: ${one.name} (${one.wanted.join('|')})`)
  if (process.env['TAG_FIGURES'])
    process.stdout.write(
      `${JSON.stringify({ cases: judged.length, given: given.length, right: right.length, wanted: wanted.length, wrong, missed }, null, 1)}\n`,
    )
  return { cases: judged.length, precision: right.length / given.length, recall: right.length / wanted.length, wrong }
}

function invented(all: readonly TagCases[]): Judged[] {
  return all.flatMap(({ tag, cases }) =>
    cases.map(([name, quotes, value]) => judge(tag, { name, summary: quotes[0] ?? '', quotes }, value)),
  )
}

/** The demo company's insights as the engine groups and names them, each with the issue it is about. */
function companyInsights(): { source: TagSource; about: string | null }[] {
  const rows = readRows(COMPANY)
  const items = rows.map((row, at) => ({
    id: row.id ?? `${at}`,
    text: row.text,
    at: row.at ?? at,
    ...(row.thread === undefined ? {} : { thread: row.thread }),
  }))
  const rowOf = new Map(items.map((item, at) => [item.id, rows[at]]))
  return group(items).insights.flatMap((insight) => {
    const labels = insight.mentions.map(({ itemId }) => rowOf.get(itemId)?.label ?? null)
    const [about = null, most = 0] =
      [...Map.groupBy(labels, (label) => label)]
        .map(([label, all]) => [label, all.length] as const)
        .sort((a, b) => b[1] - a[1])[0] ?? []
    if (most < PURE * labels.length) return []
    const quotes = insight.mentions.slice(-QUOTES).map(({ itemId }) => rowOf.get(itemId)?.text ?? '')
    return [{ source: { name: insight.issue_name, summary: insight.summary, quotes }, about }]
  })
}

test('values on invented insights the rules were written with', () => {
  const found = figures(invented(seenCases))
  expect(found.precision).toBeGreaterThanOrEqual(0.9)
  expect(found.recall).toBeGreaterThanOrEqual(0.8)
})

test('values on invented insights the rules were not written with', () => {
  const found = figures(invented(unseenCases))
  expect(found.precision).toBeGreaterThanOrEqual(0.9)
  expect(found.recall).toBeGreaterThanOrEqual(0.6)
})

test('values on invented insights written last', () => {
  const found = figures(invented(freshCases))
  expect(found.precision).toBeGreaterThanOrEqual(0.9)
  expect(found.recall).toBeGreaterThanOrEqual(0.6)
})

test('values on invented insights written before sentiment was used', () => {
  const found = figures(invented(blindCases))
  expect(found.precision).toBeGreaterThanOrEqual(0.95)
  expect(found.recall).toBeGreaterThanOrEqual(0.4)
})

test("values on the demo company's insights", () => {
  const insights = companyInsights()
  const found = figures(
    companyTags.flatMap(({ tag, values }) =>
      insights.map(({ source, about }) => judge(tag, source, values[about ?? ''] ?? null)),
    ),
  )
  expect(found.cases).toBeGreaterThan(100)
  expect(found.precision).toBeGreaterThanOrEqual(0.9)
  expect(found.recall).toBeGreaterThanOrEqual(0.65)
})
