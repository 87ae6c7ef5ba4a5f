import { DemoClient } from '@groundswell/server/demo/client.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { toast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }

useAnn()

const open = async (path: string, as = token) => {
  const visited = await visit(browser, stack.url, { token: as })
  await visited.page.goto(path)
  return visited
}
const tile = (page: Page) => page.locator('[data-tile=slack]')
/** When the last sync of Slack ended. */
async function lastSync(): Promise<string | null> {
  const { connectors } = (await stack.call(token, 'GET', '/api/connectors')) as {
    connectors: { connection: { last_sync: string | null } }[]
  }
  return connectors[0]?.connection.last_sync ?? null
}
/** The checkboxes of one choice. */
const group = (panel: Locator, name: string) => panel.getByRole('group', { name, exact: true })
const choose = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: 'Actions for Slack' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('connected manually on the consent page: the code is sent once, the history becomes insights', async () => {
  const { page, faults, close } = await open('/integrations')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/slack/oauth')) sent.push(request.method())
  })
  await tile(page)
    .getByRole('button', { name: /^Slack/ })
    .click()
  await page.getByRole('heading', { name: 'Groundswell wants to read your Slack' }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Your Slack integration was successful.').first().waitFor()
  await expect.poll(() => new URL(page.url()).search, LONG_WAIT).toBe('')
  expect(sent).toEqual(['POST'])
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  await tile(page).getByText('Tallybrook').first().waitFor()
  await page.goBack()
  await page.goto('/insights')
  await page.getByRole('row').nth(2).waitFor(LONG_WAIT)
  expect(faults).toEqual([])
  await close()
})

test('connected: a click shows it; test, sync now and the choice of channels work', async () => {
  const { page, faults, close } = await open('/integrations')
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  await tile(page)
    .getByRole('button', { name: /^Slack/ })
    .click()
  await toast(page, 'Slack Already Connected').filter({ hasText: 'You are connected to Tallybrook.' }).waitFor()
  await choose(page, 'Test')
  await toast(page, 'Slack Test').filter({ hasText: 'Connected to Tallybrook' }).waitFor()
  await choose(page, 'Details')
  const panel = page.getByRole('dialog', { name: 'Slack' })
  await panel.getByRole('button', { name: 'Choose' }).click()
  await group(panel, 'Channels').getByLabel('#customer-feedback').check()
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Sync started.').first().waitFor()
  await expect.poll(() => panel.getByRole('button', { name: 'Sync now' }).isEnabled(), LONG_WAIT).toBe(true)
  const asked = page.waitForResponse((response) => response.url().endsWith('/api/slack/sync'))
  await panel.getByRole('button', { name: 'Sync now' }).click()
  expect((await asked).status()).toBe(200)
  await expect.poll(() => panel.getByText(/by the last sync/).count(), LONG_WAIT).toBe(1)
  expect(faults).toEqual([])
  await close()
})

test('a chosen channel is marked as shared with customers, and the mark stays when more channels are chosen', async () => {
  const { page, faults, close } = await open('/integrations')
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  await choose(page, 'Details')
  const panel = page.getByRole('dialog', { name: 'Slack' })
  await panel.getByRole('button', { name: 'Change' }).click()
  const channels = group(panel, 'Channels')
  const shared = group(panel, 'Shared with customers')
  await expect.poll(() => shared.locator('label').allInnerTexts()).toEqual(['#customer-feedback'])
  await panel.getByText('what members of your own workspace write is context and never counts as feedback').waitFor()
  await shared.getByLabel('#customer-feedback').check()
  await channels.getByLabel('#beta-testers').check()
  await expect.poll(() => shared.locator('label').allInnerTexts()).toEqual(['#beta-testers', '#customer-feedback'])
  await expect.poll(() => shared.getByLabel('#customer-feedback').isChecked()).toBe(true)
  await panel.getByRole('button', { name: 'Save' }).click()
  const id = stack.slack.workspace.room('customer-feedback').id
  const stored = async () => {
    const answer = await stack.call(token, 'GET', '/api/slack/choices')
    const { choices } = answer as { choices: { field: string; chosen: string[] }[] }
    return choices.find(({ field }) => field === 'shared_channels')?.chosen
  }
  // The text of the form is the same before it is saved and after: only what is stored shows that it was.
  await expect.poll(stored, LONG_WAIT).toEqual([id])

  await panel.getByRole('button', { name: 'Change' }).click()
  await shared.getByLabel('#customer-feedback').uncheck()
  await channels.getByLabel('#beta-testers').uncheck()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect.poll(stored, LONG_WAIT).toEqual([])
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  expect(faults).toEqual([])
  await close()
})

