import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { createHttp } from '@groundswell/server/platform/http/create.ts'
import { silentLog } from '@groundswell/server/platform/log/log.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, visit } from './browser.ts'
import { problemsInLooks } from './looks.ts'

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

test('the reference is readable in every look, requests nothing else, and folds what is long', async () => {
  const { page, faults, close } = await visit(browser, url)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto('/api/reference')
  await page.getByRole('heading', { name: 'API reference' }).waitFor()
  const call = page.locator('#searchFeedback')
  await call.getByText('Fields').click()
  await call.getByText('next_cursor', { exact: true }).waitFor()
  expect(await problemsInLooks(page, 'api-reference', { except: MORE_ALIKE })).toEqual([])
  expect([faults, requests]).toEqual([[], ['/api/reference']])
  await close()
})
