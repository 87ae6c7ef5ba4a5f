import { type OpenIdSandbox, startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import { type MailServer, mailServer } from '@groundswell/server/platform/mail/testing.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { keptOf, logIn } from './sign-in.ts'
import { ann, browser, stack, useStack } from './workspace.ts'

let google: OpenIdSandbox
let mail: MailServer
const bob = { email: 'bob@example.com', password: 'long enough to pass', name: 'Bob' }

afterAll(async () => {
  await google.stop()
  await mail.stop()
})
useStack(async () => {
  google = await startOpenId()
  mail = await mailServer()
  const { url: issuer, clientId, clientSecret } = google
  const config = { google: { issuer, clientId, clientSecret }, smtpUrl: mail.url, authRateLimits: null }
  return { config }
})
beforeAll(async () => {
  for (const person of [ann, bob]) await stack.signUp(person)
})

const CALLBACK = '/api/auth/oauth-callback'

/** A link that signs in to an account, as another person could send it. */
async function landingOf({ email, password }: typeof ann, path = CALLBACK): Promise<string> {
  const reply = await stack.call('', 'POST', '/api/auth/login', { email, password })
  const { token, refresh_token, expires_at } = reply as Record<string, string>
  const fragment = { access_token: token, refresh_token, expires_at, expires_in: '3600', token_type: 'bearer', sb: '' }
  return `${path}#${new URLSearchParams(fragment as Record<string, string>).toString()}`
}

async function signedInAs(page: Page, { email }: Pick<typeof ann, 'email'>): Promise<void> {
  await page.getByText(email).first().waitFor()
}

const question = (page: Page, { email }: Pick<typeof ann, 'email'>) =>
  page.getByRole('heading', { name: `Switch to ${email}?` })

test('without a stored token the callback signs in', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await page.goto(await landingOf(bob))
  await page.waitForURL('**/insights')
  await signedInAs(page, bob)
  expect(faults).toEqual([])
  await close()
})

test('the account that is already signed in signs in again without a question', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await logIn(page, bob)
  const before = await keptOf(page)
  await page.goto(await landingOf(bob))
  await page.waitForURL('**/insights')
  await signedInAs(page, bob)
  expect((await keptOf(page)).token).not.toBe(before.token)
  expect(faults).toEqual([])
  await close()
})

test.each([
  ['the callback', CALLBACK],
  ['a mailed link', '/auth?step=confirmed'],
  ['a recovery', '/auth?step=new-password'],
])('%s of another account that was not started here asks first, and Keep keeps the session', async (_words, path) => {
  const { page, faults, close } = await visit(browser, stack.url)
  await logIn(page, ann)
  // The name of the account is fetched after the log-in.
  await signedInAs(page, ann)
  const before = await keptOf(page)
  await page.goto(await landingOf(bob, path))
  await question(page, bob).waitFor()
  await page.getByText(`You are signed in as ${ann.email}.`).waitFor()
  expect(await keptOf(page)).toEqual(before)
  await expect.poll(() => page.url()).not.toContain('access_token')
  await page.getByRole('button', { name: `Keep ${ann.email}` }).click()
  await page.waitForURL('**/insights')
  await signedInAs(page, ann)
  expect(await keptOf(page)).toEqual(before)
  expect(faults).toEqual([])
  await close()
})

test('Switch signs in to the other account, and a third one is asked about again', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await logIn(page, ann)
  await page.goto(await landingOf(bob))
  await question(page, bob).waitFor()
  await page.getByRole('button', { name: 'Switch', exact: true }).click()
  await page.waitForURL('**/insights')
  await signedInAs(page, bob)
  await page.goto(await landingOf(ann))
  await question(page, ann).waitFor()
  await page.goto('/insights')
  await signedInAs(page, bob)
  expect(faults).toEqual([])
  await close()
})

test('an earlier sign-in that has ended is replaced without a question', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await logIn(page, ann)
  const { token } = await keptOf(page)
  await page.goto('about:blank')
  await stack.call(String(token), 'POST', '/api/auth/logout')
  await page.goto(`${stack.url}${await landingOf(bob)}`)
  await page.waitForURL('**/insights')
  await signedInAs(page, bob)
  expect((await keptOf(page)).token).not.toBe(token)
  expect(faults).toEqual([])
  await close()
})

test('a Google sign-in that this tab started signs in, even if another account is signed in meanwhile', async () => {
  const { page, context, faults, close } = await visit(browser, stack.url)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
  const other = await context.newPage()
  await other.goto(stack.url)
  await logIn(other, ann)
  await other.close()
  await page.getByRole('button', { name: /Grace Nordin/ }).click()
  await page.waitForURL('**/signup/welcome')
  const { token } = await keptOf(page)
  const data = await stack.call(String(token), 'GET', '/api/user/user-data')
  expect(data).toMatchObject({ email: 'grace@tallybrook.example' })
  // It was started once: later visits were not.
  await page.goto(await landingOf(ann))
  await question(page, ann).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a recovery that this browser requested leads to the new password, even if another account is signed in meanwhile', async () => {
  const { page, context, faults, close } = await visit(browser, stack.url)
  await page.goto('/auth?step=forgot')
  await page.getByLabel('Email').fill(bob.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  const { link } = await mail.newest(bob.email, 'Choose a new password')
  await logIn(page, ann)
  const tab = await context.newPage()
  await tab.goto(String(link))
  await tab.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await tab.getByText(bob.email).waitFor()
  expect(faults).toEqual([])
  await close()
})
