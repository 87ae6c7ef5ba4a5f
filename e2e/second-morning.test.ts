import { writeFile } from 'node:fs/promises'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import type { getImportInsights } from '@groundswell/contract/feedback.ts'
import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { listChanges } from '@groundswell/contract/insights/visits.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { getReportPart, Report } from '@groundswell/contract/reports.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { expect, test, vi } from 'vitest'
import { untilLoaded } from './browser.ts'
import { connectAsOwner } from './database.ts'
import { picture, pictures } from './looks.ts'
import { call, page, stack, useWorkspace } from './workspace.ts'

// A first day with most of a company's messages, on which the largest insights are pushed, and a second morning with the rest: every place that counts them gives the same
// numbers.

/** Where the times of a first day are. */
const TIMES = {
  feedback_item: ['stored_at'],
  mention_move: ['at', 'arrived_at'],
  insight: ['created_at', 'last_updated'],
  insight_event: ['at'],
  visit: ['seen_at', 'shown_until'],
  delivery: ['created_at', 'delivered_at'],
  attempt: ['at'],
}
const FIRST_DAY = 560
/** How many insights are pushed on the first day. */
const PUSHED = 3

type Changes = ReplyOf<typeof listChanges>
type ImportResult = ReplyOf<typeof getImportInsights>

/** How many mentions each insight had in the list on the first evening. */
let before: Map<number, number>
/** How many mentions the pushed insights had as they were sent. */
let pushed: Map<number, number>
let importId: string
let insights: Insight[]
let changes: Changes

const get = async <T>(path: string): Promise<T> => (await call('GET', path)) as T
const counts = (list: readonly Insight[]) => new Map(list.map((one) => [one.issue_number, one.mention_count ?? 0]))
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const signed = (number: number) => (number < 0 ? `−${-number}` : `+${number}`)

async function importMessages(name: string, from: number, to: number): Promise<string> {
  const lines = loadCompany()
    .slice(from, to)
    .map(({ id, text, author }) => JSON.stringify({ id, text, author }))
  const { id } = (await call('POST', `/api/imports?name=${name}.jsonl`, lines.join('\n'))) as {
    id: string
  }
  await stack.grouped()
  return id
}

/** Pushes the largest insights, and returns what the destination received. */
async function pushLargest(): Promise<Map<number, number>> {
  await call('POST', '/api/webhook/add', { webhook: stack.receiver.hookUrl })
  const listed = await get<Insight[]>('/api/insights/get-all')
  const largest = listed.toSorted((a, b) => (b.mention_count ?? 0) - (a.mention_count ?? 0)).slice(0, PUSHED)
  for (const { issue_number: number } of largest) await call('POST', `/api/insights/${number}/push`, {})
  const received = () =>
    new Map(
      stack.receiver.received().flatMap(({ payload }) => {
        const insight = payload?.data.insight
        return insight && largest.some((one) => one.issue_number === insight.issue_number)
          ? [[insight.issue_number, insight.mention_count ?? 0] as const]
          : []
      }),
    )
  await vi.waitUntil(() => received().size === PUSHED, { timeout: 60_000 })
  return received()
}

/** What has happened so far happened that much earlier. */
async function makeEarlier(by: string): Promise<void> {
  const client = await connectAsOwner(stack)
  await client.query(
    `select set_config('groundswell.workspace', (select workspace_id::text from session limit 1), false)`,
  )
  // The owner may be a superuser, who sees every workspace.
  await client.query('set role groundswell_app')
  for (const [table, columns] of Object.entries(TIMES)) {
    const earlier = columns.map((column) => `${column} = ${column} - interval '${by}'`)
    await client.query(`update ${table} set ${earlier.join(', ')}`)
  }
  await client.end()
}

useWorkspace({
  async prepare() {
    await importMessages('first', 0, FIRST_DAY)
    pushed = await pushLargest()
    before = counts(await get<Insight[]>('/api/insights/get-all'))
    // What arrived within the last minute may not have been on the screen, and would be news on the next day.
    await makeEarlier('2 minutes')
    await call('POST', '/api/insights/visit', {})
    await makeEarlier('1 day')
    importId = await importMessages('second', FIRST_DAY, Number.POSITIVE_INFINITY)
    const { since } = (await call('POST', '/api/insights/visit', {})) as { since: string }
    insights = await get<Insight[]>('/api/insights/get-all')
    changes = await get<Changes>(`/api/insights/changes?since=${encodeURIComponent(since)}`)
  },
})

/** The insight that changed most, of those that were there before. */
const mostChanged = () => {
  const changed = (changes.changed ?? []).filter((one) => before.has(one.issue_number))
  const [most] = changed.toSorted((a, b) => b.count - a.count)
  const insight = insights.find((one) => one.issue_number === most?.issue_number)
  if (!most || !insight) throw new Error('nothing grew')
  return { ...most, insight }
}

test('what was there, and what the strip says has changed, is what the list has', () => {
  const changed = new Map(changes.changed?.map((one) => [one.issue_number, one.count]))
  const expected = insights.map(({ issue_number: number }) => [
    number,
    (before.get(number) ?? 0) + (changed.get(number) ?? 0),
  ])
  expect(expected).toEqual(insights.map((one) => [one.issue_number, one.mention_count]))
  expect(changes.changed?.length).toBeGreaterThan(5)
})

