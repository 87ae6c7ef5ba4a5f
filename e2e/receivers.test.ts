import { startServer, type TestServer } from '@groundswell/connectors/kit/testing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks, problemsOf } from './looks.ts'
import { toast } from './toast.ts'
import { call, page, useWorkspace } from './workspace.ts'

let server: TestServer
let status = 200

useWorkspace({ file: csvOf(peopleSaying) })
beforeAll(async () => {
  // No failed delivery is retried automatically during a test.
  const headers = { 'retry-after': '3600' }
  server = await startServer((_, response) => response.writeHead(status, headers).end('ok'))
})
afterAll(() => server[Symbol.asyncDispose]())

const section = () => page.locator('section', { has: page.getByRole('heading', { name: 'Webhooks', exact: true }) })
const manage = async (entry: string) => {
  await section()
    .getByRole('button', { name: /^Manage / })
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('a webhook is added, tested, and gets what happens to an insight', async () => {
  await page.goto('/settings/developers')
  await section().getByRole('button', { name: 'Add webhook…' }).click()
  const form = page.getByRole('dialog', { name: 'Add a webhook' })
  await form.getByLabel('URL').fill(`${server.url}/hook`)
  await form.getByLabel('Description').fill('Our planning board')
  await form.getByLabel('Events').selectOption({ label: 'Only these' })
  await form.getByRole('checkbox', { name: 'insight.deleted' }).uncheck()
  expect(await problemsOf(page)).toEqual([])
  await form.getByRole('button', { name: 'Add webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'The signing secret' })
  const secret = (await shown.getByText(/^whsec_/).innerText()).trim()
  expect(await problemsOf(page)).toEqual([])
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await section().getByText('Our planning board · 8 events').waitFor()
  await expect.poll(() => page.locator('button[type=submit]').count()).toBe(1)
  expect(await page.content()).not.toContain(secret)

  await section()
    .getByRole('button', { name: /^Deliveries to / })
    .click()
  const deliveries = page.getByRole('dialog', { name: /^Deliveries to / })
  await deliveries.getByText('Nothing has been sent yet.').waitFor()
  await deliveries.getByRole('button', { name: 'Send a test event' }).click()
  await deliveries.getByText('Delivered').waitFor()
  const [test] = server.seen
  expect(JSON.parse(test?.body ?? '')).toMatchObject({ type: 'receiver.test' })
  expect(test?.headers['webhook-signature']).toMatch(/^v1,/)

  const [insight] = (await call('GET', '/api/insights/get-all')) as { issue_number: number }[]
  const changes = [{ issue_number: insight?.issue_number, team_status: 'planned' }]
  await call('PUT', '/api/insights/team-status', { changes })
  await expect.poll(() => server.seen.length).toBe(2)
  const [, second] = server.seen
  expect(JSON.parse(second?.body ?? '')).toMatchObject({
    type: 'insight.team_status_changed',
    data: { insight: { number: insight?.issue_number, team_status: 'planned' } },
  })
})

test('what failed is shown and sent again; the secret is rotated; a webhook that is gone says so', async () => {
  status = 500
  await page.goto('/settings/developers')
  await section()
    .getByRole('button', { name: /^Deliveries to / })
    .click()
  const deliveries = page.getByRole('dialog', { name: /^Deliveries to / })
  await deliveries.getByRole('button', { name: 'Send a test event' }).click()
  await deliveries.getByText('The receiver replied 500 instead of 2xx').waitFor()
  status = 200
  await deliveries.getByRole('button', { name: /^Send receiver\.test .* 500/ }).click()
  await expect.poll(() => deliveries.getByText('Delivered').count()).toBe(3)
  await deliveries.getByRole('button', { name: 'Close' }).click()

  await manage('Rotate secret…')
  await page.getByRole('dialog', { name: 'Rotate the secret?' }).getByRole('button', { name: 'Rotate' }).click()
  await page
    .getByRole('dialog', { name: 'The new signing secret' })
    .getByRole('button', { name: 'I have saved it' })
    .click()

  status = 410
  await section()
    .getByRole('button', { name: /^Deliveries to / })
    .click()
  await deliveries.getByRole('button', { name: 'Send a test event' }).click()
  await deliveries.getByText('Failed').waitFor()
  expect(await problemsOf(page)).toEqual([])
  await page.goto('/settings/developers')
  await section().getByText('It replied 410 Gone').waitFor()
  await section().scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'receivers')).toEqual([])
  await manage('Enable')
  await section().getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
  await manage('Delete…')
  await page
    .getByRole('dialog', { name: /^Delete / })
    .getByRole('button', { name: 'Delete' })
    .click()
  await toast(page, 'Webhook deleted').waitFor()
  await section().getByText('No webhooks yet').waitFor()
})
