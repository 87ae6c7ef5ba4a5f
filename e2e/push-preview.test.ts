import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { pictures } from './looks.ts'
import { seed } from './seed.ts'
import { toast } from './toast.ts'
import { ann, browser, stack, token, useAnn } from './workspace.ts'

/** The token of a person without a destination. */
let bo: string

useAnn()
beforeAll(async () => {
  await seed(stack, ann.email, { insights: 3, tags: 1, mentions: 2 })
  await stack.call(token, 'POST', '/api/webhook/add', { webhook: stack.receiver.hookUrl })
  bo = await stack.signUp({ email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' })
  await seed(stack, 'bo@example.com', { insights: 5, tags: 1, mentions: 2 })
})

test('the tile’s menu and the insight’s menu show what a push would send, and nothing is sent', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/integrations')
  await page.getByRole('button', { name: 'Actions for Webhook' }).click()
  await page.getByRole('menuitem', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview' })
  const body = dialog.getByRole('textbox', { name: 'Body of the request' })
  await body.waitFor()
  await expect.poll(() => body.inputValue()).toContain('"type": "insight.created"')
  await expect.poll(() => dialog.textContent()).toContain(`POST ${new URL(stack.receiver.hookUrl).origin}/•••`)
  await page.keyboard.press('Escape')

  await page.goto('/insights?issue=1')
  await page.getByRole('button', { name: 'Correct this insight' }).click()
  await page.getByRole('menuitem', { name: 'Preview' }).click()
  await body.waitFor()
  await expect.poll(() => body.inputValue()).toContain('"issue_number": 1,')
  expect(stack.receiver.received()).toEqual([])
  await pictures(page, 'preview')
  expect(faults).toEqual([])
  await close()
})

/** Presses Escape as soon as a dialog is in the page: before it listens to keys. */
const escapeAsItOpens = (page: Page) =>
  page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-modal]')) return
    observer.disconnect()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  }).observe(document.body, { childList: true, subtree: true })`)

test('without a destination a preview and a push lead to where one is connected', async () => {
  const all = (await stack.call(bo, 'GET', '/api/insights/get-all')) as { issue_number: number; status: string }[]
  const created = all.find(({ status }) => status === 'created')?.issue_number
  const { page, close } = await visit(browser, stack.url, { token: bo })
  await page.goto(`/insights?issue=${created}`)
  await page.getByRole('button', { name: 'Correct this insight' }).click()
  await escapeAsItOpens(page)
  await page.getByRole('menuitem', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  await expect.poll(() => preview.getByRole('link', { name: 'Connect one' }).getAttribute('href')).toBe('/integrations')
  await preview.locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Push', exact: true }).click()
  await toast(page, 'Push failed').getByRole('button', { name: 'Connect one' }).click()
  await page.waitForURL('**/integrations')
  await close()
})
