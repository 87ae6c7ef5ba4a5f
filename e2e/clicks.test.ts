import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { connectAsOwner } from './database.ts'
import { picture } from './looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

/** What the main tasks of a morning cost in clicks. Telling ten customers is counted in `who-asked.test.ts`. */

const SUBJECTS = [
  'The CSV export fails for large reports',
  'I cannot log in since the update on Monday',
  'Please add a dark mode to the app',
  'The invoice shows the wrong billing address',
  'Calendar events do not sync with Outlook',
  'The mobile timer stops when the phone is locked',
  'Searching for a customer by phone number is very slow',
]
const PEOPLE = ['Ann', 'Bob', 'Cem', 'Dee']

type Listed = { issue_number: number; issue_name: string; mention_count: number }

let visited: Visit

useAnn()
beforeAll(async () => {
  await stack.call(token, 'POST', '/api/user/update-settings', { method: 'auto', min_inputs: 10, categories: [] })
  await stack.call(token, 'POST', '/api/webhook/add', { webhook: stack.receiver.hookUrl })
  await stack.call(token, 'GET', '/api/webhook/signing-secret')
  await wasHereYesterday()
  const lines = SUBJECTS.flatMap((text, subject) =>
    PEOPLE.map((person) => `${subject}-${person},${text},${person},2026-11-0${subject + 1}`),
  )
  await stack.call(token, 'POST', '/api/imports?name=f.csv', ['id,text,author,date', ...lines].join('\n'))
  await stack.grouped()
  visited = await visit(browser, stack.url, { token })
})
afterAll(async () => {
  await visited.close()
})

async function wasHereYesterday(): Promise<void> {
  const client = await connectAsOwner(stack)
  await client.query(
    `select set_config('groundswell.workspace', (select workspace_id::text from session limit 1), false)`,
  )
  await client.query(`insert into visit (workspace_id, account_id, seen_at, shown_until)
    select workspace_id, account_id, now() - interval '1 day', now() - interval '1 day' from member`)
  await client.end()
}

const insights = async () => (await stack.call(token, 'GET', '/api/insights/get-all')) as Listed[]

/** Counts the clicks of a task. */
class Clicks {
  count = 0
  async click(target: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    this.count += 1
    await target.click(options)
  }
}

test('what changed since yesterday is seen with at most one click', async () => {
  const { page } = visited
  const clicks = new Clicks()
  await page.goto('/insights')
  const strip = page.getByRole('region', { name: 'Since your last visit' })
  await strip.getByRole('button', { name: /7 new/ }).waitFor()
  await clicks.click(strip.getByRole('button', { name: /7 new/ }))
  await expect.poll(() => page.locator('[data-row]').count()).toBe(SUBJECTS.length)
  expect(clicks.count).toBeLessThanOrEqual(1)
  await picture(page, 'morning-changes')
})

test('an insight is checked and pushed with two clicks', async () => {
  const { page } = visited
  const clicks = new Clicks()
  await page.goto('/insights')
  await clicks.click(page.locator('[data-row]').filter({ hasText: /export/i }))
  const panel = page.getByRole('dialog')
  await panel
    .getByText(SUBJECTS[0] as string)
    .first()
    .waitFor()
  await clicks.click(panel.getByRole('button', { name: 'Push' }))
  await panel.getByText('Delivered', { exact: true }).waitFor({ timeout: 60_000 })
  expect(clicks.count).toBe(2)
  await picture(page, 'morning-push')
  expect(stack.receiver.received().filter(({ payload }) => payload?.type === 'insight.created')).toHaveLength(1)
})

test('six insights are merged with four clicks', async () => {
  const { page } = visited
  const clicks = new Clicks()
  await page.goto('/insights')
  const row = page.getByRole('row').nth(1)
  const boxes = page.getByRole('checkbox', { name: /^Select /, includeHidden: true })
  await boxes.nth(5).waitFor({ state: 'attached' })
  await row.hover()
  await clicks.click(boxes.nth(0))
  await clicks.click(boxes.nth(5), { modifiers: ['Shift'] })
  await clicks.click(page.getByRole('region', { name: 'Selected insights' }).getByRole('button', { name: 'Merge…' }))
  await picture(page, 'morning-merge')
  await clicks.click(page.getByRole('dialog', { name: 'Merge 6 insights into' }).getByRole('button', { name: 'Merge' }))
  // One after another, each with a grouping.
  await page.getByText(/^5 insights merged into #\d+$/).waitFor({ timeout: 90_000 })
  expect(clicks.count).toBe(4)
  expect((await insights()).map((one) => one.mention_count).toSorted((a, b) => b - a)).toEqual([24, 4])
})
