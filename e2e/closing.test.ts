import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, openProfile, openTab, visit } from './browser.ts'

let browser: Browser
let server: Server
let url: string
/** Requests for /slow, which are never answered. */
const slow: ServerResponse[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/slow') slow.push(response)
    else response.end('<!doctype html><title>Page</title>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  for (const response of slow) response.destroy()
  await new Promise((done) => server?.close(done))
})

test.each([
  ['a window', async () => visit(browser, url)],
  ['a tab', async () => openTab(await openProfile(browser, url))],
])('closing %s while an intercepted request is pending fails no test', async (_, open) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.prependListener('unhandledRejection', note)
  try {
    const { page, context, close } = await open()
    await page.goto('/')
    const intercepted = Promise.withResolvers<void>()
    await page.route('**/slow', async (route) => {
      intercepted.resolve()
      await route.fulfill({ response: await route.fetch() })
    })
    await page.evaluate('void fetch("/slow").catch(() => {})')
    await intercepted.promise
    await expect.poll(() => slow.length).toBeGreaterThan(0)
    await close()
    await context.close()
    await new Promise((done) => setImmediate(done))
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
    for (const response of slow.splice(0)) response.destroy()
  }
})
