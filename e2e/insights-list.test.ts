import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { untilIdle, type Visit, visit } from './browser.ts'
import { seed } from './seed.ts'
import { ann, browser, stack, token, useAnn } from './workspace.ts'

const MANY = 3_000

/** More than the time between two polls of the list. */
const POLL_MS = 16_000

useAnn()
beforeAll(async () => {
  await seed(stack, ann.email, { insights: MANY, tags: 2 })
})

async function open(path: string, look: { width?: 1440 | 390 } = {}): Promise<Visit> {
  const visited = await visit(browser, stack.url, { token, ...look })
  await visited.page.goto(path)
  await visited.page.locator('[data-row]').first().waitFor()
  return visited
}

const names = (page: Page) => page.locator('[data-row]').allTextContents()
/** Columns have buttons of the same name, but open nothing. */
const filterButton = (page: Page, name: string) =>
  page.locator('button[aria-haspopup=dialog]').filter({ hasText: name })
const until = (page: Page, said: string | RegExp) => page.getByRole('status').filter({ hasText: said }).waitFor()

test('of thousands of rows few are in the document, at the top, in the middle and at the end', async () => {
  const { page, close, faults } = await open('/insights')
  await until(page, '3,000 insights')
  const table = page.getByRole('table', { name: 'Insights' })
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(MANY + 1))
  for (const place of [0, 0.5, 1]) {
    // Rows may turn out taller than estimated: then the end is further down.
    const scrolled = async () => {
      await page.evaluate(
        `(() => { const box = document.querySelector('table').parentElement; box.scrollTop = ${place} * box.scrollHeight })()`,
      )
      return page.locator(`[data-row="${Math.round(place * (MANY - 1))}"]`).isVisible()
    }
    await expect.poll(scrolled).toBe(true)
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThanOrEqual(60)
  }
  expect(faults).toEqual([])
  await close()
})

test('sorting by a tag is a click on its column, and stays over a reload', async () => {
  const { page, close } = await open('/insights')
  await page.getByRole('button', { name: 'Mood' }).click()
  await page.locator('table:not([aria-busy]) [aria-sort=ascending]').waitFor()
  const moods = async () =>
    (await page.locator('tbody tr:not([aria-hidden]) td:nth-child(6)').allTextContents()).map(Number)
  await expect.poll(moods).toSatisfy((all: number[]) => all.length > 10 && all.every((one) => one === 0))
  await page.getByRole('button', { name: 'Mood' }).click()
  await expect.poll(moods).toSatisfy((all: number[]) => all.length > 10 && all.every((one) => one === 4.9))
  await page.reload()
  await expect.poll(moods).toSatisfy((all: number[]) => all.length > 10 && all.every((one) => one === 4.9))
  await expect.poll(() => page.locator('[aria-sort=descending]').textContent()).toContain('Mood')
  await close()
})

test('filters are in the address, are counted, and are cleared', async () => {
  const { page, close } = await open('/insights?q=dark+mode')
  await until(page, '300 of 3,000')
  const chosen = () => new URL(page.url()).searchParams.getAll('tag')
  await filterButton(page, 'Tag').click()
  await page.getByRole('checkbox', { name: /^Area: Search/ }).check()
  await expect.poll(chosen).toHaveLength(1)
  await until(page, '300 of 3,000')
  await page.getByRole('checkbox', { name: /^Area: Search/ }).uncheck()
  await expect.poll(chosen).toEqual([])
  await page.getByRole('checkbox', { name: /^Area: Billing/ }).check()
  await page.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await until(page, '3,000 insights')
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await expect.poll(() => page.getByLabel('Search insights').inputValue()).toBe('')
  await filterButton(page, 'Status').click()
  await page.getByRole('checkbox', { name: /^Regressed/ }).check()
  await until(page, '600 of 3,000')
  await page.keyboard.press('Escape')
  await filterButton(page, 'Source').click()
  await page.getByRole('checkbox', { name: /^Slack/ }).check()
  await until(page, '200 of 3,000')
  await page.keyboard.press('Escape')
  await page.getByLabel('Time', { exact: true }).selectOption('Last 7 days')
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ status: 'regressed', source: 'slack', days: '7' })
  await page.reload()
  await until(page, / of 3,000/)
  const clear = page.getByRole('button', { name: 'Clear', exact: true })
  // Seen without scrolling the filters.
  const isInSight = (button: unknown) => {
    const { ownerDocument, getBoundingClientRect } = button as {
      ownerDocument: { elementFromPoint: (x: number, y: number) => unknown }
      getBoundingClientRect: () => { x: number; y: number; width: number; height: number }
    }
    const { x, y, width, height } = getBoundingClientRect.call(button)
    return ownerDocument.elementFromPoint(x + width / 2, y + height / 2) === button
  }
  await expect.poll(() => clear.evaluate(isInSight)).toBe(true)
  await clear.click()
  await until(page, '3,000 insights')
  await close()
})

