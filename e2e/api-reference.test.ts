import { AxeBuilder } from '@axe-core/playwright'
import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { createHttp } from '@groundswell/server/platform/http/create.ts'
import { silentLog } from '@groundswell/server/platform/log/log.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Look, launchBrowser, visit } from './browser.ts'

let app: Awaited<ReturnType<typeof createHttp>>
let url: string
let browser: Browser

beforeAll(async () => {
  app = await createHttp({ config: readConfig({}), log: silentLog() }, { handlers: [], authenticate: async () => null })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** Every article is made alike, and axe takes seconds for all of them. */
const MORE_ALIKE = 'main > section:first-of-type article:nth-of-type(n + 5)'

const looks: [string, Look][] = [
  ['light-1440', { theme: 'light', width: 1440 }],
  ['dark-1440', { theme: 'dark', width: 1440 }],
  ['light-390', { theme: 'light', width: 390 }],
  ['dark-390', { theme: 'dark', width: 390 }],
]

test.each(looks)('the reference is readable, requests nothing else, and folds what is long: %s', async (name, look) => {
  const { page, faults, close } = await visit(browser, url, look)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto('/api/reference')
  await page.getByRole('heading', { name: 'API reference' }).waitFor()
  const call = page.locator('#searchFeedback')
  await call.getByText('Fields').click()
  await call.getByText('next_cursor', { exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  const found = await new AxeBuilder({ page }).exclude(MORE_ALIKE).analyze()
  expect(found.violations.map(({ id }) => id)).toEqual([])
  expect([faults, requests]).toEqual([[], ['/api/reference']])
  const folder = process.env.GROUNDSWELL_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/api-reference-${name}.png` })
  await close()
})
