import { type MailServer, mailServer } from '@groundswell/server/platform/mail/testing.ts'
import { afterAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { fillLogin, logIn } from './sign-in.ts'
import { ann, browser, stack, useStack } from './workspace.ts'

let mail: MailServer
const bob = { email: 'bob@example.com', password: 'long enough to pass', name: 'Bob' }

afterAll(() => mail.stop())
useStack(async () => {
  mail = await mailServer()
  return { config: { smtpUrl: mail.url, authAutoconfirm: false, authRateLimits: null } }
})

const signUp = async ({ email, password, name }: typeof ann) => {
  const visited = await visit(browser, stack.url)
  await visited.page.goto('/auth?step=signup')
  await visited.page.getByLabel('Name').fill(name)
  await visited.page.getByLabel('Email').fill(email)
  await visited.page.getByLabel('Password', { exact: true }).fill(password)
  await visited.page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await visited.page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
  return visited
}

test('where a confirmed address is required, a sign-up leads to the mailed code and then to the onboarding page', async () => {
  const { page, faults, close } = await signUp(ann)
  const { code } = await mail.newest(ann.email)
  await page.getByLabel('Code from the email').fill(String(code))
  await page.waitForURL('**/signup/welcome')
  await page.getByRole('link', { name: 'Connect a source' }).click()
  await page.getByText(ann.email).first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a log-in before that leads to the same screen, and the mailed link to a signed-in one', async () => {
  await (await signUp(bob)).close()
  const { link } = await mail.newest(bob.email)
  const { page, faults, close } = await visit(browser, stack.url)
  await fillLogin(page, bob)
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByText('or login with email').waitFor()
  await page.goto(String(link))
  await page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
  await expect.poll(() => page.url()).toBe(`${stack.url}/auth?step=confirmed`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByText(bob.email).first().waitFor()
  const other = await visit(browser, stack.url)
  await logIn(other.page, bob)
  await other.close()
  expect(faults).toEqual([])
  await close()
})
