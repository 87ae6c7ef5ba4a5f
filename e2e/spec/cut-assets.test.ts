import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilIdle, untilLoaded } from '../browser.ts'
import { isRed, styleOf } from './looks.ts'
import { onOurServer, type SpecStack } from './stacks.ts'

const USER_DATA = 'GET /api/user/user-data'
const INSIGHTS = 'GET /api/insights/get-all'
const SAVE = 'POST /api/user/update-settings'

const NOTE_EMPTY_ROOT = `addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('root')
  new MutationObserver(() => {
    if (root.childElementCount === 0) sessionStorage.setItem('emptied', 'yes')
  }).observe(root, { childList: true })
})`

const WHOLE = { isShown: true, wasEmpty: null, faults: [] }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const waitForText = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor()
const toast = (page: Page, title: string) => page.locator('li.toast').filter({ hasText: title })
const tile = (page: Page, name: string) => page.locator(`[data-tile=${name}]`)
const name = (page: Page) => page.getByLabel('Tag name')

/** A tab that records whether the page was ever blank. `cut` blocks every file of the app from then on, cached ones too. */
async function open(stack: SpecStack, address: string, look?: 'signed out') {
  const { page, faults, close } = await stack.open('/robots.txt', look)
  await page.addInitScript({ content: NOTE_EMPTY_ROOT })
  await page.goto(address)
  return {
    page,
    close,
    cut: async () => {
      await untilLoaded(page)
      await page.route('**/assets/**', (route) => route.abort())
    },
    restore: () => page.unroute('**/assets/**'),
    /** Whether the page has content and always had, and its uncaught errors. */
    state: async () => ({
      isShown: (await page.locator('#root > *').count()) > 0,
      wasEmpty: await page.evaluate(() => sessionStorage.getItem('emptied')),
      faults,
    }),
  }
}

const insight = {
  issue_number: 1,
  issue_name: 'The export stops half-way',
  summary: 'Exports stop.',
  status: 'created',
  last_updated: '2026-11-20T10:00:00Z',
  evidence: [],
  categories: [],
}

/** A team, a webhook and no list of tiles by our own server: the user data alone decides. */
async function withConnections(stack: SpecStack) {
  const response = await fetch(`${stack.front.url}/api/user/user-data`, {
    headers: { authorization: `Bearer ${stack.ann.token}` },
  })
  stack.front.answer(USER_DATA, {
    ...((await response.json()) as object),
    slack_data: { access_token: null, team: { name: 'Tallybrook' } },
    webhook_destination: { url: 'https://hooks.example.com/a' },
    destination_webhook: true,
  })
  stack.front.fail('GET /api/connectors', 404)
}

