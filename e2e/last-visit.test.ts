import { text as read } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Look, untilIdle, type Visit, visit } from './browser.ts'
import { connectAsOwner } from './database.ts'
import { picture, problemsInLooks, problemsOf, widen } from './looks.ts'
import { seed } from './seed.ts'
import { ann, browser, stack, token, useAnn } from './workspace.ts'

/** More than the time between two polls of the list. */
const POLL_MS = 16_000
const bo = { email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' }

useAnn()
/** Ann was here yesterday. Since then 3 and 8 were made, 14 grew, 7 was resolved and 13 regressed; 4 and 9 are small. */
beforeAll(async () => {
  await seed(stack, ann.email, { insights: 20, tags: 1, mentions: 6 })
  // Texts that differ: copies are shown once.
  await sql(`update feedback_item set text = text || ' (' || external_id || ')'`)
  await sql(`update statement s set end_offset = length(item.text) from feedback_item item where item.id = s.item_id`)
  await sql(`update insight set created_at = now() - interval '40 days'`)
  await sql(`update feedback_item set stored_at = now() - interval '40 days', said_at = said_at - interval '2 days'`)
  await sql(`update statement set said_at = said_at - interval '2 days'`)
  await sql(
    `update feedback_item set stored_at = now() - interval '2 hours' where external_id ~ '^14-[1-4]$' or external_id = '2-1'`,
  )
  await sql(`update insight set created_at = now() - interval '3 hours' where issue_number in (3, 8)`)
  await sql(`update insight set mention_count = 2 where issue_number in (4, 9)`)
  await sql(`update insight set last_updated = now() - interval '5 hours'`)
  await sql(`insert into insight_event (workspace_id, issue_number, at, event, detail)
    select workspace_id, issue_number, now() - interval '1 hour', 'status', jsonb_build_object('to', status)
    from insight where issue_number in (7, 13)`)
  await sql(`insert into visit (workspace_id, account_id, seen_at, shown_until)
    select workspace_id, account_id, now() - interval '1 day', now() - interval '1 day' from member`)
  await sql(`update insight set revision = (select revision + 1 from workspace)`)
  await sql(`update workspace set revision = revision + 1`)
})

/** Changes the first workspace directly in the database. */
async function sql(text: string): Promise<void> {
  const client = await connectAsOwner(stack)
  await client.query(
    `select set_config('groundswell.workspace', (select workspace_id::text from session order by created_at limit 1), false)`,
  )
  // The owner may be a superuser, who sees every workspace.
  await client.query('set role groundswell_app')
  await client.query(text)
  await client.end()
}

async function open(path = '/insights', look: Look = {}): Promise<Visit> {
  const visited = await visit(browser, stack.url, { token, ...look })
  await visited.page.goto(path)
  return visited
}

const stripOf = (page: Page) => page.getByRole('region', { name: 'Since your last visit' })
const names = (page: Page) => page.locator('[data-row]').allTextContents()
const numbers = async (page: Page) => (await names(page)).map((name) => Number(/\d+$/.exec(name)?.[0]))

test('a new account has no strip, and nothing is requested for it', async () => {
  const other = await stack.signUp(bo)
  const { page, close, faults } = await open('/insights', { token: other })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.clock.install()
  const noted = page.waitForResponse('**/api/insights/visit')
  await page.reload()
  await page.getByText('No insights yet').waitFor()
  await noted
  const polled = page.waitForResponse('**/api/insights/get-all')
  await page.clock.fastForward(POLL_MS)
  await polled
  await expect.poll(() => stripOf(page).count()).toBe(0)
  expect(asked).not.toContain('/api/insights/changes')
  expect(faults).toEqual([])
  await close()
})

test('what changed since the last visit is above the table, which does not move when it arrives', async () => {
  const { page, close, faults } = await open('about:blank')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/insights/changes*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/insights')
  await page.getByRole('row').nth(5).waitFor()
  await page.getByRole('combobox', { name: 'Time' }).waitFor()
  const before = await page.getByRole('table').boundingBox()
  held.resolve()
  const strip = stripOf(page)
  // If midnight passes while this file runs, the weekday.
  await strip.getByText(/^Since (yesterday|[A-Z][a-z]+day), /).waitFor()
  expect(await page.getByRole('table').boundingBox()).toEqual(before)
  await expect
    .poll(() => strip.getByRole('button').allTextContents())
    .toEqual(['2 new', '1 growing', '1 regressed', '1 resolved'])
  const mentions = strip.getByText('+5 mentions')
  await mentions.waitFor()
  await widen(page, 390)
  // On a phone the day, the mentions and two groups are in view.
  const ends = await page.evaluate<number[]>(
    `[...document.querySelector('[aria-label="Since your last visit"]').children].map((one) => one.getBoundingClientRect().right)`,
  )
  expect(ends.slice(0, 4).filter((end) => end > 390)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('a group filters the table; the same click, Escape and Clear show all again; reloading does not clear it', async () => {
  const { page, close } = await open()
  const strip = stripOf(page)
  const isNew = strip.getByRole('button', { name: '2 new' })
  await isNew.click()
  await expect.poll(async () => (await numbers(page)).toSorted((a, b) => a - b)).toEqual([3, 8])
  await expect.poll(() => new URL(page.url()).search).toBe('?change=new')
  await page.getByRole('status').filter({ hasText: '2 of 20' }).waitFor()
  await page.reload()
  await expect.poll(() => isNew.getAttribute('aria-pressed')).toBe('true')
  await expect.poll(() => page.locator('[data-row]').count()).toBe(2)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('[data-row]').count()).toBe(18)
  await strip.getByRole('button', { name: '1 growing' }).click()
  await expect.poll(() => numbers(page)).toEqual([14])
  await strip.getByRole('button', { name: '1 growing' }).click()
  await expect.poll(() => page.locator('[data-row]').count()).toBe(18)
  await strip.getByRole('button', { name: '1 resolved' }).click()
  await expect.poll(() => numbers(page)).toEqual([7])
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.poll(() => page.locator('[data-row]').count()).toBe(18)
  await close()
})

test('each row has the mentions that arrived since, on wide and narrow screens', async () => {
  const { page, close } = await open()
  const row = (number: number) => page.getByRole('row').filter({ hasText: new RegExp(` ${number}(?!\\d)`) })
  for (const width of [1440, 390] as const) {
    await widen(page, width)
    await row(14).getByText('+4').locator('visible=true').waitFor()
    await row(2).getByText('+1').locator('visible=true').waitFor()
    await expect.poll(() => page.getByRole('table').getByText(/^\+\d/).locator('visible=true').count()).toBe(2)
  }
  await close()
})

test('small insights are folded at the end, found by their group, and listed in order on demand', async () => {
  const { page, close } = await open()
  const small = page.getByRole('button', { name: /^Small 2/ })
  await small.getByText('Fewer than 3 different mentions, so not pushed yet').waitFor()
  await small.scrollIntoViewIfNeeded()
  await picture(page, 'small')
  expect(await numbers(page)).not.toContain(4)
  await small.click()
  await expect.poll(() => page.locator('[data-row]').count()).toBe(20)
  expect((await numbers(page)).filter((number) => number === 4 || number === 9)).toHaveLength(2)
  await small.click()
  await expect.poll(() => page.locator('[data-row]').count()).toBe(18)
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('temporary 9')
  // A short list is not folded.
  await expect.poll(async () => (await numbers(page)).toSorted((a, b) => a - b)).toEqual([9, 19])
  await close()
})

test('Largest first sorts by mentions descending, Newest first as at first; the last 24 hours are a filter', async () => {
  await sql(`update insight set mention_count = 40, last_seen = now() - interval '5 hours' where issue_number = 11`)
  await sql(`update insight set last_seen = now() - interval '3 days' where issue_number <> 11`)
  await sql(`update insight set revision = (select revision + 1 from workspace)`)
  await sql(`update workspace set revision = revision + 1`)
  await sql(`select pg_notify('revision', workspace_id || ':' || revision) from workspace`)
  const { page, close } = await open()
  const choose = async (entry: string) => {
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  await choose('Largest first')
  await expect.poll(async () => (await numbers(page))[0]).toBe(11)
  // The same insight was the first before.
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'Mentions' }).getAttribute('aria-sort'))
    .toBe('descending')
  await choose('Newest first')
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await page.getByRole('combobox', { name: 'Time' }).selectOption('Last 24 hours')
  await expect.poll(() => numbers(page)).toEqual([11])
  await close()
})

test('the panel has three quotes directly below the summary; another row is shown, any other click closes it and acts', async () => {
  const { page, close } = await open('/insights?issue=14')
  const panel = page.getByRole('dialog')
  const quotes = panel.getByRole('group', { name: 'Newest quotes' })
  await quotes.waitFor()
  await expect.poll(() => quotes.locator('blockquote').count()).toBe(3)
  expect((await panel.boundingBox())?.width).toBe(520)
  const summary = panel.getByText('Customers say that this happens again')
  // Both move when what is above them arrives.
  await expect
    .poll(async () => {
      const [above, below] = [await summary.boundingBox(), await quotes.boundingBox()]
      return (below?.y ?? Infinity) - ((above?.y ?? 0) + (above?.height ?? 0))
    })
    .toBeLessThanOrEqual(24)
  await page
    .getByRole('row')
    .filter({ hasText: / 16(?!\d)/ })
    .click({ position: { x: 40, y: 22 } })
  await panel.getByText('#16').waitFor()
  await stripOf(page).getByRole('button', { name: '2 new' }).click()
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('[data-row]').count()).toBe(2)
  await close()
})

