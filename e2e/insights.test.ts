import { expect, test } from 'vitest'
import { untilIdle, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

/** More than the time between two polls of the list. */
const POLL_MS = 16_000

useAnn({ file: csvOf(peopleSaying) })

async function list(): Promise<{ issue_number: number; issue_name: string }[]> {
  return (await stack.call(token, 'GET', '/api/insights/get-all')) as { issue_number: number; issue_name: string }[]
}

const open = async (path: string, width: 1440 | 390 = 1440) => {
  const visited = await visit(browser, stack.url, { token, width })
  await visited.page.goto(path)
  return visited
}

test('the newest change is first; a click on a column sorts by it, ascending first, then descending', async () => {
  const { page, close } = await open('/insights')
  await page.getByRole('row').nth(3).waitFor()
  const names = async () => page.getByRole('row').locator('[dir=auto]').allTextContents()
  await expect.poll(() => page.locator('[aria-sort=descending]').textContent()).toContain('Updated')
  await page.getByRole('button', { name: 'Name' }).click()
  await expect.poll(() => page.locator('[aria-sort=ascending]').textContent()).toContain('Name')
  const ascending = (await names()).sort((a, b) => a.localeCompare(b))
  expect(ascending.length).toBeGreaterThanOrEqual(3)
  await expect.poll(names).toEqual(ascending)
  await page.getByRole('button', { name: 'Name' }).click()
  await expect.poll(names).toEqual([...ascending].reverse())
  await close()
})

test('a row opens a panel of 520 px with its quotes; Escape, the button and a click outside close it', async () => {
  const { page, close } = await open('/insights')
  const row = page.getByRole('row').filter({ hasText: /csv export/i })
  const panel = page.getByRole('dialog')
  await row.click()
  await panel.getByText('CSV export fails as soon as the report is large').first().waitFor()
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(520)
  await expect.poll(() => page.url()).toContain('issue=')
  await untilIdle(page)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await row.click()
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
  await row.click()
  await panel.waitFor()
  await untilIdle(page)
  await page.mouse.click(400, 850)
  await panel.waitFor({ state: 'detached' })
  await close()
})

test('a deleted insight disappears, returns by Undo, and otherwise stays deleted', async () => {
  const { page, close } = await open('/insights')
  const row = page.getByRole('row').filter({ hasText: /dark mode/i })
  const names = async () => (await list()).map(({ issue_name }) => issue_name.toLowerCase()).join('\n')
  const remove = async () => {
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
  }
  await remove()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
  // It appears before the server has restored it.
  await expect.poll(names).toContain('dark mode')
  await remove()
  await expect.poll(names).not.toContain('dark mode')
  await stack.call(token, 'POST', '/api/imports?name=more.csv', 'text\n"Lunch at one?"\n"Where is the coffee?"')
  await stack.grouped()
  await page.reload()
  await page
    .getByRole('row')
    .filter({ hasText: /csv export/i })
    .waitFor()
  await expect.poll(() => row.count()).toBe(0)
  await close()
})

test('search narrows the list and shows when nothing is found; keys move through it', async () => {
  const { page, close } = await open('/insights')
  const other = page.getByRole('row').filter({ hasText: /log in/i })
  await other.waitFor()
  await untilIdle(page)
  await page.keyboard.press('/')
  await page.keyboard.type('csv export')
  await other.waitFor({ state: 'detached' })
  await page.getByLabel('Search insights').fill('no such thing at all')
  await page.getByText('Nothing found').waitFor()
  await page.getByLabel('Search insights').fill('')
  await page.getByRole('row').nth(2).waitFor()
  await page.getByLabel('Search insights').blur()
  await untilIdle(page)
  await page.keyboard.press('ArrowDown')
  await untilIdle(page)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => page.url()).toContain('issue=')
  await close()
})

test('new feedback appears automatically, without a reload', async () => {
  const { page, close } = await visit(browser, stack.url, { token })
  await page.clock.install()
  await page.goto('/insights')
  await page
    .getByRole('row')
    .filter({ hasText: /csv export/i })
    .waitFor()
  const more = [
    'The Android widget drains the battery',
    'Android widget drains my battery',
    'My battery is drained by the Android widget',
  ]
  await stack.call(token, 'POST', '/api/imports?name=widget.txt', more.join('\n'))
  await stack.grouped()
  await page.clock.fastForward(POLL_MS)
  const row = page.getByRole('row').filter({ hasText: /widget/i })
  await row.waitFor({ timeout: 90_000 })
  await expect.poll(() => row.textContent(), { timeout: 60_000 }).toContain('3 mentions')
  await close()
})

test('a phone shows the list without scrolling sideways', async () => {
  const { page, close } = await open('/insights', 390)
  await page
    .getByText(/csv export/i)
    .first()
    .waitFor()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await close()
})

test('a failed fetch leaves the page as it is', async () => {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.route('**/api/insights/get-all', (route) => route.fulfill({ status: 500, body: '{}' }))
  await visited.page.goto('/insights')
  await visited.page.getByText('No insights to show').waitFor()
  await visited.page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  expect(visited.faults).toEqual([])
  await visited.close()
})
