import { type MailServer, mailServer } from '@groundswell/server/platform/mail/testing.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { fillLogin, keptOf, logIn } from './sign-in.ts'
import { browser, stack, useStack } from './workspace.ts'

let mail: MailServer
let password = 'long enough to pass'
const email = 'ann@example.com'
const MINUTES = 60_000

afterAll(() => mail.stop())
useStack(async () => {
  mail = await mailServer()
  return { config: { smtpUrl: mail.url, authRateLimits: null } }
})
beforeAll(async () => {
  await stack.signUp({ email, password, name: 'Ann' })
})

const newest = async (to: string) => {
  const { link, code } = await mail.newest(to, 'Choose a new password')
  return { link: String(link), code: String(code) }
}

async function askForLink(page: Page, address = email): Promise<void> {
  mail.mails.length = 0
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The previous screen has a field of that name too.
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('Email').fill(address)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
}

async function choose(page: Page, chosen: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByRole('button', { name: 'Save and continue' }).click()
}

test('the mailed link leads to a new password, which is then the only one; the link works once', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await askForLink(page)
  const { link } = await newest(email)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await expect.poll(() => page.url()).toBe(`${stack.url}/auth?step=new-password`)
  await page.getByText(email).waitFor()
  await choose(page, 'short')
  await page.getByText('Too short').waitFor()
  await choose(page, password)
  await page.getByText('This is your current password').waitFor()
  const old = password
  password = 'another one that is long'
  await choose(page, password)
  await page.waitForURL('**/insights')
  await expect(stack.call('', 'POST', '/api/auth/login', { email, password: old })).rejects.toThrow('login_refused')

  const other = await visit(browser, stack.url)
  await logIn(other.page, { email, password })
  await other.page.goto(link)
  await other.page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
  await other.page.getByRole('link', { name: 'Request a new link' }).click()
  await other.page.waitForURL('**/insights')
  await other.close()
  expect(faults).toEqual([])
  await close()
})

test('the mailed code works on the screen that requested it', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await askForLink(page)
  const { code } = await newest(email)
  await page.getByLabel('Code from the email').fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Code from the email').fill(code)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  password = 'a third one that is long'
  await choose(page, password)
  await page.waitForURL('**/insights')
  expect(faults).toEqual([])
  await close()
})

test('an address without an account gets the same message and no mail; an expired link shows an error', async () => {
  const { page, close } = await visit(browser, stack.url)
  await askForLink(page, 'nobody@example.com')
  await page.getByText('If there is an account for nobody@example.com').waitFor()
  const mailed = mail.mails.map(({ to }) => to)
  await askForLink(page)
  const { link } = await newest(email)
  expect(mailed).not.toContain('nobody@example.com')
  expect(mail.mails.map(({ to }) => to)).not.toContain('nobody@example.com')
  stack.passTime(11 * MINUTES)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await close()
})

test('the password is changed in Settings with the current one, and every other sign-in ends', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  const there = await visit(browser, stack.url)
  await logIn(page, { email, password })
  await logIn(there.page, { email, password })
  await page.goto('/settings/you')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.locator('input[name=current]:focus').waitFor()
  await dialog.getByLabel('Current password').fill('not the password')
  await dialog.getByLabel('New password').fill('a fourth one that is long')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByText('The password is wrong').waitFor()
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').first().waitFor()
  password = 'a fourth one that is long'
  const login = there.page.getByText('or login with email')
  // The refetch of its list may have led there before the click.
  await there.page.getByRole('link', { name: 'Integrations' }).or(login).first().click()
  await login.waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  expect(faults).toEqual([])
  await close()
  await there.close()
})

test('an unconfirmed email is confirmed by a mailed code; a new one counts after its link', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  const bob = { email: 'bob@example.com', password: 'long enough to pass', name: 'Bob' }
  await stack.signUp(bob)
  await mail.newest(bob.email, 'Confirm your e-mail address')
  mail.mails.length = 0
  stack.passTime(2 * MINUTES)
  await logIn(page, bob)
  await page.goto('/settings/you')
  await page.getByText('Not confirmed').waitFor()
  await page.getByRole('button', { name: 'Send confirmation email' }).click()
  const { code } = await mail.newest(bob.email, 'Confirm your e-mail address')
  await page.getByLabel('Code from the email').fill(String(code))
  await page.getByText('Email confirmed').first().waitFor()
  await page.getByText('Not confirmed').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill('robert@example.com')
  await dialog.getByLabel('Current password').fill(bob.password)
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('replaces it once you follow').waitFor()
  const { link } = await mail.newest('robert@example.com')
  await page.goto(String(link))
  await page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
  await expect.poll(() => page.url()).toBe(`${stack.url}/auth?step=confirmed`)
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByText('robert@example.com').first().waitFor()
  const other = await visit(browser, stack.url)
  await fillLogin(other.page, bob)
  await other.page.getByText('Wrong email or password').waitFor()
  await logIn(other.page, { ...bob, email: 'robert@example.com' })
  await other.close()
  expect(faults).toEqual([])
  await close()
})

test('the name that others see is changed too', async () => {
  const { page, close } = await visit(browser, stack.url)
  await logIn(page, { email, password })
  await page.goto('/settings/you')
  await page.getByRole('button', { name: 'Change name' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Ann of the Fields')
  await page.getByRole('dialog').getByRole('button', { name: 'Change name' }).click()
  await page.getByRole('button', { name: 'Account of Ann of the Fields' }).waitFor()
  const { token } = await keptOf(page)
  expect(await stack.call(String(token), 'GET', '/api/user/user-data')).toMatchObject({ name: 'Ann of the Fields' })
  await close()
})
