import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks } from './looks.ts'
import { toast } from './toast.ts'
import { call, page, useWorkspace } from './workspace.ts'

useWorkspace({ file: csvOf(peopleSaying) })

const consent = () => call('GET', '/api/case-consent')

test('an owner allows that corrections become test cases, and revokes it, with the keyboard', async () => {
  await page.goto('/settings/workspace')
  const allow = page.getByRole('switch', { name: 'Let corrections become test cases' })
  await page.getByText('0 corrections can be used now.').waitFor()
  await expect.poll(() => allow.getAttribute('aria-checked')).toBe('false')
  expect(await problemsInLooks(page, 'case-consent')).toEqual([])
  await allow.focus()
  await page.keyboard.press('Space')
  await toast(page, 'Settings saved').waitFor()
  await page.getByText(/Allowed by Ann, /).waitFor()
  expect(await consent()).toMatchObject({ allowed: true, given_by: 'Ann' })
  await page.reload()
  await page.getByText(/Allowed by Ann, /).waitFor()
  await allow.click()
  await page.getByText(/Allowed by/).waitFor({ state: 'detached' })
  expect(await consent()).toMatchObject({ allowed: false, given_by: null })
})
