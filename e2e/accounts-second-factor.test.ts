import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeOf } from './authenticator.ts'
import { visit } from './browser.ts'
import { fillLogin, keptOf, logIn } from './sign-in.ts'
import { ann, browser, stack, useAnn } from './workspace.ts'

let secret = ''
let recoveryCodes: string[] = []

const STEP_MS = 30_000
const ELEVEN_MINUTES_MS = 11 * 60_000

useAnn()

/** The code of a later time step than any before: each is accepted once, for at least 30 s. */
function nextCode(): string {
  stack.passTime(STEP_MS)
  return codeOf(secret, stack.services.now())
}

const code = (page: Page) => page.getByLabel('Code', { exact: false }).and(page.locator('input[name=code]'))
const secondStep = (page: Page) => page.getByRole('heading', { name: 'Two-factor authentication', exact: true })

test('it is set up with a QR code or the secret, confirmed by a code, and ends with recovery codes', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await logIn(page, ann)
  await page.goto('/settings/you')
  await page.getByText('This one').waitFor()
  const before = await keptOf(page)
  stack.passTime(ELEVEN_MINUTES_MS)
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await dialog.getByText('Confirm your identity to continue').waitFor()
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Your password').fill(ann.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const picture = dialog.getByRole('img')
  await picture.waitFor()
  await expect
    .poll(() => picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth ?? 0))
    .toBeGreaterThan(50)
  // The page does not wait until the previous session has ended.
  await expect
    .poll(() => stack.call(String(before.token), 'GET', '/api/user/user-data').catch(String))
    .toContain('GET /api/user/user-data: 401')
  secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)

  await code(page).fill('000000')
  await dialog.getByText('Something went wrong').waitFor()
  await code(page).fill(nextCode())
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
  await shown.waitFor()
  await expect.poll(() => shown.getByRole('listitem').count()).toBe(10)
  recoveryCodes = await shown.getByRole('listitem').allTextContents()
  expect(new Set(recoveryCodes).size).toBe(10)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(await text(await file.createReadStream())).toContain(recoveryCodes.join('\n'))
  await shown.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 recovery codes are left').waitFor()
  await page.reload()
  await page.getByText('10 recovery codes are left').waitFor()
  await expect.poll(() => page.getByText(String(recoveryCodes[0])).count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('then the password alone is not enough; the code is', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await fillLogin(page, ann)
  await secondStep(page).waitFor()
  await expect.poll(() => page.url()).toContain('step=second-factor')
  const { token } = await keptOf(page)
  await expect(stack.call(token ?? '', 'GET', '/api/user/user-data')).rejects.toThrow('mfa_required')

  await page.goto('/insights')
  await secondStep(page).waitFor()
  await code(page).fill('123456')
  await page.getByText('This code is wrong').waitFor()
  await code(page).fill(nextCode())
  await page.waitForURL('**/insights')
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  const after = await keptOf(page)
  expect(after.token).not.toBe(token)
  expect(after.session).toMatchObject({ access_token: after.token })
  await page.reload()
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a recovery code works once', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  const [used = ''] = recoveryCodes
  await fillLogin(page, ann)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(used.toUpperCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/insights')
  await page.goto('/settings/you')
  await page.getByText('9 recovery codes are left').waitFor()
  await page.getByText(ann.email).first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')

  await fillLogin(page, ann)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(used)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
  await secondStep(page).waitFor()
  await page.getByRole('button', { name: 'Log in with another account' }).click()
  await page.getByText('or login with email').waitFor()
  expect(await keptOf(page)).toEqual({ token: null, session: null })
  expect(faults).toEqual([])
  await close()
})

test('new recovery codes replace the old ones; after removal, the password is enough again', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await fillLogin(page, ann)
  await code(page).waitFor()
  await code(page).fill(nextCode())
  await page.waitForURL('**/insights')
  await page.goto('/settings/you')
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByRole('button', { name: 'Generate codes' }).click()
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect.poll(() => shown.getByRole('listitem').count()).toBe(10)
  await expect.poll(() => shown.getByRole('listitem').allTextContents()).not.toContain(recoveryCodes[1])
  await shown.getByRole('button', { name: 'I have saved them' }).click()

  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  stack.passTime(ELEVEN_MINUTES_MS)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const proof = page.getByRole('dialog', { name: "Confirm it's you" })
  await proof.waitFor()
  await proof.getByLabel('Code from your authenticator app').fill(nextCode())
  await proof.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
  const other = await visit(browser, stack.url)
  await logIn(other.page, ann)
  await other.close()
  await page.reload()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
  expect(faults).toEqual([])
  await close()
})
