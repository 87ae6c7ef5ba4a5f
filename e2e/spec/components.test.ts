import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, untilIdle, visit } from '../browser.ts'
import { problemsOf } from '../looks.ts'
import { BARE_WEB_VARIABLE } from './bare-web.ts'
import { type Front, startFront } from './front.ts'
import { styleOf } from './looks.ts'
import { standIn } from './stand-in.ts'

let front: Front
let browser: Browser

beforeAll(async () => {
  front = await startFront(standIn(process.env[BARE_WEB_VARIABLE] ?? ''))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await front.stop()
})

test('/ui shows every component without a violation that axe can find, in light and in dark', async () => {
  const { page, faults, close } = await visit(browser, front.url)
  await page.goto('/ui')
  await page.getByRole('heading', { name: 'Components' }).waitFor()
  for (const part of ['Colours', 'Type', 'Buttons', 'Fields', 'States', 'Popups', 'Data']) {
    await page.getByRole('heading', { name: part, exact: true }).waitFor()
  }
  const grounds = new Set<string>()
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`:root[data-theme=${theme}]`).waitFor()
    // Colors change within a millisecond, which may not be over yet.
    await untilIdle(page)
    grounds.add(await styleOf(page.locator('body'), 'background-color'))
    expect(await problemsOf(page), `in ${theme}`).toEqual([])
  }
  expect(grounds.size, 'the theme was switched').toBe(2)
  expect(faults).toEqual([])
  await close()
})