test("the import's result names the same changes", async () => {
  const result = await get<ImportResult>(`/api/imports/${importId}/insights`)
  const changed = new Map(changes.changed?.map(({ issue_number, ...change }) => [issue_number, change]))
  const named = [...result.created_insights, ...result.grown_insights]
  expect(named.length).toBeGreaterThan(5)
  const listed = counts(insights)
  expect(named.map((one) => [one.issue_number, one.mentions, one.change])).toEqual(
    named.map((one) => [one.issue_number, listed.get(one.issue_number), changed.get(one.issue_number)]),
  )
})

test('the history of each insight adds up to its count', async () => {
  for (const change of changes.changed ?? []) {
    const number = change.issue_number
    const { history } = await get<InsightDetail>(`/api/insights/${number}/detail`)
    const told = history.flatMap((entry) => entry.change?.count ?? [])
    expect([number, sum(told)]).toEqual([number, counts(insights).get(number)])
  }
})

test('the report of both days counts what the list counts', async () => {
  const year = new Date().getUTCFullYear()
  const report = await get<Report>(`/api/insights/report?from=${year - 1}-12-01&to=${year}-12-31`)
  expect(report.all.total).toBe(sum([...counts(insights).values()]))
})

test('the digest says how many more, and how many in all, as list and strip do', async () => {
  const { text } = await get<{ text: string }>('/api/digest/preview?mail=daily')
  const lines = [...text.matchAll(/^- (.+) \((\d+) more, (\d+) mentions in all\)$/gm)]
  expect(lines.length).toBeGreaterThan(0)
  for (const [, name, more, all] of lines) {
    const insight = insights.find((one) => one.issue_name === name)
    const change = changes.changed?.find((one) => one.issue_number === insight?.issue_number)
    expect([name, Number(more), Number(all)]).toEqual([name, change?.count, insight?.mention_count])
  }
})

test('the numbers of the largest insights, side by side, are the same everywhere', async () => {
  const imported = await get<ImportResult>(`/api/imports/${importId}/insights`)
  const digest = (await get<{ text: string }>('/api/digest/preview?mail=daily')).text
  const year = new Date().getUTCFullYear()
  const { insights: reported } = await get<ReplyOf<typeof getReportPart>>(
    `/api/insights/report/part?from=${year - 1}-12-01&to=${year}-12-31&by=none`,
  )
  const lines: string[] = []
  for (const { issue_number: number, total } of reported) {
    const insight = insights.find((one) => one.issue_number === number)
    const { history } = await get<InsightDetail>(`/api/insights/${number}/detail`)
    const told = sum(history.flatMap((entry) => entry.change?.count ?? []))
    const change = changes.changed?.find((one) => one.issue_number === number)?.count ?? 0
    const named = [...imported.created_insights, ...imported.grown_insights].find((one) => one.issue_number === number)
    const mailed = [...digest.matchAll(/^- (.+) \((\d+) more, (\d+) mentions in all\)$/gm)].find(
      ([, name]) => name === insight?.issue_name,
    )
    const evening = before.get(number) ?? 0
    expect([number, insight?.mention_count, told, total, evening + change]).toEqual([
      number,
      total,
      total,
      total,
      total,
    ])
    // Not every insight is in the result of the import or in the digest, or was pushed: there, nothing else is said.
    expect([named?.mentions ?? total, named?.change?.count ?? change]).toEqual([total, change])
    expect([Number(mailed?.[2] ?? change), Number(mailed?.[3] ?? total)]).toEqual([change, total])
    expect(pushed.get(number) ?? evening).toBe(evening)
    const cells = [
      `${insight?.issue_name}`,
      evening,
      pushed.get(number) ?? '',
      `${insight?.mention_count} ${change === 0 ? '' : signed(change)}`.trim(),
      change === 0 ? '' : signed(change),
      named ? `${named.mentions} ${signed(named.change?.count ?? 0)}` : '',
      told,
      total,
      mailed ? `${mailed[2]} more, ${mailed[3]} in all` : '',
    ]
    lines.push(`| ${cells.join(' | ')} |`)
  }
  expect(lines.length).toBeGreaterThan(5)
  expect(pushed.size).toBe(PUSHED)
  const folder = process.env.GROUNDSWELL_PICTURES
  if (folder) await writeFile(`${folder}/second-morning.md`, `${lines.join('\n')}\n`)
})

test('list, strip and panel show these numbers on the screen', async () => {
  const { insight, count, new: fresh } = mostChanged()
  await page.goto('/insights')
  const strip = page.getByRole('region', { name: 'Since your last visit' })
  const added = sum((changes.changed ?? []).map((one) => one.count))
  await strip.getByText(`${signed(added)} mentions`).waitFor()
  const row = page.getByRole('row').filter({ hasText: insight.issue_name })
  const cell = await row.textContent()
  expect(cell).toContain(String(insight.mention_count))
  expect(cell).toContain(signed(count))
  await pictures(page, 'second-morning-list')
  await page.goto(`/insights?issue=${insight.issue_number}`)
  const panel = page.getByRole('dialog')
  await panel.getByText(`${insight.mention_count} mentions`).first().waitFor()
  await panel.getByRole('tab', { name: 'Activity' }).click()
  await panel
    .getByText(`${signed(fresh)} new`)
    .first()
    .waitFor()
  await untilLoaded(page)
  await panel.locator('.skeleton').first().waitFor({ state: 'detached' })
  await picture(page, 'second-morning-panel')
})
