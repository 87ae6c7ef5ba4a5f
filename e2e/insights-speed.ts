import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, visit } from './browser.ts'

/**
 * Measures the list of insights of a running server in a real browser, and prints one line of JSON: rows in the document,
 * milliseconds of the 95th percentile of a frame, of the slowest interaction on a slow processor, and the layout shift.
 *   node e2e/insights-speed.ts --url=http://127.0.0.1:3000 --token=…
 */
const SLOWER = 4
const WHEELS = 120
const WHEEL_PX = 240
const PAGE_TIMEOUT_MS = 60_000

/** What the page records about itself: frames while `scrolling`, layout shifts, and how long interactions took. */
const OBSERVERS = `
  window.seen = { frames: [], rows: 0, shift: 0, interactions: {}, scrolling: false }
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) seen.shift += one.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
      if (one.interactionId) seen.interactions[one.interactionId] = Math.max(seen.interactions[one.interactionId] ?? 0, one.duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  let before = 0
  requestAnimationFrame(function frame(now) {
    if (seen.scrolling) {
      if (before) seen.frames.push(now - before)
      seen.rows = Math.max(seen.rows, document.querySelectorAll('tbody tr').length)
    }
    before = seen.scrolling ? now : 0
    requestAnimationFrame(frame)
  })`

type Seen = { frames: number[]; rows: number; shift: number; interactions: Record<string, number> }

const { values } = parseArgs({ options: { url: { type: 'string' }, token: { type: 'string' } } })
const { url, token } = values
if (!url || !token) throw new Error('usage: node e2e/insights-speed.ts --url=… --token=…')
const browser = await launchBrowser()
try {
  const page = await open(browser, url, token)
  await scroll(page)
  const scrolled = (await page.evaluate('seen')) as Seen
  await interact(page)
  const seen = (await page.evaluate('seen')) as Seen
  const figures = {
    rows: scrolled.rows,
    frame: percentile(scrolled.frames, 0.95),
    interaction: Math.max(0, ...Object.values(seen.interactions)),
    shift: seen.shift,
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
} finally {
  await browser.close()
}

async function open(browser: Browser, address: string, bearer: string): Promise<Page> {
  const { page } = await visit(browser, address, { token: bearer, motion: true })
  page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  await page.addInitScript({ content: OBSERVERS })
  await page.goto('/insights')
  await page.locator('[data-row]').first().waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /insights$/ })
    .waitFor()
  return page
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(600, 500)
  await page.evaluate('seen.scrolling = true')
  for (let wheel = 0; wheel < WHEELS; wheel += 1) {
    await page.mouse.wheel(0, WHEEL_PX)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  await page.evaluate('seen.scrolling = false')
}

/** Typical use of the list on a slow processor: sort, search, filter, move by keys, open and close. */
async function interact(page: Page): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const settled = () => page.locator('table:not([aria-busy])').waitFor()
  for (const column of ['Name', 'Mentions', 'Area', 'Updated']) {
    await page.locator('thead').getByRole('button', { name: column }).click()
    await settled()
  }
  for (const key of ['/', 'e', 'x', 'p', 'o', 'r', 't']) await page.keyboard.press(key)
  await page.getByRole('status').filter({ hasText: ' of ' }).waitFor()
  await settled()
  for (let letter = 0; letter < 6; letter += 1) await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await page
    .getByRole('status')
    .filter({ hasText: /insights$/ })
    .waitFor()
  await page.locator('button[aria-haspopup=dialog]').filter({ hasText: 'Status' }).click()
  await page.getByRole('checkbox', { name: /^Pushed/ }).click()
  await page.getByRole('status').filter({ hasText: ' of ' }).waitFor()
  await page.keyboard.press('Escape')
  await settled()
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog')
  await panel.getByText('Evidence').waitFor()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.locator('[data-row]').nth(4).click()
  await panel.getByText('Evidence').waitFor()
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))')
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
