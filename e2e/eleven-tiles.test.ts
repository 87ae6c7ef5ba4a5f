import { connectorById } from '@groundswell/connectors/index.ts'
import {
  type DemoProvider,
  type DemoProviders,
  loadCompany,
  startDemoProviders,
} from '@groundswell/connectors/sandbox/index.ts'
import { DemoClient } from '@groundswell/server/demo/client.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { picture } from './looks.ts'
import { sweepNow } from './sweeps.ts'
import { toast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }
/** More than the interval at which the states of items are read. */
const STATUS_INTERVAL_MS = 11 * 60_000
let providers: DemoProviders
let client: DemoClient

afterAll(async () => {
  for (const provider of [...(providers?.sources ?? []), ...(providers?.trackers ?? [])]) await provider.stop()
})
useAnn(async () => {
  providers = await startDemoProviders(loadCompany())
  const all = [...providers.sources, ...providers.trackers]
  return { config: { baseUrls: Object.fromEntries(all.map(({ id, url }) => [id, url])) } }
})
beforeAll(async () => {
  client = new DemoClient(stack.url, token)
})

const labelOf = ({ id }: DemoProvider) => connectorById(id)?.manifest.label ?? id
const isChoiceRequired = ({ id }: DemoProvider) => {
  const connector = connectorById(id)
  return Boolean(connector?.choices) && (connector?.choicesRequired ?? connector?.manifest.side === 'destination')
}
const tile = (page: Page, { id }: DemoProvider) => page.locator(`[data-tile=${id}]`)
async function open() {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto('/integrations')
  return visited
}

/** Connects by the form of the tile, as a person does. */
async function connect(page: Page, provider: DemoProvider): Promise<void> {
  await tile(page, provider).getByRole('button').first().click()
  const withToken = page.getByRole('button', { name: 'Use a token' })
  const fields = Object.keys(provider.form).map((name) => page.locator(`[name="${name}"]`))
  await withToken
    .or(fields[0] ?? withToken)
    .first()
    .waitFor()
  if (await withToken.isVisible()) await withToken.click()
  for (const [name, value] of Object.entries(provider.form)) {
    const field = page.locator(`[name="${name}"]`)
    if ((await field.evaluate((element) => element.nodeName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
  await picture(page, `form-${provider.id}`)
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: /^(Confirm|Connect)$/ }).click()])
}

test('each tile connects by its form and says so', async () => {
  const { page, faults, close } = await open()
  for (const provider of [...providers.sources, ...providers.trackers]) {
    await connect(page, provider)
    const panel = page.getByRole('dialog', { name: labelOf(provider) })
    if (isChoiceRequired(provider)) {
      await panel.getByRole('heading', { name: /What to read|Where insights go/ }).waitFor()
      await picture(page, `choices-${provider.id}`)
      await client.choose(provider.id)
    }
    await page.goto('/integrations')
    await expect.poll(() => tile(page, provider).getAttribute('data-status'), LONG_WAIT).toBe('connected')
  }
  await picture(page, 'tiles')
  expect(faults).toEqual([])
  await close()
})

test('Test succeeds on each of them', async () => {
  const { page, close } = await open()
  for (const provider of [...providers.sources, ...providers.trackers]) {
    await tile(page, provider)
      .getByRole('button', { name: `Actions for ${labelOf(provider)}` })
      .click()
    const [tested] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(`/api/${provider.id}/test`)),
      page.getByRole('menuitem', { name: 'Test' }).click(),
    ])
    expect(tested.status()).toBe(200)
    await toast(page, `${labelOf(provider)} Test`)
      .getByText('Connection works.')
      .waitFor()
  }
  await close()
})

describe('what the sources hold', () => {
  test('is read completely and becomes insights', async () => {
    const tiles = providers.sources.map(({ id }) => id)
    await expect
      .poll(async () => (await client.progress(tiles)).filter(({ syncing }) => syncing).length, LONG_WAIT)
      .toBe(0)
    for (const { label, read, error } of await client.progress(tiles)) {
      expect([label, error, read > 20]).toEqual([label, null, true])
    }
    await stack.grouped()
    expect(await client.insightCount()).toBeGreaterThan(3)
  })
})

