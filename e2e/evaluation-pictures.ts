import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { type Look, launchBrowser, visit } from './browser.ts'
import { IMAGES, type RunningDemo, withDemo } from './running-demo.ts'

/** Takes the screenshots for the example of docs/evaluation.md from a running demo: its comparison, its sessions, and how a run of one's own begins. */

const FOLDER = `${IMAGES}/evaluation`

await mkdir(FOLDER, { recursive: true })
await withDemo(async (demo) => {
  const browser = await launchBrowser()
  await picture(browser, demo, 'comparison', {}, compare)
  await picture(browser, demo, 'comparison-dark', { theme: 'dark', width: 390 }, compare)
  await picture(browser, demo, 'session', { theme: 'dark' }, openSession)
  await picture(browser, demo, 'session-narrow', { width: 390 }, openSession)
  await picture(browser, demo, 'compared', {}, async (page) => {
    await openSession(page)
    await page.getByRole('button', { name: 'Show analysis' }).click()
    await page.getByLabel('Compare with').selectOption('two-weeks-words.json')
    await page
      .getByText(/improved/)
      .first()
      .waitFor()
  })
  await picture(browser, demo, 'new-run', {}, async (page) => {
    await page.goto('/comparisons')
    await page.getByRole('button', { name: 'New run' }).first().click()
    await page
      .getByRole('status', { name: 'Estimate' })
      .getByText(/No language model is called/)
      .waitFor()
  })
  await browser.close()
})

async function picture(
  browser: Browser,
  { origin, token }: RunningDemo,
  name: string,
  look: Look,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, close } = await visit(browser, origin, { token, ...look })
  await show(page)
  await page.screenshot({ path: `${FOLDER}/${name}.png` })
  await close()
}

async function compare(page: Page): Promise<void> {
  await page.goto('/comparisons')
  await page.getByLabel('Directory').selectOption('two-weeks')
  await page.getByRole('button', { name: 'Apply Generator Filter' }).click()
  await page.getByRole('option', { name: 'channel-customer-feedback' }).waitFor({ state: 'attached' })
  await page.getByLabel('Input source').selectOption('channel-customer-feedback')
  await page.getByText('2026-09-07 - 2026-09-20', { exact: true }).waitFor()
}

async function openSession(page: Page): Promise<void> {
  await page.goto('/eval')
  await page.getByLabel('Eval session').selectOption('two-weeks-sentences.json')
  await page.getByText('Page 1 of 10', { exact: true }).waitFor()
}
