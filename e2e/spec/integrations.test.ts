import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilIdle } from '../browser.ts'
import { type ColourName, colourName, isRed, styleOf } from './looks.ts'
import { onBothStacks, onOurServer, type SpecStack } from './stacks.ts'

const USER_DATA = 'GET /api/user/user-data'
const OAUTH = 'POST /api/slack/oauth'

const tile = (page: Page, name: string) => page.locator(`[data-tile=${name}]`)
const click = (page: Page, name: string) => tile(page, name).getByRole('button').first().click()
const choose = async (page: Page, tool: string, entry: string) => {
  await page.getByRole('button', { name: `Actions for ${tool}` }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}
/** The name of the colour in which the browser draws the dot of a tile. */
const dotOf = async (one: Locator): Promise<ColourName | undefined> =>
  colourName(await styleOf(one.locator('[data-colour]'), 'background-color'))
const waitForText = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor()
/** What a server without a list of connectors cannot connect. */
const ALL_BUT_TWO = ['teams', 'intercom', 'helpscout', 'zendesk', 'azure', 'linear', 'github', 'jira', 'clickup']
const comingSoon = (page: Page) =>
  page
    .locator('[data-tile]', { has: page.getByText('Coming soon', { exact: true }) })
    .evaluateAll((tiles) => tiles.map((one) => one.getAttribute('data-tile')))
const loads = (stack: SpecStack) => stack.front.seen('GET /integrations').length

/** The real user data with additions. Our server's tile list is removed, so that the user data alone decides. */
async function withUserData(stack: SpecStack, more: Record<string, unknown>) {
  const response = await fetch(`${stack.front.url}/api/user/user-data`, {
    headers: { authorization: `Bearer ${stack.ann.token}` },
  })
  stack.front.answer(USER_DATA, { ...((await response.json()) as object), ...more })
  stack.front.fail('GET /api/connectors', 404)
}

/**
 * Detects which build of React the page runs, by what React reports to its developer tools, and whether an effect was undone that
 * lasts as long as the page: the listeners for being online. Only Strict Mode does that, when it repeats every first effect.
 */
const NOTE_STRICT_MODE = `
  globalThis.reactSeen = { isDevelopment: null, hasUndoneEffects: false }
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    checkDCE() {},
    onCommitFiberRoot() {},
    onPostCommitFiberRoot() {},
    onCommitFiberUnmount() {},
    inject({ bundleType }) {
      reactSeen.isDevelopment = bundleType === 1
      return 1
    },
  }
  const { removeEventListener } = window
  window.removeEventListener = function (type, ...rest) {
    if (type === 'online') reactSeen.hasUndoneEffects = true
    return removeEventListener.call(window, type, ...rest)
  }
`

/** Collects the text of every toast that a page has shown, however short. */
const NOTE_TOASTS = `
  globalThis.toastsSeen = new Set()
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll('li.toast')) toastsSeen.add(toast.textContent)
  }).observe(document, { childList: true, subtree: true })
`
const toastsOf = (page: Page) => page.evaluate<string[]>('[...toastsSeen]')

onBothStacks('integrations', (stack) => {
  test('five sources and six destinations, each with logo, name, dot, state and what it does, or coming soon and without effect', async () => {
    const { page, faults, close } = await stack.open('/integrations')
    const tilesOf = (section: string) =>
      page
        .locator('section', { has: page.getByRole('heading', { name: section, exact: true }) })
        .locator('[data-tile]')
        .evaluateAll((tiles) => tiles.map((one) => one.getAttribute('data-tile')))
    await tile(page, 'slack').waitFor()
    // The catalogue of our server may add tiles; they follow those of the specification.
    const specified = (ids: (string | null)[], count: number) => (stack.bare ? ids : ids.slice(0, count))
    expect(specified(await tilesOf('Sources'), 5)).toEqual(['slack', 'teams', 'intercom', 'helpscout', 'zendesk'])
    const destinations = ['webhook', 'azure', 'linear', 'github', 'jira', 'clickup']
    expect(specified(await tilesOf('Destinations'), 6)).toEqual(destinations)
    for (const one of await page.locator('[data-tile]').all()) {
      await expect.poll(() => one.locator('svg').count()).toBeGreaterThan(0)
      await expect.poll(() => dotOf(one)).toBe('grey')
      await expect.poll(() => one.getByText('Not Connected', { exact: true }).count()).toBe(1)
      await expect.poll(async () => (await one.innerText()).split('\n').length).toBeGreaterThan(2)
    }
    // Ours says which are coming soon: the operator's COMING_SOON. A server without a list of connectors has Slack and the webhook alone.
    const awaited = stack.bare ? ALL_BUT_TWO : ['zendesk']
    await expect.poll(() => comingSoon(page), { message: 'which tiles are coming soon' }).toEqual(awaited)
    for (const name of awaited) {
      await expect.poll(() => tile(page, name).getByRole('button').count(), { message: `${name} does nothing` }).toBe(0)
    }
    expect(faults).toEqual([])
    await close()
  })

  test('Slack is connected on its consent page: read scopes, redirect back, one code, a toast, a clean address; a second click names the team', async () => {
    const { page, faults, close } = await stack.open('/integrations')
    await page.route('https://slack.com/**', (route) => route.fulfill({ body: 'Consent' }))
    await click(page, 'slack')
    const { scopes, back } = await stack.consent(page)
    expect(scopes).toEqual(
      expect.arrayContaining(['channels:history', 'channels:read', 'groups:history', 'users:read']),
    )
    expect(scopes.filter((scope) => !/:(read|history)$/.test(scope))).toEqual([])
    expect(back).toBe(`${stack.front.url}/integrations`)
    await waitForText(page, 'Slack Connected')
    await waitForText(page, 'Your Slack integration was successful.')
    await expect.poll(() => page.url()).toBe(`${stack.front.url}/integrations`)
    expect(stack.front.seen(OAUTH)).toHaveLength(1)
    expect(stack.front.seen(OAUTH)[0]?.body).toMatchObject({ code: expect.any(String) })
    await page.reload()
    await tile(page, 'slack').getByText('Tallybrook').waitFor()
    expect(stack.front.seen(OAUTH)).toHaveLength(1)
    await click(page, 'slack')
    await waitForText(page, 'Slack Already Connected')
    await waitForText(page, 'You are connected to Tallybrook.')
    await expect.poll(() => page.url()).toBe(`${stack.front.url}/integrations`)
    expect(faults).toEqual([])
    await close()
  })

  test('the code is sent once where Strict Mode runs every effect twice, in a development build of React', async () => {
    const { page, close } = await stack.open('/robots.txt')
    await page.addInitScript({ content: NOTE_STRICT_MODE })
    stack.front.answer(OAUTH, {})
    await page.addInitScript({ content: NOTE_TOASTS })
    await page.goto('/integrations?code=strict')
    await expect.poll(async () => (await toastsOf(page)).join()).toContain('Slack Connected')
    await expect.poll(() => page.url()).toBe(`${stack.front.url}/integrations`)
    // The stand-in serves a development build, our server the released one: there Strict Mode does nothing.
    await expect
      .poll(() => page.evaluate<object>('({ ...reactSeen })'))
      .toEqual({
        isDevelopment: stack.bare,
        hasUndoneEffects: stack.bare,
      })
    expect(stack.front.seen(OAUTH).map(({ body }) => body)).toEqual([{ code: 'strict' }])
    await expect.poll(() => toastsOf(page), { message: 'one toast' }).toHaveLength(1)
    await close()
  })

  test('a failed Slack disconnect is shown in a toast and in red instead of the page; a retry works', async () => {
    const { page, close } = await stack.open('/integrations')
    stack.front.fail('POST /api/slack/disconnect', 500)
    await tile(page, 'slack').getByText('Tallybrook').waitFor()
    await expect.poll(() => tile(page, 'slack').getAttribute('data-status')).toBe('connected')
    await choose(page, 'Slack', 'Disconnect')
    await waitForText(page, 'Failed to disconnect Slack. Please try again.')
    await waitForText(page, 'Error')
    await waitForText(page, 'Failed to disconnect Slack')
    await expect.poll(() => page.locator('[data-tile]').count()).toBe(0)
    await expect.poll(() => isToldInRed(page, 'Failed to disconnect Slack')).toBe(true)
    stack.front.restore()
    await page.getByRole('button', { name: 'Back to integrations' }).click()
    await tile(page, 'slack').getByText('Tallybrook').waitFor()
    const before = loads(stack)
    await choose(page, 'Slack', 'Disconnect')
    await expect.poll(() => loads(stack)).toBe(before + 1)
    await expect.poll(() => tile(page, 'slack').getAttribute('data-status')).toBe('na')
    expect(stack.front.seen('POST /api/slack/disconnect')).toHaveLength(1)
    expect(loads(stack)).toBe(before + 1)
    await close()
  })

  test('the webhook modal has its title, its fields and Confirm; a failure keeps it open, success reloads the page', async () => {
    const { page, faults, close } = await stack.open('/integrations')
    await tile(page, 'webhook').waitFor()
    await click(page, 'webhook')
    const modal = page.getByRole('dialog', { name: 'Enter Webhook URL' })
    await modal.getByLabel('Client token (optional)').fill('secret')
    await modal.getByLabel('Webhook URL').fill(stack.hookUrl)
    stack.front.fail('POST /api/webhook/add', 500)
    await modal.getByRole('button', { name: 'Confirm' }).click()
    await waitForText(page, 'Failed to add webhook. Please try again.')
    await waitForText(page, 'Error')
    await modal.waitFor()
    stack.front.restore()
    const before = loads(stack)
    await modal.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(() => loads(stack)).toBe(before + 1)
    await expect.poll(() => tile(page, 'webhook').getAttribute('data-status')).toBe('connected')
    await expect.poll(() => modal.count()).toBe(0)
    expect(stack.front.seen('POST /api/webhook/add').at(-1)?.body).toEqual({
      webhook: stack.hookUrl,
      client_token: 'secret',
    })
    expect(faults).toEqual([])
    await close()
  })

  test('the menu of a tile opens only when it is known what it offers; Test pushes example data and reports success or failure', async () => {
    const release = stack.front.hold('GET /api/connectors')
    const { page, close } = await stack.open('/integrations')
    const actions = page.getByRole('button', { name: 'Actions for Webhook' })
    await actions.waitFor()
    await expect.poll(() => actions.isDisabled(), { message: 'it is not known what the menu offers' }).toBe(true)
    release()
    await expect.poll(() => actions.isEnabled(), { message: 'it is known what the menu offers' }).toBe(true)
    await choose(page, 'Webhook', 'Test')
    await waitForText(page, 'Webhook Test')
    await waitForText(page, 'Example data pushed successfully.')
    expect(stack.front.seen('POST /api/webhook/test')).toHaveLength(1)
    stack.front.fail('POST /api/webhook/test', 'drop')
    await choose(page, 'Webhook', 'Test')
    await waitForText(page, 'Failed to push example data. Please try again.')
    await waitForText(page, 'Error')
    await expect.poll(() => page.locator('[data-tile]').count()).toBe(11)
    await close()
  })

  test('a failed webhook disconnect is shown in a toast and in red instead of the page; a retry works', async () => {
    const { page, close } = await stack.open('/integrations')
    stack.front.fail('POST /api/webhook/disconnect', 503)
    await choose(page, 'Webhook', 'Disconnect')
    await waitForText(page, 'Failed to disconnect webhook. Please try again.')
    await waitForText(page, 'Failed to disconnect webhook')
    await expect.poll(() => page.locator('[data-tile]').count()).toBe(0)
    await expect.poll(() => isToldInRed(page, 'Failed to disconnect webhook')).toBe(true)
    stack.front.restore()
    await page.reload()
    await page.getByRole('button', { name: 'Actions for Webhook' }).waitFor()
    const before = loads(stack)
    await choose(page, 'Webhook', 'Disconnect')
    await expect.poll(() => loads(stack)).toBe(before + 1)
    await expect.poll(() => tile(page, 'webhook').getAttribute('data-status')).toBe('na')
    await close()
  })
})

onOurServer('what decides the state of a tile, its menu, and codes that fail', (stack) => {
  test('the user data decides: a team name, azure data or a webhook destination makes a tile green', async () => {
    await withUserData(stack, {
      slack_data: { access_token: null, team: { name: 'Tallybrook' } },
      azure_data: { name: 'Fabrikam' },
      webhook_destination: { url: 'https://hooks.example.com/a' },
    })
    const { page, close } = await stack.open('/integrations')
    for (const [name, text] of [
      ['slack', 'Tallybrook'],
      ['azure', 'Fabrikam'],
      ['webhook', 'https://hooks.example.com/a'],
    ] as const) {
      await expect.poll(() => tile(page, name).getAttribute('data-status')).toBe('connected')
      await tile(page, name).getByText('Connected', { exact: true }).waitFor()
      await expect.poll(() => dotOf(tile(page, name))).toBe('green')
      await tile(page, name).getByText(text).waitFor()
    }
    await withUserData(stack, { slack_data: { access_token: 'x', team: {} }, azure_data: null })
    await page.reload()
    await expect.poll(() => tile(page, 'slack').getAttribute('data-status')).toBe('na')
    await expect.poll(() => tile(page, 'azure').getAttribute('data-status')).toBe('na')
    await close()
  })

  test('the menu is there only once connected, with Test and Disconnect; while syncing it offers Cancel', async () => {
    await withUserData(stack, {
      slack_data: { access_token: null, team: { name: 'Tallybrook' } },
      azure_data: { name: 'Fabrikam' },
      webhook_destination: { url: 'https://hooks.example.com/a' },
    })
    const { page, close } = await stack.open('/integrations')
    const menus = page.getByRole('button', { name: /^Actions for/ })
    await expect.poll(() => menus.count()).toBe(3)
    for (const menu of await menus.all()) {
      await menu.click()
      await page.getByRole('menuitem').first().waitFor()
      await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Test', 'Disconnect'])
      await untilIdle(page)
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
    }
    stack.front.restore()
    stack.front.answer('GET /api/connectors', { connectors: [syncingSlack] })
    await page.reload()
    await tile(page, 'slack').getByText('Syncing', { exact: true }).waitFor()
    await expect.poll(() => dotOf(tile(page, 'slack'))).toBe('orange')
    await page.getByRole('button', { name: 'Actions for Slack' }).click()
    await page.getByRole('menuitem', { name: 'Cancel' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: /Test|Disconnect/ }).count()).toBe(0)
    await close()
  })

  test('a code that is refused or gets no reply is shown in a toast and in red instead of the page', async () => {
    for (const fault of [500, 'drop'] as const) {
      stack.front.fail(OAUTH, fault)
      const { page, close } = await stack.open('/robots.txt')
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/api/slack/oauth')) sent.push(request.method())
      })
      await page.goto('/integrations?code=refused')
      await waitForText(page, 'Failed to connect Slack. Please try again.')
      await waitForText(page, 'Failed to connect Slack')
      await expect.poll(() => page.locator('[data-tile]').count()).toBe(0)
      await expect.poll(() => isToldInRed(page, 'Failed to connect Slack')).toBe(true)
      expect(sent).toEqual(['POST'])
      await close()
    }
  })

  test('a code that was sent before is not sent again: it is removed from the address, and a toast explains why', async () => {
    for (const fault of [500, null] as const) {
      if (fault) stack.front.fail(OAUTH, fault)
      else stack.front.answer(OAUTH, {})
      const { page, faults, close } = await stack.open('/integrations?code=once')
      await waitForText(page, fault ? 'Failed to connect Slack. Please try again.' : 'Slack Connected')
      stack.front.restore()
      // As from the history, or a reopened link.
      await page.addInitScript({ content: NOTE_TOASTS })
      await page.goto('/integrations?code=once')
      await expect.poll(async () => (await toastsOf(page)).join()).toContain('Already used')
      await expect.poll(() => page.url()).toBe(`${stack.front.url}/integrations`)
      await tile(page, 'slack').waitFor()
      expect(stack.front.seen(OAUTH)).toEqual([])
      await expect.poll(() => toastsOf(page), { message: 'one toast' }).toHaveLength(1)
      expect(faults).toEqual([])
      await close()
    }
  })
})

const syncingSlack = {
  manifest: {
    id: 'slack',
    label: 'Slack',
    side: 'source',
    info: 'Feedback',
    coming_soon: false,
    tile: true,
    form_title: '',
    fields: [],
    signs: false,
  },
  connection: {
    id: '1',
    status: 'syncing',
    name: 'Tallybrook',
    paused: false,
    push_automatically: true,
    error: null,
    progress: { read: 10, total: 40 },
    last_sync: null,
  },
}

/** Whether the text is shown in the red used for failures. */
async function isToldInRed(page: Page, words: string): Promise<boolean> {
  return isRed(await styleOf(page.getByRole('alert').filter({ hasText: words }), 'color'))
}
