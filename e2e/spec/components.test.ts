import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, visit } from '../browser.ts'
import { BARE_WEB_VARIABLE } from './bare-web.ts'
import { type Front, startFront } from './front.ts'
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

test.each(['light', 'dark'] as const)(
  '/ui shows every component in %s without a violation that axe can find',
  async (theme) => {
    const { page, faults, close } = await visit(browser, front.url, { theme })
    await page.goto('/ui')
    await page.getByRole('heading', { name: 'Components' }).waitFor()
    for (const part of ['Colours', 'Type', 'Buttons', 'Fields', 'States', 'Popups', 'Data']) {
      await page.getByRole('heading', { name: part, exact: true }).waitFor()
    }
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)
