import type { Page } from 'playwright-core'
import { expect } from 'vitest'
export async function check(page: Page) {
  const rows = page.getByRole('row')
  expect(await rows.count()).toBe(2)
  expect(await page.getByLabel('Name').inputValue(), 'as typed').toBe('Ann')
  expect(await rows.first().isVisible()).toBe(true)
  expect(await page.evaluate('scrollY')).toBe(0)
  expect(page.url()).toContain('/insights')
  expect(new URL(page.url()).pathname).toBe('/insights')
  expect(await rows.first().evaluate((row) => row.nodeName)).toBe('TR')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/insights')
  expect([1].length).toBe(1)
}
