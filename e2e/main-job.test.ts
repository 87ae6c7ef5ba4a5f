import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { browser, stack, useStack } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }
/** One of its rows has no text. */
const file = `${csvOf(peopleSaying)}\n,Nobody,2026-11-01\n`

useStack()

/** The deliveries that have not arrived yet, and none have failed. */
async function waiting(token: string | null): Promise<unknown[]> {
  const { deliveries } = (await stack.call(token ?? '', 'GET', '/api/deliveries')) as {
    deliveries: { state: string }[]
  }
  return deliveries.filter(({ state }) => state !== 'delivered')
}

test('from a file to insights to a webhook, manually in the browser', async () => {
  const { page, faults, close } = await visit(browser, stack.url)

  await page.goto('/')
  await page
    .getByRole('link', { name: 'Sign up' })
    .or(page.getByRole('button', { name: 'Sign up' }))
    .first()
    .click()
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('an analytical engine')
  await page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Welcome to Groundswell' }).waitFor()
  await page.getByRole('link', { name: 'Connect a source' }).click()
  await page.waitForURL('**/integrations')

  await page
    .getByRole('button', { name: /^Webhook/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Enter Webhook URL' })
  await dialog.getByLabel('URL').fill(stack.receiver.hookUrl)
  await dialog.getByLabel('Client token (optional)').fill('token-of-mine')
  // It ends with a reload of the page.
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: 'Confirm' }).click()])
  await page.getByText('Connected', { exact: true }).waitFor()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await stack.call(token ?? '', 'GET', '/api/webhook/signing-secret')

  await page.getByRole('link', { name: 'Import a file' }).click()
  await page.getByLabel('File of feedback').setInputFiles({
    name: 'feedback.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file),
  })
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Done. Everything is imported and grouped.').waitFor(LONG_WAIT)
  const figures = page.locator('dl')
  await expect.poll(() => figures.textContent()).toBe(`Added${peopleSaying.length}Already known0Bad rows1`)
  await page.getByRole('cell', { name: String(peopleSaying.length + 2), exact: true }).waitFor()

  await page.getByRole('link', { name: 'See the insights' }).click()
  const row = page.getByRole('row').filter({ hasText: /csv export/i })
  await row.waitFor()
  await row.getByText('Pushed', { exact: true }).last().waitFor(LONG_WAIT)
  await row.click()
  const panel = page.getByRole('dialog')
  for (const { text } of peopleSaying.filter(({ about }) => about === 'export')) {
    await panel.getByText(text, { exact: false }).first().waitFor()
  }

  await expect.poll(() => waiting(token), LONG_WAIT).toEqual([])
  const arrived = stack.receiver.received().filter(({ payload }) => payload?.type === 'insight.created')
  expect(arrived.length).toBeGreaterThan(0)
  expect(arrived.map(({ verified }) => verified)).toEqual(arrived.map(() => true))
  expect(new Set(arrived.map(({ payload }) => payload?.data.insight.id)).size).toBe(arrived.length)

  await page.goto(stack.receiver.url)
  await page.getByText('signature verified').first().waitFor()
  await page
    .getByText(/csv export/i)
    .first()
    .waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the same file again adds nothing and pushes nothing', async () => {
  const token = (
    (await stack.call('', 'POST', '/api/auth/login', {
      email: 'ada@example.com',
      password: 'an analytical engine',
    })) as { token: string }
  ).token
  await stack.grouped()
  await expect.poll(() => waiting(token), LONG_WAIT).toEqual([])
  const before = stack.receiver.received().length
  const { page, close } = await visit(browser, stack.url, { token })
  await page.goto('/import')
  await page.getByLabel('File of feedback').setInputFiles({
    name: 'feedback.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file),
  })
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Done. Everything is imported and grouped.').waitFor(LONG_WAIT)
  await expect.poll(() => page.locator('dl').textContent()).toBe(`Added0Already known${peopleSaying.length}Bad rows1`)
  // A push would be waiting from the end of the grouping on.
  await stack.grouped()
  expect(await waiting(token)).toEqual([])
  expect(stack.receiver.received().length).toBe(before)
  await close()
})