describe('a push to all trackers', () => {
  const cards = ({ board }: DemoProvider) => board?.cards() ?? []

  test('creates an item in each, and closing all of them resolves the insight', async () => {
    const [first] = (await stack.call(token, 'GET', '/api/insights/get-all')) as {
      issue_number: number
      issue_name: string
    }[]
    if (!first) throw new Error('there is no insight')
    const state = async () => {
      const all = (await stack.call(token, 'GET', '/api/insights/get-all')) as {
        issue_number: number
        status: string
      }[]
      return all.find(({ issue_number }) => issue_number === first.issue_number)?.status
    }
    const { page, faults, close } = await visit(browser, stack.url, { token })
    await page.goto(`/insights?issue=${first.issue_number}`)
    await page.getByRole('button', { name: 'Push', exact: true }).click()
    await page.getByRole('dialog', { name: 'Push to' }).getByRole('button', { name: 'Push', exact: true }).click()
    const waiting = async () => {
      const { deliveries } = (await stack.call(token, 'GET', '/api/deliveries')) as {
        deliveries: { issue_number: number; state: string }[]
      }
      return deliveries.filter((one) => one.issue_number === first.issue_number && one.state !== 'delivered').length
    }
    const titles = async () =>
      providers.trackers.filter((tracker) => cards(tracker).some(({ title }) => title.includes(first.issue_name)))
        .length
    await expect.poll(titles, LONG_WAIT).toBe(providers.trackers.length)
    await expect.poll(waiting, LONG_WAIT).toBe(0)
    expect(await state()).toBe('pushed')
    for (const tracker of providers.trackers) {
      const card = cards(tracker).find(({ title }) => title.includes(first.issue_name))
      if (card) tracker.board?.close(card.id)
    }
    // Some tell us with an event, the others are asked.
    stack.passTime(STATUS_INTERVAL_MS)
    await sweepNow(stack, 'remote-items-sweep')
    await expect.poll(state, LONG_WAIT).toBe('resolved')
    await page.reload()
    await page.getByRole('dialog').getByText('Resolved').first().waitFor()
    await picture(page, 'resolved')
    expect(faults).toEqual([])
    await close()
  })
})

describe('the feedback of disconnected sources', () => {
  test('is kept and listed for each of them, and deleted when someone asks for it', async () => {
    const { page, faults, close } = await open()
    for (const provider of providers.sources) {
      await tile(page, provider)
        .getByRole('button', { name: `Actions for ${labelOf(provider)}` })
        .click()
      await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name: 'Disconnect' }).click()])
      await page
        .locator(`[data-kept=${provider.id}]`)
        .getByText(/^\d+ messages$/)
        .waitFor()
      // While the connections are loading, no tile is connected.
      await page.locator('ul[aria-busy=true]').first().waitFor({ state: 'detached' })
      await expect.poll(() => tile(page, provider).getAttribute('data-status')).toBe('na')
    }
    await picture(page, 'kept')
    const before = await client.insightCount()
    for (const provider of providers.sources) {
      const kept = page.locator(`[data-kept=${provider.id}]`)
      await kept.getByRole('button', { name: 'Delete feedback' }).click()
      const dialog = page.getByRole('dialog', { name: `Delete the feedback from ${labelOf(provider)}?` })
      await dialog.getByText(/^\d+ insights? will shrink, \d+ will disappear\.$/).waitFor()
      await picture(page, `delete-kept-${provider.id}`)
      await dialog.getByRole('button', { name: 'Delete feedback' }).click()
      await kept.waitFor({ state: 'detached' })
    }
    await page.getByRole('heading', { name: 'Disconnected sources' }).waitFor({ state: 'detached' })
    await expect.poll(() => client.insightCount(), LONG_WAIT).toBe(0)
    expect(before).toBeGreaterThan(0)
    expect(faults).toEqual([])
    await close()
  })
})