onOurServer('with every file of the app cut off after the first look', (stack) => {
  test('a failed save of the settings is reported, and the typed tag stays', async () => {
    const { page, cut, state, close } = await open(stack, '/settings')
    await button(page, 'Add Tag').click()
    await name(page).last().fill('Billing')
    await page.getByLabel('Tag description').last().fill('Everything about invoices, payments and what they cost')
    await cut()
    stack.front.fail(SAVE, 'drop')
    await button(page, 'Save Settings').click()
    await toast(page, 'Error').getByText('Save failed.', { exact: true }).waitFor()
    await expect.poll(() => name(page).last().inputValue()).toBe('Billing')
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('a failed log-in or sign-up is reported, and what was typed stays', async () => {
    const { page, cut, state, close } = await open(stack, '/auth', 'signed out')
    await page.getByLabel('Email').waitFor()
    await cut()
    stack.front.fail('POST /api/auth/login', 'drop')
    stack.front.fail('POST /api/auth/signup', 'drop')
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.locator('button[type=submit]').click()
    await waitForText(page, 'Wrong email or password')
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ann@example.com')
    await page.getByRole('link', { name: /Sign up/ }).click()
    await page.getByLabel('Name').fill('Ann')
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Password', { exact: true }).fill('long enough to pass')
    await page.locator('button[type=submit]').click()
    await waitForText(page, 'Error creating account')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ann')
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('a callback without a token leads to its error screen', async () => {
    const { page, close, faults } = await stack.open('/robots.txt', 'signed out')
    await page.route('**/assets/auth-code-error*', (route) => route.abort())
    await page.goto('/api/auth/oauth-callback')
    await page.waitForURL('**/auth/auth-code-error')
    await waitForText(page, 'Sign-in was not completed')
    expect(faults).toEqual([])
    await close()
  })

  test('insights that cannot be fetched end the loading; the user stays signed in without user data', async () => {
    stack.front.fail(INSIGHTS, 'drop')
    stack.front.fail(USER_DATA, 500)
    const { page, state, close } = await open(stack, '/insights')
    await button(page, 'Try again').waitFor()
    await expect.poll(() => page.locator('[data-skeleton]').count()).toBe(0)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/insights')
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('failures on the integrations are reported in a toast and, where the catalogue requires it, in red', async () => {
    for (const [tool, failing] of [
      [
        'Webhook',
        [
          ['Test', 'Failed to push example data. Please try again.', null],
          ['Disconnect', 'Failed to disconnect webhook. Please try again.', 'Failed to disconnect webhook'],
        ],
      ],
      ['Slack', [['Disconnect', 'Failed to disconnect Slack. Please try again.', 'Failed to disconnect Slack']]],
    ] as const) {
      await withConnections(stack)
      const { page, cut, state, close } = await open(stack, '/integrations')
      const choose = async (entry: string) => {
        await button(page, `Actions for ${tool}`).click()
        await page.getByRole('menuitem', { name: entry, exact: true }).waitFor()
      }
      await choose('Disconnect')
      await cut()
      await untilIdle(page)
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
      for (const [entry, words, red] of failing) {
        stack.front.fail(`POST /api/${tool.toLowerCase()}/${entry.toLowerCase()}`, 'drop')
        await choose(entry)
        await page.getByRole('menuitem', { name: entry, exact: true }).click()
        await toast(page, 'Error').getByText(words, { exact: true }).waitFor()
        if (red) await waitForText(page, red)
        const isInRed = red === null || isRed(await styleOf(page.getByText(red, { exact: true }).first(), 'color'))
        expect(isInRed, `${words} in red`).toBe(true)
        expect(await state(), `${words} on a whole page`).toEqual(WHOLE)
      }
      await close()
    }
  })

  test('a webhook that is not added leaves its form open with the address that was typed', async () => {
    const { page, cut, state, close } = await open(stack, '/integrations')
    await tile(page, 'webhook').getByRole('button').first().click()
    await page.getByRole('heading', { name: 'Enter Webhook URL' }).waitFor()
    await cut()
    stack.front.fail('POST /api/webhook/add', 'drop')
    const box = page.getByRole('dialog').getByRole('textbox').first()
    await box.fill('https://hooks.example.com/typed')
    await button(page, 'Confirm').click()
    await toast(page, 'Error').getByText('Failed to add webhook. Please try again.', { exact: true }).waitFor()
    await expect.poll(() => box.inputValue()).toBe('https://hooks.example.com/typed')
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('a Slack code that the server refuses is reported', async () => {
    stack.front.fail('POST /api/slack/oauth', 500)
    const release = stack.front.hold('POST /api/slack/oauth')
    const { page, cut, state, close } = await open(stack, '/integrations?code=refused')
    await tile(page, 'slack').waitFor()
    await page.route('**/assets/**', (route) => route.abort())
    release()
    await toast(page, 'Error').getByText('Failed to connect Slack. Please try again.', { exact: true }).waitFor()
    await waitForText(page, 'Failed to connect Slack')
    await cut()
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('an eval that cannot be loaded is reported', async () => {
    const { page, cut, state, close } = await open(stack, '/eval')
    await page.locator('option', { hasText: 'first.json' }).waitFor({ state: 'attached' })
    await cut()
    stack.front.fail('GET /eval/get_eval', 'drop')
    await page.getByLabel('Eval session').selectOption('first.json')
    await waitForText(page, 'Failed to load eval session.')
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('each failing step of the comparisons is reported', async () => {
    const { page, cut, state, close } = await open(stack, '/comparisons')
    const directory = page.getByLabel('Directory')
    await directory.locator('option', { hasText: 'weekly' }).waitFor({ state: 'attached' })
    await cut()
    const failing = async (call: string, words: string, act: () => Promise<unknown>) => {
      stack.front.fail(call, 'drop')
      await act()
      await waitForText(page, words)
      stack.front.restore()
    }
    await failing('POST /comparison/set_dir', 'Failed to set directory or load generator options.', () =>
      directory.selectOption('weekly'),
    )
    await directory.selectOption('nightly')
    await directory.selectOption('weekly')
    await button(page, 'Generator options').waitFor()
    const apply = button(page, 'Apply Generator Filter')
    await failing('POST /comparison/set_generator_filter', 'Failed to set generator filter.', () => apply.click())
    await apply.click()
    const source = page.getByLabel('Input source')
    await expect.poll(() => source.isEnabled()).toBe(true)
    await failing('POST /comparison/set_input_filter', 'Failed to set input filter.', () =>
      source.selectOption('tickets'),
    )
    await source.selectOption('tickets')
    await page.getByText('2026-09-14 - 2026-09-20', { exact: true }).waitFor()
    await failing('POST /comparison/set_input_filter', 'Failed to refresh comparisons.', () =>
      button(page, 'Refresh').click(),
    )
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('a menu, the panel and a window that cannot be loaded leave the list and the search as they are', async () => {
    stack.front.answer(INSIGHTS, [insight])
    const { page, cut, restore, state, close } = await open(stack, '/insights')
    await page.locator('tbody tr[aria-rowindex]').first().waitFor()
    const search = page.getByLabel('Search insights')
    await search.fill('export')
    await cut()
    const actions = button(page, `Actions for ${insight.issue_name}`)
    await actions.click()
    await toast(page, 'Could not open').getByRole('button', { name: 'Reload' }).waitFor()
    await button(page, 'Close message').click()
    await button(page, 'Account of Ann').click()
    await toast(page, 'Could not open').waitFor()
    await page.locator('tbody tr[aria-rowindex]').first().click()
    const panel = page.getByRole('complementary', { name: 'Not loaded' })
    await panel.getByText('This part could not be loaded.').waitFor()
    await panel.getByRole('button', { name: 'Reload' }).waitFor()
    await expect.poll(() => search.inputValue()).toBe('export')
    expect(await state()).toEqual(WHOLE)

    await restore()
    await panel.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog').getByText(insight.summary).waitFor()
    await untilIdle(page)
    await page.keyboard.press('Escape')
    await actions.click()
    await page.getByRole('menuitem', { name: 'Push' }).waitFor()
    await expect.poll(() => search.inputValue()).toBe('export')
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('a screen that cannot be loaded offers to try again and to reload; the sidebar stays', async () => {
    const { page, cut, restore, state, close } = await open(stack, '/insights')
    const entry = (label: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label })
    await entry('Settings').waitFor()
    await cut()
    for (const label of ['Integrations', 'Settings', 'Eval', 'Comparisons']) {
      await entry(label).click()
      // The screen before shows the same heading until this one has failed too.
      const heading = page.locator('h1:not([data-seen])', { hasText: 'This screen could not be loaded' })
      await heading.waitFor()
      await heading.evaluate((node) => node.setAttribute('data-seen', ''))
      await button(page, 'Reload').waitFor()
      expect(await state()).toEqual(WHOLE)
    }
    await restore()
    await entry('Settings').click()
    await button(page, 'Save Settings').waitFor()
    expect(await state()).toEqual(WHOLE)
    await close()
  })

  test('a newer build of the server is offered; nothing reloads automatically', async () => {
    const { page, cut, state, close } = await open(stack, '/settings')
    await button(page, 'Add Tag').click()
    await name(page).last().fill('Half a')
    await cut()
    // One click requests several files, each of which fails and asks for the current page. Only one of them is told of a
    // newer build: a later reply would bring back the offer after Later.
    const offerOnce = () =>
      page.route(
        '/',
        (route) =>
          route.fulfill({
            contentType: 'text/html',
            body: '<script type="module" src="/assets/index-newer.js"></script>',
          }),
        { times: 1 },
      )
    await offerOnce()
    await button(page, 'Account of Ann').click()
    const offer = page.getByRole('region', { name: 'New version' })
    await offer.getByText('Groundswell was updated.').waitFor()
    await expect.poll(() => name(page).last().inputValue()).toBe('Half a')
    await offer.getByRole('button', { name: 'Later' }).click()
    await offer.waitFor({ state: 'detached' })
    await expect.poll(() => name(page).last().inputValue()).toBe('Half a')
    await offerOnce()
    await button(page, 'Account of Ann').click()
    const reload = offer.getByRole('button', { name: 'Reload' })
    await reload.waitFor()
    // Not after the click: of the next page there may be nothing yet.
    expect(await state()).toEqual(WHOLE)
    const reloaded = page.waitForRequest((request) => request.isNavigationRequest())
    await reload.click()
    await reloaded
    await close()
  })
})
