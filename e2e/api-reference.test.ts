import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { createHttp } from '@groundswell/server/platform/http/create.ts'
import { silentLog } from '@groundswell/server/platform/log/log.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, visit } from './browser.ts'
import { eachLook } from './looks.ts'

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

test('the reference is readable in every look, requests nothing else, and folds what is long', async () => {
  let shown: { page: Page; faults: string[]; close: () => Promise<void>; requests: string[] } | undefined
  await eachLook(
    'api-reference',
    async (look) => {
      await shown?.close()
      const { page, faults, close } = await visit(browser, url, look)
      const requests: string[] = []
      page.on('request', (request) => requests.push(new URL(request.url()).pathname))
      await page.goto('/api/reference')
      shown = { page, faults, close, requests }
      return page
    },
    async () => {
      if (!shown) throw new Error('no page was opened')
      const { page, faults, requests } = shown
      await page.getByRole('heading', { name: 'API reference' }).waitFor()
      const call = page.locator('#searchFeedback')
      await call.getByText('Fields').click()
      await call.getByText('next_cursor', { exact: true }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect([faults, requests]).toEqual([[], ['/api/reference']])
    },
  )
  await shown?.close()
})
