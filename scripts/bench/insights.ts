import { existsSync } from 'node:fs'
import { seedInsights } from '@groundswell/server/faults/many-insights.ts'
import { Stack } from '@groundswell/server/faults/stack.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Figure, figure } from './figures.ts'

const INSIGHTS = 10_000
const RUNS = 3
const SLOWER = 4
const WHEELS = 120
const WHEEL_PX = 240
const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** What the page notes of itself: frames while `scrolling`, layout shifts, and how long interactions took. */
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

/** How the list of insights behaves in a browser at ten thousand rows: rows in the document, frames, interactions, shifts. */
export async function benchInsights(): Promise<Figure[]> {
  const executablePath = process.env.GROUNDSWELL_BROWSER ?? KNOWN.find((file) => existsSync(file))
  const stack = await Stack.start(['all-in-one'])
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  try {
    await stack.furnish()
    const [workspace] = await stack.query<{ id: string }>('select workspace_id as id from workspace')
    if (!workspace) throw new Error('there is no workspace')
    await seedInsights((text, values) => stack.query(text, values), workspace.id, { insights: INSIGHTS, tags: 2 })
    const rows: number[] = []
    const frames: number[] = []
    const shifts: number[] = []
    const interactions: number[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const page = await open(browser, stack)
      await scroll(page)
      const scrolled = (await page.evaluate('seen')) as Seen
      rows.push(scrolled.rows)
      frames.push(percentile(scrolled.frames, 0.95))
      await interact(page)
      const seen = (await page.evaluate('seen')) as Seen
      interactions.push(Math.max(0, ...Object.values(seen.interactions)))
      shifts.push(seen.shift)
      await page.context().close()
    }
    const many = INSIGHTS.toLocaleString('en-US')
    return [
      figure(`the list at ${many} insights: most rows in the document`, '', rows, { atMost: 60 }),
      figure('95th percentile of a frame while it is scrolled', 'ms', frames, { atMost: 33 }),
      figure(`slowest interaction, the processor ${SLOWER} times slower`, 'ms', interactions, { atMost: 200 }),
      figure('cumulative layout shift of all that', '', shifts, { atMost: 0.02 }),
    ]
  } finally {
    await browser.close()
    await stack.stop()
  }
}

async function open(browser: Browser, stack: Stack): Promise<Page> {
  const context = await browser.newContext({ baseURL: stack.client.base, viewport: { width: 1440, height: 900 } })
  await context.addInitScript((token) => localStorage.setItem('token', token), stack.client.token)
  await context.addInitScript({ content: OBSERVERS })
  const page = await context.newPage()
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

/** What people do with the list, on a slow processor: sort, search, filter, move by keys, open and close. */
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
  await panel.getByText('History').waitFor()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.locator('[data-row]').nth(4).click()
  await panel.getByText('History').waitFor()
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))')
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