test('the demo reads every channel, and takes none for one that is shared with customers', async () => {
  const before = await lastSync()
  await new DemoClient(stack.url, token).choose('slack', { all: true })
  // Other channels are read after this, which the next test must not count.
  await expect.poll(lastSync, LONG_WAIT).not.toBe(before)
  const { choices } = (await stack.call(token, 'GET', '/api/slack/choices')) as {
    choices: { field: string; chosen: string[]; options: unknown[] }[]
  }
  const counts = choices.map(({ field, chosen, options }) => [field, chosen.length, options.length > 1])
  expect(counts).toEqual([
    ['channels', choices[0]?.options.length, true],
    ['shared_channels', 0, true],
  ])
})

test('new messages arrive automatically', async () => {
  const { page, close } = await open('/integrations')
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  await close()
  const before = stack.slack.requests()['conversations.history']
  const say = (author: string) =>
    stack.slack.post({
      channel: 'customer-feedback',
      author,
      text: 'The espresso timer widget forgets its settings after every restart',
    })
  say('Ada')
  say('Grace')
  const names = async () =>
    JSON.stringify(await stack.call(token, 'GET', '/api/insights/get-all')).includes('espresso timer')
  await expect.poll(names, LONG_WAIT).toBe(true)
  expect(stack.slack.requests()['conversations.history']).toBe(before)
})

test('during a sync, progress is shown and Cancel stops it', async () => {
  // Each requests a pause of 7 s: enough time to see it, even on a busy machine.
  stack.slack.fault('429', 4, 'conversations.history')
  await stack.call(token, 'POST', '/api/slack/sync')
  const { page, close } = await open('/integrations')
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('syncing')
  await page.getByText(/Waiting until .*asked for a pause/).waitFor()
  await choose(page, 'Cancel')
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  await choose(page, 'Disconnect')
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('na')
  await close()
})

test('without an app the steps are shown; its credentials lead to the consent page, and a denial is reported', async () => {
  const { config } = stack.services
  const { appCredentials } = config
  config.appCredentials = {}
  const bob = await stack.signUp({ email: 'bob@example.com', password: 'long enough to pass', name: 'Bob' })
  const { page, faults, close } = await open('/integrations', bob)
  await tile(page)
    .getByRole('button', { name: /^Slack/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Set up Slack' })
  await expect.poll(() => dialog.getByLabel('App manifest').inputValue()).toContain(`${stack.url}/integrations`)
  await dialog.getByLabel('Client ID').fill(stack.slack.clientId)
  await dialog.getByLabel('Client secret').fill(stack.slack.clientSecret)
  await dialog.getByLabel('Signing secret').fill(stack.slack.signingSecret)
  await dialog.getByRole('button', { name: 'Save and connect' }).click()
  await page.getByRole('heading', { name: 'Groundswell wants to read your Slack' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Failed to connect Slack. Please try again.').first().waitFor()
  await expect.poll(() => new URL(page.url()).search, LONG_WAIT).toBe('')

  await page.getByRole('button', { name: 'Set up Slack' }).click()
  await dialog.getByLabel('Bot token').fill(stack.slack.botToken)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.poll(() => tile(page).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  expect(faults).toEqual([])
  config.appCredentials = appCredentials
  await close()
})

test('a code that the provider rejects is reported on the page', async () => {
  const eve = await stack.signUp({ email: 'eve@example.com', password: 'long enough to pass', name: 'Eve' })
  const { page, close } = await open('/integrations?code=wrong&state=slack.forged', eve)
  // The notification first: it disappears.
  await page.getByText('Failed to connect Slack. Please try again.').first().waitFor()
  await page.getByText('Failed to connect Slack', { exact: true }).waitFor()
  await expect.poll(() => tile(page).count()).toBe(0)
  await close()
})
