import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Look } from './browser.ts'

/** What axe finds on the page. */
export const problemsOf = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)

/** A screenshot of a page or a part of it for people who look, in the folder GROUNDSWELL_PICTURES; none is taken without it. */
export async function picture(shown: Page | Locator, name: string): Promise<void> {
  const folder = process.env.GROUNDSWELL_PICTURES
  if (folder) await shown.screenshot({ path: `${folder}/${name}.png` })
}

/** By how many pixels the page scrolls sideways, and the frame of the app downwards: only what is in the frame scrolls. */
const strayScroll = (page: Page) =>
  page.evaluate(`(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
    return [scrollWidth - clientWidth, document.getElementById('main') ? scrollHeight - clientHeight : 0]
  })()`)

/**
 * Checks a screen in both themes and widths, each in a page that `open` opens, that axe finds nothing, and that the page
 * does not scroll past the frame. Takes a `picture` of each.
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
      expect(await strayScroll(page), `${theme} ${width}: scrolls`).toEqual([0, 0])
      await picture(page, `${name}-${theme}-${width}`)
    }
  }
}