test('a hidden column stays hidden', async () => {
  const { page, close } = await open('/insights')
  await page.getByRole('columnheader', { name: 'Area' }).waitFor()
  await filterButton(page, 'Columns').click()
  await page.getByRole('checkbox', { name: /^Area/ }).uncheck()
  await page.getByRole('checkbox', { name: 'Trend' }).uncheck()
  await page.getByRole('columnheader', { name: 'Area' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('columnheader', { name: 'Mood' }).waitFor()
  await expect
    .poll(() => page.getByRole('columnheader').allTextContents())
    .toEqual(['Name', 'Status', 'Mentions', 'Mood', 'Updated', 'Actions'])
  await close()
})

test('the list is restored at its scroll position, and another one starts at its top', async () => {
  const { page, close } = await open('/insights')
  const box = 'document.querySelector("table").parentElement'
  await page.evaluate(`${box}.scrollTop = 20000`)
  await page.locator('[data-row="455"]').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await page.getByRole('link', { name: 'Insights' }).click()
  await page.locator('[data-row="455"]').waitFor()
  await expect.poll(() => page.evaluate(`${box}.scrollTop`)).toBe(20_000)
  await page.reload()
  await page.locator('[data-row="455"]').waitFor()
  await page.getByRole('button', { name: 'Name' }).click()
  await page.locator('[data-row="0"]').waitFor()
  await expect.poll(() => page.evaluate(`${box}.scrollTop`)).toBe(0)
  await close()
})

test('keys move, open, search and explain themselves, and do nothing while typing', async () => {
  const { page, close } = await open('/insights')
  const first = (await names(page))[0] ?? ''
  await untilIdle(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog')
  await panel.getByRole('heading', { name: first }).waitFor()
  await untilIdle(page)
  await page.keyboard.press('ArrowDown')
  await panel.getByRole('heading', { name: (await names(page))[1] ?? '' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await untilIdle(page)
  await page.keyboard.press('?')
  await panel.getByText('Move between insights').waitFor()
  await untilIdle(page)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await untilIdle(page)
  await page.keyboard.press('/')
  await page.keyboard.type('/?')
  await expect.poll(() => page.getByLabel('Search insights').inputValue()).toBe('/?')
  await expect.poll(() => panel.count()).toBe(0)
  await close()
})

test('of thousands of insights to merge into few are in the document; typing and arrows reach every one', async () => {
  const { page, close, faults } = await open('/insights?issue=8')
  await page.getByRole('button', { name: 'Correct this insight' }).click()
  await page.getByRole('menuitem', { name: 'Merge into…' }).click()
  const options = page.getByRole('listbox').getByRole('option')
  await options.first().waitFor()
  await expect.poll(() => options.first().textContent()).toContain('Webhook is slow')
  await expect.poll(() => options.first().getAttribute('aria-setsize')).toBe(String(MANY - 1))
  await expect.poll(() => options.count()).toBeLessThanOrEqual(60)
  const scrolled = async () => {
    await page.evaluate(
      `(() => { const box = document.querySelector('[role=listbox]'); box.scrollTop = box.scrollHeight })()`,
    )
    return page.locator(`[aria-posinset="${MANY - 1}"]`).isVisible()
  }
  await expect.poll(scrolled).toBe(true)
  await expect.poll(() => options.count()).toBeLessThanOrEqual(60)
  await page.keyboard.type('dark mode 2022')
  await expect.poll(() => options.count()).toBe(1)
  await page.keyboard.press('Backspace')
  await expect.poll(() => options.count()).toBe(4)
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown')
  const box = page.getByRole('combobox', { name: 'Merge into' })
  const chosen = page.locator(`[id="${await box.getAttribute('aria-activedescendant')}"]`)
  await expect.poll(() => chosen.getAttribute('aria-selected')).toBe('true')
  const number = /#(\d+)/.exec((await chosen.textContent()) ?? '')?.[1]
  await page.keyboard.press('Enter')
  await page.getByText(`move to #${number}; #8 is removed.`).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a spike is marked, also in text', async () => {
  const { page, close } = await visit(browser, stack.url, { token })
  await page.clock.install()
  await page.goto('/insights?q=invoices')
  await page
    .getByRole('img', { name: /^Mentions in the last 12 weeks/ })
    .first()
    .waitFor()
  await seedMore()
  await stack.grouped()
  await page.clock.fastForward(POLL_MS)
  const mark = page.getByRole('img', { name: /^Spike: 9 mentions in a week, usually 0/ })
  await mark.waitFor({ timeout: 180_000 })
  await expect.poll(() => page.getByRole('row').filter({ has: mark }).textContent()).toContain('Invoices')
  await close()
})

/** One more insight, with nine mentions within two days. */
async function seedMore(): Promise<void> {
  const text = Array.from({ length: 9 }, (_, place) => `Invoices of the newest kind get lost in the mail ${place}`)
  await stack.call(token, 'POST', '/api/imports?name=spike.txt', text.join('\n'))
}
