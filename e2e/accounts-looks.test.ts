import { type MailServer, mailServer } from '@groundswell/server/platform/mail/testing.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf } from './authenticator.ts'
import { type Visit, visit } from './browser.ts'
import { problemsInLooks, type Shown } from './looks.ts'
import { fillLogin, logIn } from './sign-in.ts'
import { browser, stack, useStack } from './workspace.ts'

let mail: MailServer
const password = 'long enough to pass'
const STEP_MS = 30_000

afterAll(() => mail.stop())
useStack(async () => {
  mail = await mailServer()
  return { config: { smtpUrl: mail.url, authRateLimits: null } }
})
beforeAll(async () => {
  await stack.signUp({ email: 'admin@example.com', password, name: 'Ada Admin' })
})

const looks: readonly Shown[] = [
  ['light', 1440],
  ['dark', 390],
]

const look = async (page: Page, name: string) =>
  expect([name, await problemsInLooks(page, name, { looks })]).toEqual([name, []])
const open = (): Promise<Visit> => visit(browser, stack.url)

test('the states of /auth', async () => {
  const email = 'ann@example.com'
  const { page, faults, close } = await open()
  await stack.signUp({ email, password, name: 'Ann with a name that is rather long, as some names are' })
  await page.goto('/auth')
  await page.getByText('Forgot your password?').waitFor()
  await look(page, 'login')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByText('Google sign-in is not set up').waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.locator('form').getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Wrong email or password').waitFor()
  await look(page, 'login-refused')
  await page.getByText("Don't have an account? Sign up").click()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByLabel('Email').fill('admin@example.com')
  await page.getByText('Too short').waitFor()
  await look(page, 'signup-short')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Error creating account').waitFor()
  await look(page, 'signup-refused')
  await page.goto('/auth?step=forgot')
  await page.getByLabel('Email').fill(email)
  await look(page, 'forgot')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await look(page, 'forgot-sent')
  const { link } = await mail.newest(email, 'Choose a new password')
  await page.goto(String(link))
  await page.getByText(email).waitFor()
  await look(page, 'new-password')
  await page.evaluate(() => localStorage.clear())
  await page.goto(String(link))
  await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
  await look(page, 'link-used')
  await page.goto('/api/auth/oauth-callback#error=access_denied&error_description=You+said+no')
  await page.getByText('You said no').waitFor()
  await look(page, 'code-error')
  expect(faults).toEqual([])
  await close()
})

test('the account in Settings, with every dialog', async () => {
  const email = 'bo@example.com'
  await stack.signUp({ email, password, name: 'Bo with a name that is rather long, as some names are' })
  const { page, faults, close } = await open()
  const there = await open()
  await logIn(there.page, { email, password })
  await logIn(page, { email, password })
  await page.goto('/settings/you')
  await page.getByText('This one').waitFor()
  await page.getByText('Not confirmed').waitFor()
  await page.getByRole('heading', { name: 'Account', exact: true }).scrollIntoViewIfNeeded()
  await look(page, 'account')
  await page.getByRole('heading', { name: 'Your data' }).scrollIntoViewIfNeeded()
  await look(page, 'account-below')
  for (const button of ['Change name', 'Change email', 'Change password', 'Delete my account', 'Sign out everywhere']) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog').getByRole('button').nth(1).waitFor()
    await look(page, button)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  expect([...faults, ...there.faults]).toEqual([])
  await close()
  await there.close()
})

test('two-factor authentication', async () => {
  const email = 'cy@example.com'
  await stack.signUp({ email, password, name: 'Cy with a name that is rather long, as some names are' })
  const { page, faults, close } = await open()
  await logIn(page, { email, password })
  await page.goto('/settings/you')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await look(page, 'enrol')
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  const nextCode = () => {
    stack.passTime(STEP_MS)
    return codeOf(secret, stack.services.now())
  }
  await page.getByLabel('Current code from the app').fill('000000')
  await page.getByText('Something went wrong').waitFor()
  await look(page, 'enrol-refused')
  await page.getByLabel('Current code from the app').fill(nextCode())
  await page.getByRole('button', { name: 'I have saved them' }).waitFor()
  await look(page, 'recovery-codes')
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 recovery codes are left').waitFor()
  await look(page, 'account-with-second-step')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await look(page, 'remove')
  await page.keyboard.press('Escape')

  const again = await open()
  await fillLogin(again.page, { email, password })
  await again.page.getByRole('heading', { name: 'Two-factor authentication', exact: true }).waitFor()
  await look(again.page, 'second-step')
  await again.page.getByLabel('Code').fill('000000')
  await again.page.getByText('Something went wrong').waitFor()
  await look(again.page, 'second-step-refused')
  await again.page.getByRole('button', { name: 'Use a recovery code' }).click()
  await again.page.getByLabel('Recovery code').waitFor()
  await look(again.page, 'recovery-code')
  expect([...faults, ...again.faults]).toEqual([])
  await close()
  await again.close()
})

test('a failed load shows an error with a retry', async () => {
  const { page, faults, close } = await open()
  await logIn(page, { email: 'admin@example.com', password })
  const failing = '**/{auth/v1/user,api/account/sessions,api/admin/audit*}'
  await page.route(failing, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/settings/you')
  await page.getByText('Your account could not be loaded').waitFor()
  await page.getByText('Your sessions could not be loaded').waitFor()
  await page.getByRole('heading', { name: 'Account', exact: true }).scrollIntoViewIfNeeded()
  await look(page, 'account-failed')
  await page.unroute(failing)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.first().click()
  await expect.poll(() => again.count()).toBe(1)
  await again.click()
  await page.getByText('This one').waitFor()
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  await page.route(failing, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/admin/audit')
  await page.getByText('The audit log could not be loaded').waitFor()
  await look(page, 'audit-failed')
  await page.unroute(failing)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row').filter({ hasText: 'Signed in' }).first().waitFor()
  await look(page, 'audit')
  await page.getByLabel('What').selectOption('insight.restored')
  await page.getByText('No matching events').waitFor()
  await look(page, 'audit-empty')
  expect(faults).toEqual([])
  await close()
})
