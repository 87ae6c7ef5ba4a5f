import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { problemsInLooks } from './looks.ts'
import { browser, stack, useStack } from './workspace.ts'

useStack({ config: { authRateLimits: null } })

async function signUpForm(page: Page): Promise<void> {
  await page.goto('/auth')
  await page.getByText("Don't have an account? Sign up").click()
  await page.getByLabel('Name').fill('Rosalind Example')
  await page.getByLabel('Email').fill('rosalind@example.com')
}

const strength = (page: Page) => page.getByRole('status').filter({ hasText: /^(Weak|Fair|Good|Strong)\./ })

test('a new password is rated while it is typed, in every look', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { width: 390 })
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  const isFetched = () => fetched.some((url) => url.includes('password-strength'))
  await signUpForm(page)
  expect(isFetched()).toBe(false)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('Rosalind1')
  await strength(page).getByText('Weak. It contains your name or email.').waitFor()
  expect(isFetched()).toBe(true)
  await field.fill('password')
  await strength(page).getByText('Weak. This is a common password.').waitFor()
  expect(await problemsInLooks(page, 'weak')).toEqual([])
  await field.fill('seven small lanterns by the quiet river')
  await expect.poll(() => strength(page).textContent()).toMatch(/^Strong\.\s*$/)
  await field.fill('')
  await strength(page).waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('without the strength estimator a password can still be chosen, and a refused one is reported', async () => {
  const { page, faults, close } = await visit(browser, stack.url)
  await page.route('**/*password-strength*', (route) => route.abort())
  await signUpForm(page)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('my-rosalind-2026')
  await page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Your own e-mail address is guessed first').waitFor()
  await expect.poll(() => strength(page).count()).toBe(0)
  await field.fill('correct horse')
  await page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL((url) => url.pathname !== '/auth')
  expect(faults).toEqual([])
  await close()
})
