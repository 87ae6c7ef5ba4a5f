import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { boxOf, isRed, styleOf } from './spec/looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

useAnn()

const open = async (path: string) => {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto(path)
  return visited
}

test('a bad address is reported beside its field; then connect, test, disconnect', async () => {
  const { page, faults, close } = await open('/integrations')
  await page
    .getByRole('button', { name: /^Webhook/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Enter Webhook URL' })
  const field = dialog.getByLabel('URL')
  await field.fill('not an address')
  const [refusal] = await Promise.all([
    page.waitForResponse((response) => response.url() === `${stack.url}/api/webhook/add`),
    dialog.getByRole('button', { name: 'Confirm' }).click(),
  ])
  expect(refusal.status()).toBe(400)
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => dialog.locator('[aria-invalid=true]').count()).toBe(1)
  const note = dialog.locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
  await expect
    .poll(() => note.textContent())
    .toBe(((await refusal.json()) as { fields: { webhook: string } }).fields.webhook)
  const [fieldBox, noteBox] = [await boxOf(field), await boxOf(note)]
  expect(noteBox.y - fieldBox.y - fieldBox.height).toBeGreaterThanOrEqual(0)
  expect(noteBox.y - fieldBox.y - fieldBox.height).toBeLessThan(12)
  expect(isRed(await styleOf(note, 'color'))).toBe(true)
  await dialog.getByLabel('URL').fill(stack.receiver.hookUrl)
  // It ends with a reload of the page.
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: 'Confirm' }).click()])
  await page.getByText('Connected', { exact: true }).waitFor()
  await stack.call(token, 'GET', '/api/webhook/signing-secret')

  const menu = page.getByRole('button', { name: /actions|menu|options/i }).and(page.locator('main *'))
  await menu.first().click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await page.getByText('Example data pushed successfully.').first().waitFor()
  await expect
    .poll(() => stack.receiver.received()[0])
    .toMatchObject({ verified: true, payload: { type: 'insight.test' } })

  stack.receiver.fail('500')
  await menu.first().click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await page.getByText('Failed to push example data. Please try again.').first().waitFor()

  await menu.first().click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  const isNoTileConnected = async () => {
    const tiles = await page.locator('[data-tile]').count()
    return tiles >= 11 && (await page.getByText('Not Connected', { exact: true }).count()) === tiles
  }
  await expect.poll(isNoTileConnected).toBe(true)
  expect(faults).toEqual([])
  await close()
})

test('an address inside the network is refused in the form, beside the toast, and can be corrected there', async () => {
  const { page, faults, close } = await open('/integrations')
  await page
    .getByRole('button', { name: /^Webhook/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Enter Webhook URL' })
  await dialog.getByLabel('URL').fill('http://[::ffff:169.254.169.254]/latest/')
  const answered = page.waitForResponse('**/api/webhook/add')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  expect((await answered).status()).toBe(400)
  await dialog.getByText(/^This address is private or reserved\. To allow it, add .* to WEBHOOK_ALLOW/).waitFor()
  await page.getByText('Failed to add webhook. Please try again.').first().waitFor()
  await expect.poll(() => dialog.getByLabel('URL').inputValue()).toBe('http://[::ffff:169.254.169.254]/latest/')
  await expect.poll(() => dialog.getByLabel('URL').getAttribute('aria-invalid')).toBe('true')
  expect(faults).toEqual([])
  await close()
})
