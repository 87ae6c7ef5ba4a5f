import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BareServer, OPAQUE_TOKEN, startBareServer } from './bare-server.ts'
import { launchBrowser, visit } from './browser.ts'
import { keptOf, logIn } from './sign-in.ts'

let server: BareServer
let browser: Browser
const ann = { email: 'ann@example.com', password: 'x' }

beforeAll(async () => {
  server = await startBareServer()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

test('on a server with only the standard calls an opaque token is stored and never renewed', async () => {
  const { page, context, faults, close } = await visit(browser, server.url)
  await context.clock.install()
  await logIn(page, ann)
  expect(await keptOf(page)).toEqual({ token: OPAQUE_TOKEN, session: null })
  await context.clock.fastForward(5 * 3_600_000)
  await page.reload()
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  expect(await keptOf(page)).toEqual({ token: OPAQUE_TOKEN, session: null })

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Automatic Tags' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'You', exact: true }).count()).toBe(0)
  await expect.poll(() => page.getByRole('heading', { name: 'Account', exact: true }).count()).toBe(0)
  await page.getByText(ann.email).first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByText('or login with email').waitFor()
  expect(await keptOf(page)).toEqual({ token: null, session: null })
  expect(server.seen.filter((call) => call.includes('/auth/v1/') || call.includes('/api/account/'))).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('there it offers nothing that such a server cannot do, and leaves judging passwords to the server', async () => {
  const { page, faults, close } = await visit(browser, server.url)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByText('Google sign-in is not set up on this server').waitFor()
  await expect.poll(() => page.getByText('Forgot your password?').count()).toBe(0)
  await page.getByText("Don't have an account? Sign up").click()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL('**/signup/welcome')
  expect(await keptOf(page)).toEqual({ token: OPAQUE_TOKEN, session: null })
  expect(faults).toEqual([])
  await close()
})

test('its third-party sign-in returns with a token alone', async () => {
  const { page, close } = await visit(browser, server.url)
  await page.goto(`/api/auth/oauth-callback#access_token=${encodeURIComponent(OPAQUE_TOKEN)}`)
  await page.waitForURL('**/insights')
  expect(await keptOf(page)).toEqual({ token: OPAQUE_TOKEN, session: null })
  await close()
})
