import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { problemsInLooks } from './looks.ts'
import { toast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

useAnn()

const use = async (key: string) =>
  (await fetch(`${stack.url}/api/insights/get-all`, { headers: { authorization: `Bearer ${key}` } })).status

test('a key is created, copied once, and revoked, in every look', async () => {
  const { page, context, faults, close } = await visit(browser, stack.url, { token })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/settings/developers')
  const create = page.getByRole('button', { name: 'Create key…' })
  await create.click()
  await expect.poll(() => page.locator('main button[type=submit]').count()).toBe(1)
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByLabel('Name').fill('Nightly report')
  await form.getByLabel('Expires after').selectOption({ label: 'Never' })
  await form.getByText('If it leaks, it works until somebody notices').waitFor()
  const correct = form.getByRole('checkbox', { name: 'Create and correct insights', exact: true })
  await correct.check()
  await form.getByText('Agents also need to read them.').waitFor()
  expect(await problemsInLooks(page, 'key-form')).toEqual([])
  await form.getByLabel('Read insights and feedback').uncheck()
  await correct.uncheck()
  await expect.poll(() => form.getByRole('button', { name: 'Create key' }).isEnabled()).toBe(false)
  await form.getByLabel('Read insights and feedback').check()
  await correct.check()
  await form.getByLabel('Name').press('Enter')

  const shown = page.getByRole('dialog', { name: 'Your API key' })
  const key = await shown.getByText(/^gsk_[\w-]{43}$/).innerText()
  expect(await use(key)).toBe(200)
  await shown.getByRole('button', { name: 'Copy' }).click()
  await toast(page, 'Copied').waitFor()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key)
  expect(await problemsInLooks(page, 'key')).toEqual([])
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await shown.waitFor({ state: 'detached' })

  await page.reload()
  await page
    .getByText(
      /read insights and feedback, create and correct insights · by ann@example\.com · last used .* · never expires/,
    )
    .waitFor()
  expect(await page.content()).not.toContain(key)
  await expect.poll(() => page.locator('button[type=submit]').count()).toBe(1)
  await create.scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'keys')).toEqual([])

  await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
  await page.getByRole('dialog', { name: 'Revoke Nightly report?' }).getByRole('button', { name: 'Revoke' }).click()
  await toast(page, 'Key revoked').waitFor()
  await page.getByText('No keys yet').waitFor()
  expect(await use(key)).toBe(401)
  expect(faults).toEqual([])
  await close()
})
