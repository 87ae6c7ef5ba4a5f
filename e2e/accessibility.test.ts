import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { bothThemes, problemsInLooks } from './looks.ts'
import { hold, toast } from './toast.ts'
import { browser, stack, useStack } from './workspace.ts'

let full: string
let empty: string

useStack()
beforeAll(async () => {
  full = await stack.signUp({ email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
  empty = await stack.signUp({ email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' })
  await stack.call(full, 'POST', '/api/webhook/add', { webhook: stack.receiver.hookUrl })
  await stack.call(full, 'GET', '/api/webhook/signing-secret')
  await stack.call(full, 'POST', '/api/imports?name=f.csv', csvOf(peopleSaying))
  await vi.waitUntil(() => stack.receiver.received().length > 0, { timeout: 120_000, interval: 100 })
  await stack.grouped()
})

/** Screens, and the element on each that shows that it is ready to be checked. */
type Screens = readonly (readonly [path: string, ready: string])[]

const outside: Screens = [
  ['/auth', 'or login with email'],
  ['/auth/auth-code-error', 'Sign-in was not completed'],
]

const inside: Screens = [
  ['/signup/welcome', 'How do you want to begin?'],
  ['/insights', 'Updated'],
  ['/integrations', 'Destinations'],
  ['/import', 'Imports so far'],
  ['/settings', 'Automatic Tags'],
  ['/deliveries', 'New insight to'],
  ['/ungrouped', 'Lunch at noon?'],
  ['/admin/jobs', 'Background jobs'],
  ['/nowhere', 'Page not found'],
]

/** Screens of a user without any data, or whose calls all fail. */
const bare: Screens = [
  ['/insights', 'Insights'],
  ['/integrations', 'Destinations'],
  ['/import', 'Import'],
  ['/settings', 'Automatic Tags'],
  ['/deliveries', 'Deliveries'],
  ['/ungrouped', 'Feedback not in an insight'],
]

const settled = (page: Page) => page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })

/** What is wrong with each screen, in both themes and one window; `prepare` may break its calls first. */
async function wrongWith(screens: Screens, token: string | undefined, prepare?: (page: Page) => Promise<unknown>) {
  const { page, faults, close } = await visit(browser, stack.url, token ? { token } : {})
  await prepare?.(page)
  const wrong: string[] = []
  for (const [path, ready] of screens) {
    await page.goto(path)
    // The sidebar, which may have the text too, is there before the screen.
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByText(ready).first().waitFor()
    await settled(page)
    wrong.push(...(await problemsInLooks(page, path, { looks: bothThemes(1440) })))
  }
  await close()
  return [...wrong, ...faults]
}

test('signed-out screens have no violation that axe can find, and follow the content security policy', async () => {
  expect(await wrongWith(outside, undefined)).toEqual([])
})

test('full screens have no violation that axe can find, and follow the content security policy', async () => {
  expect(await wrongWith(inside, full)).toEqual([])
})

test('empty screens have none either', async () => {
  expect(await wrongWith(bare, empty)).toEqual([])
})

test('failing screens have none either', async () => {
  const failing = (page: Page) =>
    page.route(/\/api\/(?!user\/user-data|public-config)/, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong' } }),
    )
  expect(await wrongWith(bare, full, failing)).toEqual([])
})

test('what opens over a screen has none either', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token: full })
  const check = async (what: string) =>
    expect([what, await problemsInLooks(page, what, { looks: bothThemes(1440) })]).toEqual([what, []])
  await page.goto('/auth')
  await page.goto('/insights')
  const row = page.getByRole('row').filter({ hasText: /csv export/i })
  await row.click()
  await page
    .getByRole('dialog')
    .getByText(/^Mentions by (day|week|month)/)
    .waitFor()
  await check('the panel of an insight')
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menu').waitFor()
  await check('the menu of a row')
  await page.goto('/integrations')
  await page.getByRole('button', { name: 'Actions for Webhook' }).click()
  await page.getByRole('menuitem', { name: 'Details' }).click()
  await page.getByRole('dialog').getByText('Push automatically').waitFor()
  await check('the details of a tile')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for Webhook' }).click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await hold(toast(page, 'Example data pushed successfully.'))
  await check('a toast')
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add Tag' }).click()
  await page.getByLabel('Tag description').fill('Too short')
  await page.getByText(/31 more character/).waitFor()
  await check('a tag at fault')
  await page.getByRole('button', { name: 'Delete tag' }).click()
  await page.getByRole('dialog').waitFor()
  await check('a question')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Account of Ann' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  await check('the menu of the user')
  expect(faults).toEqual([])
  await close()
})

test('correcting an insight has none either', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token: full })
  const check = async (what: string) =>
    expect([what, await problemsInLooks(page, what, { looks: bothThemes(1440) })]).toEqual([what, []])
  await page.goto('/insights')
  await page
    .getByRole('row')
    .filter({ hasText: /csv export/i })
    .click()
  const panel = page.getByRole('dialog').first()
  const choose = async (entry: string) => {
    await panel.getByRole('button', { name: 'Correct this insight' }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await panel.getByRole('button', { name: 'Correct this insight' }).click()
  await page.getByRole('menu').waitFor()
  await check('the menu of the panel')
  await page.keyboard.press('Escape')
  await choose('Merge into…')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await check('the choice of another insight')
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.getByText(/mentions of 4 people move to/).waitFor()
  await check('the preview of a merge')
  await page.keyboard.press('Escape')
  await choose('Rename')
  await panel.getByLabel('Name', { exact: true }).fill('')
  await page.keyboard.press('Enter')
  await panel.getByText('An insight needs a name.').waitFor()
  await check('a name at fault')
  await page.keyboard.press('Escape')
  await choose('Split…')
  await panel.getByRole('checkbox').first().check()
  await panel.getByText('1 mention becomes a separate insight.').waitFor()
  await check('a split')
  await page.keyboard.press('Escape')
  await panel
    .getByRole('button', { name: /^Correct what/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Why here?' }).click()
  await panel.getByText(/^The engine decided this on/).waitFor()
  await check('why a mention is here')
  expect(faults).toEqual([])
  await close()
})

test('grouping feedback that is not in an insight has none either', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token: full })
  const check = async (what: string) =>
    expect([what, await problemsInLooks(page, what, { looks: bothThemes(1440) })]).toEqual([what, []])
  await page.goto('/ungrouped')
  await page.getByRole('checkbox', { name: /^Jim: / }).check()
  await page.getByText('Select at least two messages.').waitFor()
  await check('the bar of what is ticked')
  await page.getByRole('button', { name: 'Add to an insight…' }).click()
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.getByText(/^1 mention joins/).waitFor()
  await check('the preview of an addition')
  await page.keyboard.press('Escape')
  await page.goto('/ungrouped?q=nowhere')
  await page.getByText('Nothing found').waitFor()
  await check('a search that finds nothing')
  expect(faults).toEqual([])
  await close()
})
