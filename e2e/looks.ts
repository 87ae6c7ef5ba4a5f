import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Look } from './browser.ts'

/** What axe finds on the page. */
export const problemsOf = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)

/**
 * Checks a screen in both themes and widths, each in a page that `open` opens, and that axe finds nothing. With GROUNDSWELL_PICTURES, the name of a
 * folder, also saves a picture of each, to be looked at.
 */
export async function eachLook(
  name: string,
  open: (look: Look) => Promise<Page>,
  check: () => Promise<void>,
): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1440, 390] as const) {
      const page = await open({ theme, width })
      await check()
      expect(await problemsOf(page), `${theme} ${width}`).toEqual([])
      const folder = process.env.GROUNDSWELL_PICTURES
      if (folder) await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` })
    }
  }
}