test('j and k move over the rows like the arrows, and not while typing', async () => {
  const { page, close } = await open()
  await page.locator('[data-row="2"]').waitFor()
  await untilIdle(page)
  const focused = () => page.evaluate('document.activeElement?.dataset.row ?? ""')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect.poll(focused).toBe('1')
  await page.keyboard.press('k')
  await expect.poll(focused).toBe('0')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('1')
  await page.keyboard.press('/')
  await page.keyboard.type('jk')
  await expect.poll(() => page.getByRole('searchbox', { name: 'Search insights' }).inputValue()).toBe('jk')
  await close()
})

test('the import page says that the server cannot be reached, before and after it has loaded', async () => {
  const { page, close } = await open('/import')
  await page.getByText('None yet.').waitFor()
  await page.route('**/api/imports**', (route) => route.abort())
  const alert = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })
  await alert.waitFor()
  await page.unroute('**/api/imports**')
  await alert.waitFor({ state: 'detached' })
  await page.route('**/api/imports**', (route) => route.abort())
  await page.reload()
  await alert.waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true)
  await close()
})

test('the insights that pass the filters are exported with their mentions, as CSV and JSONL', async () => {
  const { page, close, faults } = await open('/insights?change=new')
  await expect.poll(() => page.locator('[data-row]').count()).toBe(2)
  for (const format of ['CSV', 'JSONL'] as const) {
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export' })
    await dialog.getByText('The 2 of 20 insights that pass the filters, with all their mentions.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await picture(page, 'export')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: `${format} export` }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`groundswell-insights.${format.toLowerCase()}`)
    const text = await read(await file.createReadStream())
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(format === 'CSV' ? 13 : 2)
    expect(text).toContain('The export of our reports fails again')
    await dialog.waitFor({ state: 'detached' })
  }
  await page.route('**/api/insights/export', (route) => route.abort())
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await page.getByRole('button', { name: 'CSV export' }).click()
  await page.getByText('Export failed').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('in every look axe finds no violation, and nothing is wider than the screen', async () => {
  const { page, close, faults } = await open()
  const isNew = stripOf(page).getByRole('button', { name: '2 new' })
  await isNew.waitFor()
  await page.getByRole('button', { name: /^Small/ }).waitFor()
  expect(await problemsInLooks(page, 'list')).toEqual([])
  await isNew.click()
  await expect.poll(() => page.locator('[data-row]').count()).toBe(2)
  await page.locator('[data-row="0"]').click()
  await page.getByRole('dialog').getByRole('group', { name: 'Newest quotes' }).waitFor()
  expect(await problemsInLooks(page, 'panel')).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('after a large import, when everything is new, the order by size is one click away', async () => {
  await sql(`update insight set mention_count = 40 where issue_number = 11`)
  await sql(`update insight set last_updated = now(), revision = (select revision + 1 from workspace)`)
  await sql(`update workspace set revision = revision + 1`)
  await sql(`select pg_notify('revision', workspace_id || ':' || revision) from workspace`)
  const { page, close, faults } = await open()
  const offer = stripOf(page).getByRole('button', { name: 'Largest first' })
  await offer.waitFor()
  expect(await problemsInLooks(page, 'largest-first')).toEqual([])
  await offer.click()
  await expect.poll(async () => (await numbers(page))[0]).toBe(11)
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-mentions')
  await offer.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})
