import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import type { Locator } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { connectAsOwner } from './database.ts'
import { problemsOf } from './looks.ts'
import { toast, undoFromToast } from './toast.ts'
import { call, page, stack, useWorkspace } from './workspace.ts'

type Listed = { issue_number: number; mention_count: number }

/** The encoder reads everything, and a revision follows. */
const LONG_WAIT = { timeout: 300_000, interval: 500 }
const company = loadCompany().slice(0, 300)

useWorkspace({
  config: { encoder: {} },
  file: company.map(({ id, text, author }) => JSON.stringify({ id, text, author })).join('\n'),
  fileName: 'company.jsonl',
  prepare: async () => {
    await vi.waitUntil(async () => (await emerging()).total > 2, LONG_WAIT)
    // The encoder's last vectors may cause another revision, which would replace what is suggested.
    await stack.grouped()
  },
})

const get = (path: string) => call('GET', `/api/insights/${path}`)
const emerging = async () => (await get('emerging')) as { total: number; insights: { name: string }[] }
const insights = async () => (await get('get-all')) as Listed[]
const problems = () => problemsOf(page)

// First, because a revision after the corrections of the others would replace what is suggested.
test('insights that look like one subject are shown above the table, stay separate or are merged', async () => {
  const before = await insights()
  await suggestMerge(before.slice(0, 2))
  await page.goto('/insights')
  const strip = page.getByRole('region', { name: 'Insights that look like one subject' })
  await strip.getByText('These 2 look like one subject. Merge?').waitFor()
  expect(await problems()).toEqual([])
  await strip.getByRole('button', { name: 'Review…' }).press('x')
  await strip.waitFor({ state: 'detached' })
  await undoFromToast(page, 'They stay separate')
  await strip.getByRole('button', { name: 'Review…' }).press('a')
  const dialog = page.getByRole('dialog', { name: 'Merge these insights?' })
  await dialog.getByRole('blockquote').nth(1).waitFor()
  expect(await problems()).toEqual([])
  // It opens at its beginning, and the smaller one can be kept.
  await expect.poll(() => dialog.getByRole('radio').first().isChecked()).toBe(true)
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
  expect(await top(dialog.getByRole('radio').first())).toBeGreaterThan(await top(dialog.getByRole('heading').first()))
  const smaller = await dialog.getByRole('region').nth(1).innerText()
  const kept = Number(/#(\d+)/.exec(smaller)?.[1])
  await dialog.getByRole('radio').nth(1).check()
  await dialog.getByText(`#${kept} keeps its number and name`).waitFor()
  await dialog.getByRole('button', { name: `Merge into #${kept}` }).click()
  await toast(page, 'Merged').waitFor()
  expect(await insights()).toHaveLength(before.length - 1)
  expect((await insights()).map((one) => one.issue_number)).toContain(kept)
  await strip.waitFor({ state: 'detached' })
})

test('emerging insights are below the table; with the keyboard one is dismissed, restored, and kept', async () => {
  // The revision after the merge may still change what emerges.
  await stack.grouped()
  const before = (await insights()).length
  await page.goto('/insights')
  await page.getByRole('button', { name: /^Emerging/ }).click()
  const section = page.getByRole('region', { name: /^Emerging/ })
  const [first] = (await emerging()).insights
  const name = first?.name ?? ''
  const opener = section.getByRole('button', { name }).first()
  await opener.click()
  await section.getByRole('blockquote').nth(1).waitFor()
  expect(await problems()).toEqual([])
  await opener.press('x')
  await toast(page, 'Dismissed').waitFor()
  await opener.waitFor({ state: 'detached' })
  await undoFromToast(page, 'Dismissed')
  await opener.waitFor()
  await section.getByRole('button', { name: `Dismiss “${name}”` }).press('a')
  await toast(page, 'Insight created').waitFor()
  expect(await insights()).toHaveLength(before + 1)
  await opener.waitFor({ state: 'detached' })
})

test('what may belong to an insight is added or refused with one key each', async () => {
  await stack.grouped()
  const { issue, total } = await withSuggestions()
  const count = async () => (await insights()).find((one) => one.issue_number === issue)?.mention_count ?? 0
  const before = await count()
  await page.goto(`/insights?issue=${issue}`)
  const section = page.getByRole('region', { name: `${total} more may belong here` })
  await section.waitFor()
  expect(await problems()).toEqual([])
  await section
    .getByRole('button', { name: /^Not this/ })
    .first()
    .press('x')
  await toast(page, 'Declined').waitFor()
  expect(await count()).toBe(before)
  const rest = page.getByRole('region', { name: `${total - 1} more may belong here` })
  await rest.getByRole('button', { name: /^Add/ }).first().press('a')
  await toast(page, 'Added').waitFor()
  expect(await count()).toBe(before + 1)
})

/** An insight with at least two suggestions. */
async function withSuggestions(): Promise<{ issue: number; total: number }> {
  for (const { issue_number } of await insights()) {
    const { total } = (await get(`${issue_number}/suggestions`)) as { total: number }
    if (total >= 2) return { issue: issue_number, total }
  }
  throw new Error('No insight has two suggestions')
}

/** Stores a suggestion as a revision does, in place of those that the encoder finds in the demo company. */
async function suggestMerge(chosen: readonly Listed[]): Promise<void> {
  const numbers = chosen.map((one) => one.issue_number).toSorted((one, other) => one - other)
  const client = await connectAsOwner(stack)
  await client.query(
    `select set_config('groundswell.workspace', (select workspace_id::text from session limit 1), false)`,
  )
  await client.query('delete from merge_suggestion')
  await client.query(`insert into merge_suggestion (workspace_id, issue_numbers, score)
    select workspace_id, '{${numbers.join()}}', 1 from session limit 1`)
  await client.query('update workspace set revision = revision + 1')
  await client.end()
}
