import { type CertifiedProvider, startCertifiedProvider } from '@groundswell/server/platform/openid/testing.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { picture, problemsInLooks, problemsOf } from './looks.ts'
import { toast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

const BO = { email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' }

let provider: CertifiedProvider
let link: string
let visited: Visit

afterAll(() => provider.stop())
useAnn()
beforeAll(async () => {
  const { workspace } = (await stack.call(token, 'GET', '/api/user/user-data')) as { workspace: { id: string } }
  link = `${stack.url}/api/sso/${workspace.id}`
  provider = await startCertifiedProvider(
    [`${link}/callback`],
    [
      { login: 'ann', name: 'Ann', email: 'ann@acme.example' },
      { login: 'bo', name: 'Bo', email: BO.email },
      { login: 'una', name: 'Una', email: 'una@acme.example' },
      { login: 'zoe', name: 'Zoe', email: 'zoe@elsewhere.example' },
    ],
  )
})

async function open(options: { token?: string } = {}): Promise<Page> {
  visited = await visit(browser, stack.url, options)
  return visited.page
}

/** On the page of the provider. */
async function signInAs(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

async function closeWithoutFaults(): Promise<void> {
  expect(visited.faults).toEqual([])
  await visited.close()
}

test('an owner sets it up, tests it, and turns it on', async () => {
  const page = await open({ token })
  await page.goto('/settings/team')
  await page.getByRole('button', { name: 'Configure…' }).click()
  const form = page.getByRole('dialog', { name: 'Identity provider' })
  await form.getByText(`${link}/callback`).waitFor()
  await form.getByLabel('Issuer').fill(provider.issuer)
  await form.getByLabel('Client ID').fill(provider.clientId)
  await form.getByLabel('Client secret').fill(provider.clientSecret)
  await form.getByLabel('E-mail domains').fill('gmail.com')
  expect(await problemsOf(page)).toEqual([])
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('gmail.com is open to everyone').waitFor()
  await picture(page, 'single-sign-on-form')
  await form.getByLabel('E-mail domains').fill('acme.example')
  await form.getByLabel('They join as').selectOption({ label: 'Viewer' })
  await form.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'Saved').waitFor()
  await expect.poll(() => page.getByLabel('Allow single sign-on').isEnabled()).toBe(false)
  await page.getByRole('button', { name: 'Test sign-in' }).click()
  await signInAs(page, 'ann')
  await page.getByRole('heading', { name: 'The test succeeded' }).waitFor()
  await page.getByText('ann@acme.example').waitFor()
  await picture(page, 'single-sign-on-tested')
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to Settings' }).click()
  await page.getByLabel('Allow single sign-on').click()
  await page.getByText(link, { exact: true }).waitFor()
  await page.goto('/settings/team')
  await page.getByText(link, { exact: true }).scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'single-sign-on')).toEqual([])
  await closeWithoutFaults()
})

test('somebody new signs in by the link and its confirmation page; somebody else is told why not', async () => {
  const una = await open()
  await una.goto(link)
  await una.getByText(new URL(provider.issuer).host).waitFor()
  expect(await problemsInLooks(una, 'single-sign-on-link')).toEqual([])
  await una.getByRole('link', { name: 'Continue' }).click()
  await signInAs(una, 'una')
  await una.waitForURL('**/signup/welcome')
  await una.goto('/insights')
  await una.getByText('una@acme.example').first().waitFor()
  await closeWithoutFaults()
  const zoe = await open()
  await zoe.goto(link)
  await zoe.getByRole('link', { name: 'Continue' }).click()
  await signInAs(zoe, 'zoe')
  await zoe.getByText('Nobody with your e-mail address may join').waitFor()
  expect(await problemsOf(zoe)).toEqual([])
  await zoe.getByRole('link', { name: 'Back to log in' }).click()
  await zoe.waitForURL('**/auth')
  await closeWithoutFaults()
})

test('where it is required, a member continues by it', async () => {
  const bo = await stack.signUp(BO)
  const made = (await stack.call(token, 'POST', '/api/team/invitations', { role: 'member' })) as { link: string }
  await stack.call(bo, 'POST', '/api/invitations/accept', {
    token: new URL(made.link).hash.slice('#invitation='.length),
  })
  const page = await open({ token: bo })
  await page.goto('/insights')
  await page.getByText(BO.email).first().waitFor()
  // Away first: the app also leaves the screen when one of its own requests is refused.
  await page.goto('about:blank')
  await stack.call(token, 'PUT', '/api/team/single-sign-on/state', { enabled: true, required: true })
  await page.goto('/insights')
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  await picture(page, 'single-sign-on-required')
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).click()
  await signInAs(page, 'bo')
  await page.waitForURL('**/insights')
  await page.getByText(BO.email).first().waitFor()
  await closeWithoutFaults()
})
