import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { keptOf, logIn } from './sign-in.ts'
import { ann, browser, stack, useAnn } from './workspace.ts'

const bob = { email: 'bob@example.com', password: 'long enough to pass', name: 'Bob' }
const TAKES_EFFECT_MS = 5_000

useAnn()
beforeAll(async () => {
  await stack.signUp(bob)
})

/** Whether the server still accepts a token. */
async function isLetIn(token: string | null): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${stack.url}/api/user/user-data`, { headers })).status !== 401
}

/** Holds the calls of a page until the returned function is called: its next poll could notice an ended session before a click does. */
async function holdCalls(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('another sign-in is listed; signed out from here, its next click leads to /auth within 5 s', async () => {
  const here = await visit(browser, stack.url)
  const there = await visit(browser, stack.url)
  await logIn(here.page, ann)
  await logIn(there.page, ann)
  const { token } = await keptOf(there.page)
  await here.page.goto('/settings/you')
  await here.page.getByText('This one').waitFor()
  const signOut = here.page.getByRole('button', { name: /^Sign out (?!everywhere)/ })
  const before = await signOut.count()
  expect(before).toBeGreaterThanOrEqual(1)
  const release = await holdCalls(there.page)
  await signOut.first().click()
  await expect.poll(() => signOut.count()).toBe(before - 1)

  await expect.poll(() => isLetIn(token), { timeout: TAKES_EFFECT_MS }).toBe(false)
  await there.page.getByRole('link', { name: 'Integrations' }).click()
  release()
  await there.page.getByText('or login with email').waitFor()
  await expect.poll(() => keptOf(there.page)).toEqual({ token: null, session: null })
  await here.page.reload()
  await here.page.getByText('This one').waitFor()
  expect([...here.faults, ...there.faults]).toEqual([])
  await here.close()
  await there.close()
})

test('sign out everywhere ends this one too, and every tab of it', async () => {
  const here = await visit(browser, stack.url)
  const there = await visit(browser, stack.url)
  await logIn(here.page, ann)
  await logIn(there.page, ann)
  const { token } = await keptOf(there.page)
  const secondTab = await here.context.newPage()
  await secondTab.goto('/insights')
  await secondTab.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  await here.page.goto('/settings/you')
  const release = await holdCalls(there.page)
  await here.page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
  await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await here.page.getByText('or login with email').waitFor()
  await secondTab.getByText('or login with email').waitFor()
  await expect.poll(() => isLetIn(token), { timeout: TAKES_EFFECT_MS }).toBe(false)
  await there.page.getByRole('link', { name: 'Settings' }).click()
  release()
  await there.page.getByText('or login with email').waitFor()
  for (const page of [here.page, secondTab, there.page]) {
    await expect.poll(() => keptOf(page)).toEqual({ token: null, session: null })
  }
  await here.close()
  await there.close()
})

test('logging out in one tab logs out the other, logging in there logs in here', async () => {
  const { page, context, faults, close } = await visit(browser, stack.url)
  await logIn(page, ann)
  const other = await context.newPage()
  const asked: string[] = []
  other.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await other.goto('/insights')
  await other.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  await page.getByText(ann.email).first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await other.getByText('or login with email').waitFor()
  await page.getByText('or login with email').waitFor()
  asked.length = 0
  await logIn(page, bob)
  await other.waitForURL('**/insights')
  await other.getByText(bob.email).first().waitFor()
  await expect.poll(() => asked).toContain('/api/insights/get-all')
  expect(faults).toEqual([])
  await close()
})

test('logging out revokes the refresh token on the server', async () => {
  const { page, close } = await visit(browser, stack.url)
  await logIn(page, bob)
  const { session } = await keptOf(page)
  const gone = page.waitForResponse((answer) => answer.url().includes('/api/auth/logout'))
  await page.getByText(bob.email).first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  expect((await gone).status()).toBe(200)
  const refresh = { refresh_token: session?.['refresh_token'] }
  await expect(stack.call('', 'POST', '/auth/v1/token?grant_type=refresh_token', refresh)).rejects.toThrow('400')
  await close()
})

test('the export is a file; the account is deleted with its password and can no longer sign in', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await logIn(page, bob)
  await page.goto('/settings/you')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export my data' }).click(),
  ])
  expect(JSON.parse(await text(await file.createReadStream()))).toMatchObject({ account: { email: bob.email } })

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel(`Type ${bob.email} to confirm`).fill(bob.email)
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByText('Nothing was deleted').waitFor()
  await dialog.getByLabel('Your password').fill(bob.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('or login with email').waitFor()
  await expect(stack.call('', 'POST', '/api/auth/login', bob)).rejects.toThrow('login_refused')
  expect(faults).toEqual([])
  await close()
})
