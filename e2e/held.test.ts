import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { connectAsOwner } from './database.ts'
import { seed } from './seed.ts'
import { ann, browser, stack, token, useAnn } from './workspace.ts'

useAnn()
beforeAll(async () => {
  await seed(stack, ann.email, { insights: 24, tags: 2, mentions: 6 })
  await sql(`update insight set status = 'created', mention_count = 10 + issue_number`)
  await sql(`update insight set mention_count = 2 where issue_number = 1`)
  await sql(`update workspace set revision = revision + 1`)
})

/** Changes the only workspace directly in the database. */
async function sql(text: string): Promise<void> {
  const client = await connectAsOwner(stack)
  await client.query(
    `select set_config('groundswell.workspace', (select workspace_id::text from session limit 1), false)`,
  )
  await client.query(text)
  await client.end()
}

async function open(path: string): Promise<Visit> {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto(path)
  return visited
}

const banner = (page: Page) => page.getByRole('region', { name: 'Held for Webhook' })
const created = () =>
  stack.receiver
    .received()
    .filter(({ payload }) => payload?.type === 'insight.created')
    .map(({ payload }) => payload?.data.insight)

test('a webhook is connected without a push; the banner after the reload pushes the 10 largest, whose links open them', async () => {
  const { page, faults, close } = await open('/integrations')
  await page.getByRole('button', { name: /^Webhook/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter Webhook URL' })
  await dialog.getByLabel('URL').fill(stack.receiver.hookUrl)
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: 'Confirm' }).click()])
  await banner(page).getByText('23 insights already qualify for Webhook.').waitFor()
  expect(stack.receiver.received()).toEqual([])
  await stack.call(token, 'GET', '/api/webhook/signing-secret')

  await page.getByRole('link', { name: 'Insights', exact: true }).click()
  await banner(page).getByRole('button', { name: 'Push the 10 largest to Webhook' }).click()
  await page.getByText('10 insights are being pushed').first().waitFor()
  await banner(page).waitFor({ state: 'detached' })
  await expect.poll(() => created().length, { timeout: 60_000 }).toBe(10)
  const numbers = created().map((one) => one?.issue_number ?? 0)
  expect(numbers.toSorted((a, b) => a - b)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24])

  const first = created()[0]
  await page.goto(first?.url ?? '')
  await page
    .getByRole('dialog')
    .getByRole('heading', { name: first?.issue_name ?? '' })
    .waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the panel of a held insight shows it, and a manual push sends it', async () => {
  const { page, faults, close } = await open('/insights?issue=3')
  const panel = page.getByRole('dialog')
  await panel.getByText('It stays held until you push it.').waitFor()
  await panel.getByRole('button', { name: 'Push', exact: true }).click()
  await panel.getByText('Delivered', { exact: true }).waitFor({ timeout: 60_000 })
  expect(created().map((one) => one?.issue_number)).toContain(3)
  expect(created()).toHaveLength(11)
  expect(faults).toEqual([])
  await close()
})

test('a lower minimum holds what now qualifies and asks immediately; choosing none pushes nothing', async () => {
  const { page, faults, close } = await open('/settings')
  await page.getByLabel('Minimum mentions', { exact: true }).selectOption('2')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await banner(page).getByText('1 insight already qualifies for Webhook.').waitFor()
  await banner(page).getByRole('button', { name: 'Push none to Webhook' }).click()
  await page.getByText('Nothing was pushed').first().waitFor()
  await banner(page).waitFor({ state: 'detached' })
  expect(created()).toHaveLength(11)
  await page.goto('/deliveries')
  await page.getByText('It stays held until you push it.').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the result of the last test is on the tile, also after a reload', async () => {
  const { page, faults, close } = await open('/integrations')
  const tile = page.locator('[data-tile=webhook]')
  const runTest = async () => {
    await page.getByRole('button', { name: 'Actions for Webhook' }).click()
    await page.getByRole('menuitem', { name: 'Test' }).click()
  }
  await runTest()
  await tile.getByText('Test succeeded (200)').waitFor()
  stack.receiver.fail('500')
  await runTest()
  await tile.getByText('Test failed (500)').waitFor()
  await page.reload()
  await tile.getByText('Test failed (500)').waitFor()
  expect(faults).toEqual([])
  await close()
})
