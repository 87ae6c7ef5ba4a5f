import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
let browser: Browser
let token: string

beforeAll(async () => {
  stack = await startStack()
  browser = await launchBrowser()
  token = await stack.signUp({ email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
  await stack.call(token, 'POST', '/api/webhook/add', { webhook: stack.receiver.hookUrl })
  await stack.call(token, 'GET', '/api/webhook/signing-secret')
  await stack.call(token, 'POST', '/api/imports?name=f.csv', csvOf(peopleSaying))
  for (let tries = 0; tries < 300 && stack.receiver.received().length === 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})
afterAll(async () => {
  await browser.close()
  await stack.stop()
})

/** A screen, and what is on it when it is ready to be looked at. */
const screens: [path: string, ready: string, signedIn: boolean][] = [
  ['/auth', 'or login with email', false],
  ['/auth/auth-code-error', 'Sign-in did not finish', false],
  ['/signup/welcome', 'Get started', false],
  ['/insights', 'Updated', true],
  ['/integrations', 'Destinations', true],
  ['/import', 'Imports so far', true],
  ['/settings', 'Automatic Tags', true],
  ['/deliveries', 'Delivered', true],
  ['/admin/jobs', 'Background jobs', true],
  ['/nowhere', 'Nothing is at this address', true],
]

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  test.each(screens)(
    '%s has no fault that axe can find, and keeps the content security policy',
    async (path, ready, signedIn) => {
      const { page, faults, close } = await visit(browser, stack.url, { theme, ...(signedIn ? { token } : {}) })
      await page.goto(path)
      await page.getByText(ready).first().waitFor()
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([])
      expect(faults).toEqual([])
      await close()
    },
  )

  test('the open panel of an insight has none either', async () => {
    const { page, faults, close } = await visit(browser, stack.url, { theme, token })
    await page.goto('/insights')
    await page
      .getByRole('row')
      .filter({ hasText: /csv export/i })
      .click()
    await page.getByRole('dialog').getByText('Mentions by week').waitFor()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})
