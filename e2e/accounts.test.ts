import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { ann, browser, stack, useAnn } from './workspace.ts'

useAnn()

test('a visitor who is not signed in is redirected to /auth; a wrong password shows an error; the right one works', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  for (const path of ['/', '/insights', '/settings', '/nowhere', '/login']) {
    await page.goto(path)
    await page.waitForURL('**/auth')
  }
  await page.getByText('or login with email').waitFor()
  await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password').fill('wrong')
  await page.locator('form').getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Wrong email or password').waitFor()
  await page.getByLabel('Password').fill(ann.password)
  await page.locator('form').getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/insights')
  const stored = async () => JSON.parse((await page.evaluate(() => localStorage.getItem('user-store'))) ?? 'null')
  await expect
    .poll(stored)
    .toEqual({ state: { userData: expect.objectContaining({ email: ann.email, name: ann.name }) }, version: 0 })

  await page.goto('/auth')
  await page.waitForURL('**/insights')
  await page.getByText(ann.email).first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user-store') ?? '')).not.toContain(ann.email)
  expect(faults).toEqual([])
  await close()
})

test('an account that exists already is refused with the reason', async () => {
  const { page, close } = await visit(browser, stack.url)
  await page.goto('/auth')
  await page.getByText('Sign up').last().click()
  await page.getByText('Already have an account?').waitFor()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password').fill('another long one')
  await page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Error creating account').waitFor()
  await expect.poll(() => page.url()).toContain('/auth')
  await close()
})

test('a token that is no longer valid leads to /auth and is removed', async () => {
  const { page, context, close } = await visit(browser, stack.url, { token: 'not-a-token' })
  await page.goto('/insights')
  await page.waitForURL('**/auth')
  await page.getByText('or login with email').waitFor()
  const kept = async () => (await context.storageState()).origins.flatMap(({ localStorage: items }) => items)
  await expect.poll(async () => (await kept()).filter(({ name }) => name === 'token')).toEqual([])
  await close()
})

test('the callback reads the token from the fragment and clears it; without one it shows an error', async () => {
  const reply = (await stack.call('', 'POST', '/api/auth/login', { email: ann.email, password: ann.password })) as {
    token: string
  }
  const { page, close } = await visit(browser, stack.url)
  await page.goto(`/api/auth/oauth-callback#access_token=${reply.token}&token_type=bearer`)
  await page.waitForURL('**/insights')
  await expect.poll(() => page.url()).not.toContain('access_token')
  await close()
  const without = await visit(browser, stack.url)
  await without.page.goto('/api/auth/oauth-callback')
  await without.page.waitForURL('**/auth/auth-code-error')
  await without.close()
})

test('the sidebar shrinks from 240 to 60 px and remembers it', async () => {
  const token = (
    (await stack.call('', 'POST', '/api/auth/login', { email: ann.email, password: ann.password })) as {
      token: string
    }
  ).token
  const { page, close } = await visit(browser, stack.url, { token })
  await page.goto('/insights')
  const sidebar = page.getByRole('complementary').or(page.locator('aside')).first()
  const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0)
  await expect.poll(width).toBe(240)
  await page.getByRole('button', { name: /collapse/i }).click()
  await expect.poll(width).toBe(60)
  await page.reload()
  await expect.poll(width).toBe(60)
  await close()
})

test('a new workspace takes the time zone of its first owner’s browser; a reply after the sign-out restores nothing', async () => {
  const zone = async (token: string) => stack.call(token, 'GET', '/api/time-zone')
  const bo = { email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' }
  const token = await stack.signUp(bo)
  expect(await zone(token)).toEqual({ time_zone: 'UTC', chosen: false })
  const { page, close } = await visit(browser, stack.url, { token })
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/time-zone', async (route) => {
    const response = await route.fetch()
    await answer.promise
    await route.fulfill({ response })
  })
  const asked = page.waitForRequest('**/api/time-zone')
  const answered = page.waitForResponse('**/api/time-zone')
  await page.goto('/insights')
  await asked
  await expect.poll(() => zone(token)).toMatchObject({ chosen: true })
  await page.getByText(bo.email).first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')
  answer.resolve()
  await (await answered).finished()
  await page.getByText('or login with email').waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user-store') ?? '')).not.toContain(bo.email)
  await close()
})
