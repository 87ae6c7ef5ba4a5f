import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

useAnn()
beforeAll(async () => {
  await stack.call(token, 'POST', '/api/imports?name=f.csv', csvOf(peopleSaying))
  const listed = async () => ((await stack.call(token, 'GET', '/api/insights/get-all')) as unknown[]).length > 0
  await vi.waitUntil(listed, { timeout: 120_000, interval: 100 })
})

/** The files that `web/check-budget.ts` counts for a first route. */
function counted(screen: string): string[] {
  const script = path.resolve(import.meta.dirname, '../web/check-budget.ts')
  const files = JSON.parse(
    execFileSync(process.execPath, [script, `--files=${screen}`], { encoding: 'utf8' }),
  ) as string[]
  return files.map((file) => `/${file}`).toSorted()
}

/** Records the moment when something first appears on the page. */
const noteUsable = (selector: string) => `
  new MutationObserver((_, observer) => {
    if (!document.querySelector(${JSON.stringify(selector)})) return
    window.usableAt = performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`

/** The assets that the page is fetching. */
function assetsUnderWay(page: Page): Set<Request> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/assets/')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return open
}

/** Waits until the page is usable and has fetched what it began to fetch before: the browser lists a file only then. */
async function untilUsable(page: Page, underWay: Set<Request>): Promise<void> {
  await expect.poll(() => page.evaluate('window.usableAt !== undefined')).toBe(true)
  await expect.poll(() => underWay.size).toBe(0)
}

/** The assets that the page began to fetch before, and after, it was usable. */
async function fetched(page: Page): Promise<{ before: string[]; after: string[] }> {
  const [usableAt, requests] = (await page.evaluate(
    `[usableAt, performance.getEntriesByType('resource').map(({ name, startTime }) => [new URL(name).pathname, startTime])]`,
  )) as [number, [string, number][]]
  const assets = requests.filter(([file]) => file.startsWith('/assets/'))
  const names = (some: [string, number][]) => [...new Set(some.map(([file]) => file))].toSorted()
  return {
    before: names(assets.filter(([, at]) => at < usableAt)),
    after: names(assets.filter(([, at]) => at >= usableAt)),
  }
}

test('the budget counts every file that a browser requests before the table of insights is usable, and no other', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.addInitScript({ content: noteUsable('tbody tr[aria-rowindex]') })
  const underWay = assetsUnderWay(page)
  await page.goto('/insights')
  await untilUsable(page, underWay)
  expect((await fetched(page)).before).toEqual(counted('features/insights/insights-page.tsx'))
  await expect.poll(async () => (await fetched(page)).after.length).toBeGreaterThan(0)
  expect(faults).toEqual([])
  await close()
})

test('the same for the log-in', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await page.addInitScript({ content: noteUsable('input[type=password]') })
  const underWay = assetsUnderWay(page)
  await page.goto('/auth')
  await untilUsable(page, underWay)
  expect((await fetched(page)).before).toEqual(counted('features/accounts/sign-in/auth-page.tsx'))
  expect(faults).toEqual([])
  await close()
})

test('every file of the app starts, whatever it shares with others', async () => {
  const manifest = path.resolve(import.meta.dirname, '../web/dist/.vite/manifest.json')
  const parts = Object.values(JSON.parse(await readFile(manifest, 'utf8')) as Record<string, { file: string }>)
  const files = [...new Set(parts.map(({ file }) => `/${file}`))].filter((file) => file.endsWith('.js'))
  expect(files.length).toBeGreaterThan(100)
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/insights')
  const failures = await page.evaluate(
    `Promise.all(${JSON.stringify(files)}.map((file) => import(file).then(() => [], (error) => [file + ': ' + error])))`,
  )
  expect((failures as string[][]).flat()).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('with these files alone the table sorts, a row shows what is missing, and a toast is shown', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  const allowed = new Set(counted('features/insights/insights-page.tsx'))
  await page.route('**/assets/**', (route) =>
    allowed.has(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
  )
  await page.goto('/insights')
  await page.locator('tbody tr[aria-rowindex]').first().waitFor()
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect.poll(() => page.locator('th[aria-sort=ascending]').textContent()).toBe('Name')
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.locator('li.toast').getByText('Could not open').waitFor()
  await page.locator('tbody tr[aria-rowindex]').first().click()
  await page.getByRole('alert').getByText('This part could not be loaded.').waitFor()
  expect(faults).toEqual([])
  await close()
})
