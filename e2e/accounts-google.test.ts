import { type OpenIdSandbox, startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { codeOf } from './authenticator.ts'
import { visit } from './browser.ts'
import { keptOf, logIn } from './sign-in.ts'
import { browser, stack, useStack } from './workspace.ts'

let google: OpenIdSandbox

afterAll(() => google.stop())
useStack(async () => {
  google = await startOpenId()
  const { url: issuer, clientId, clientSecret } = google
  return { config: { google: { issuer, clientId, clientSecret }, authRateLimits: null } }
})

async function chooseAtGoogle(page: Page, person: string | RegExp): Promise<void> {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
  await page.getByRole('button', { name: person }).click()
}

test('a click before the configuration has come waits for it', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/public-config', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.locator('button[aria-busy=true]', { hasText: 'Sign in with Google' }).waitFor()
  held.resolve()
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the first sign-in with Google creates an account and leads to the onboarding page; the next leads to the insights', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await chooseAtGoogle(page, /Grace Nordin/)
  await page.waitForURL('**/signup/welcome')
  const { token, session } = await keptOf(page)
  expect(session).toMatchObject({ access_token: token })
  expect(session?.['refresh_token']).toMatch(/^[\w-]{43}$/)
  await page.getByRole('link', { name: 'Connect a source' }).click()
  await page.getByText('grace@tallybrook.example').first().waitFor()
  await page.goto('/settings/you')
  await page.getByText('No password: you sign in with Google.').waitFor()
  await page.goBack()
  await page.getByText('grace@tallybrook.example').first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')

  await chooseAtGoogle(page, /Grace Nordin/)
  await page.waitForURL('**/insights')
  await page.goBack()
  await expect.poll(() => page.url()).not.toContain('access_token')
  expect(faults).toEqual([])
  await close()
})

test('an account created through Google sets a password and then logs in with it', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await chooseAtGoogle(page, /Grace Nordin/)
  await page.waitForURL('**/insights')
  await page.goto('/settings/you')
  await page.getByRole('button', { name: 'Set a password' }).click()
  await page.getByLabel('New password').fill('long enough to pass')
  await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Password set').first().waitFor()
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  const other = await visit(browser, stack.url)
  await logIn(other.page, { email: 'grace@tallybrook.example', password: 'long enough to pass' })
  await other.close()
  expect(faults).toEqual([])
  await close()
})

test('Google replaces only the password: the second factor is still required', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await chooseAtGoogle(page, /Grace Nordin/)
  await page.waitForURL('**/insights')
  await page.goto('/settings/you')
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel('Current code from the app').fill(codeOf(secret, stack.services.now()))
  await page.getByRole('button', { name: 'I have saved them' }).click()

  const other = await visit(browser, stack.url)
  await chooseAtGoogle(other.page, /Grace Nordin/)
  await other.page.getByRole('heading', { name: 'Two-factor authentication', exact: true }).waitFor()
  await expect.poll(() => other.page.url()).toContain('/auth?step=second-factor')
  stack.passTime(30_000)
  await other.page.getByLabel('Code').fill(codeOf(secret, stack.services.now()))
  await other.page.waitForURL('**/insights')
  await other.page.getByText('grace@tallybrook.example').first().waitFor()
  expect([...faults, ...other.faults]).toEqual([])
  await other.close()
  await close()
})

test('an address that Google has not verified, and a cancelled sign-in, end on the error page', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await chooseAtGoogle(page, /Una Verified/)
  await page.waitForURL('**/auth/auth-code-error')
  await page.getByRole('heading', { name: 'Sign-in was not completed' }).waitFor()
  await page.getByText(/verif/i).waitFor()
  expect(await keptOf(page)).toEqual({ token: null, session: null })
  await page.getByRole('link', { name: 'Back to log in' }).click()
  await chooseAtGoogle(page, 'Cancel')
  await page.waitForURL('**/auth/auth-code-error')
  google.fault('wrong-nonce')
  await chooseAtGoogle(page, /Theo Abara/)
  await page.waitForURL('**/auth/auth-code-error')
  expect(await keptOf(page)).toEqual({ token: null, session: null })
  expect(faults).toEqual([])
  await close()
})

test('an unconfirmed account of that address is replaced by a new and empty one', async () => {
  const other = await stack.signUp({
    email: 'theo@tallybrook.example',
    password: 'long enough to pass',
    name: 'Not Theo',
  })
  const { page, faults, close } = await visit(browser, stack.url)
  await chooseAtGoogle(page, /Theo Abara/)
  await page.waitForURL('**/signup/welcome')
  const { token } = await keptOf(page)
  expect(await stack.call(String(token), 'GET', '/api/user/user-data')).toMatchObject({ name: 'Theo Abara' })
  await expect.poll(() => stack.call(other, 'GET', '/api/user/user-data').catch(String)).toContain('401')
  expect(faults).toEqual([])
  await close()
})
