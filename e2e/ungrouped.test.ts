import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { showActivity } from './activity.ts'
import { untilIdle, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { hold, toast, undoFromToast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

type Listed = { issue_number: number; issue_name: string; mention_count: number }

/** Three people who report the same in different words. */
const payouts: typeof peopleSaying = [
  { about: null, author: 'Lea', text: 'My payout has not reached the bank' },
  { about: null, author: 'Max', text: 'Still waiting for what I earned in October' },
  { about: null, author: 'Nia', text: 'When do sellers see their earnings?' },
]

/** The complete state after grouping. */
let asGrouped: string

useAnn({ file: csvOf([...peopleSaying, ...payouts]) })
beforeAll(async () => {
  asGrouped = await everything()
  const left = await ungrouped()
  if (!payouts.every(({ text }) => left.includes(text))) throw new Error('the engine grouped them automatically')
})

async function list(): Promise<Listed[]> {
  return (await stack.call(token, 'GET', '/api/insights/get-all')) as Listed[]
}

async function ungrouped(): Promise<string[]> {
  const reply = await stack.call(token, 'GET', '/api/ungrouped')
  return (reply as { mentions: { text: string }[] }).mentions.map((one) => one.text)
}

async function everything(): Promise<string> {
  const all = (await list()).map((one) => `${one.issue_number} ${one.issue_name} ${one.mention_count}`).sort()
  return [...all, ...(await ungrouped())].join('\n')
}

const isAsGrouped = () => expect.poll(everything, { timeout: 60_000 }).toBe(asGrouped)

async function open(path = '/ungrouped') {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto(path)
  return visited
}

const searchFor = (page: Page, words: string) =>
  page.getByRole('searchbox', { name: 'Search feedback not in an insight' }).fill(words)
const boxOf = (page: Page, author: string) => page.getByRole('checkbox', { name: new RegExp(`^${author}: `) })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected mentions' })
const items = (page: Page) => page.getByRole('list', { name: 'Mentions not in an insight' }).getByRole('listitem')

/** Finds the three by their words and selects them. */
async function tickPayouts(page: Page) {
  await searchFor(page, 'PAYOUT')
  await page.getByRole('status').filter({ hasText: '1 found' }).waitFor()
  await boxOf(page, 'Lea').check()
  await searchFor(page, 'earn')
  await page.getByRole('status').filter({ hasText: '2 found' }).waitFor()
  await boxOf(page, 'Max').check()
  await boxOf(page, 'Nia').check()
  await bar(page).getByText('3 selected').waitFor()
}

test('feedback not in an insight is reached from the insights, found, selected across searches, and made an insight', async () => {
  const { page, faults, close } = await open('/insights')
  const total = (await ungrouped()).length
  await page.getByRole('link', { name: `${total} not in an insight` }).click()
  await page.getByRole('heading', { name: 'Feedback not in an insight' }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: `${total} mentions` })
    .waitFor()
  await expect.poll(() => items(page).count()).toBe(total)
  await tickPayouts(page)
  await expect.poll(() => page.url()).toContain('/ungrouped?q=earn')
  await bar(page).getByRole('button', { name: 'Create an insight' }).click()
  await toast(page, 'Insight created').waitFor({ timeout: 60_000 })
  const made = (await list()).find((one) => !asGrouped.includes(`${one.issue_number} ${one.issue_name}`))
  expect(made?.mention_count).toBe(3)
  await bar(page).waitFor({ state: 'detached' })
  await page.getByText('Nothing found', { exact: true }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Insights' }).click()
  await page.getByRole('link', { name: `${total - 3} not in an insight` }).waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: made?.issue_name ?? '' })
    .click()
  const panel = page.getByRole('dialog').first()
  await panel.getByRole('listitem').getByText('My payout has not reached the bank', { exact: true }).waitFor()
  await showActivity(panel)
  const history = panel.locator('section').filter({ has: page.getByRole('heading', { name: 'History' }) })
  const line = history.getByRole('listitem').filter({ hasText: 'Created from 3 mentions by Ann' })
  await line.getByRole('button', { name: /^Undo/ }).click()
  await isAsGrouped()
  await page.getByRole('link', { name: `${total} not in an insight` }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the toast undoes a new insight, and its mentions are in the list again', async () => {
  const { page, faults, close } = await open()
  await tickPayouts(page)
  await bar(page).getByRole('button', { name: 'Create an insight' }).click()
  await toast(page, 'Insight created')
    .filter({ hasText: /3 mentions now form the new #\d+\./ })
    .waitFor({ timeout: 60_000 })
  await undoFromToast(page, 'Insight created')
  await boxOf(page, 'Max').waitFor()
  await expect.poll(() => boxOf(page, 'Max').isChecked()).toBe(false)
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('a mention is added to an existing insight by keyboard', async () => {
  const { page, faults, close } = await open('/ungrouped?q=payout')
  const target = (await list()).find((one) => /export/i.test(one.issue_name))
  await boxOf(page, 'Lea').focus()
  await page.keyboard.press('Space')
  await bar(page).getByText('Select at least two messages.').waitFor()
  await expect.poll(() => bar(page).getByRole('button', { name: 'Create an insight' }).isDisabled()).toBe(true)
  const add = bar(page).getByRole('button', { name: 'Add to an insight…' })
  // The insights are requested with the first selection.
  await expect.poll(() => add.isEnabled()).toBe(true)
  await add.focus()
  await page.keyboard.press('Enter')
  await page.locator('[role=combobox][aria-label="Add to an insight"]:focus').waitFor()
  await page.keyboard.type('export')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByText(`1 mention joins #${target?.issue_number}.`).waitFor()
  await page.getByText('4 → 5 mentions').waitFor()
  await page.getByRole('dialog').locator('button:focus', { hasText: /^Add$/ }).waitFor()
  await page.keyboard.press('Enter')
  await hold(toast(page, 'Added'))
  await toast(page, 'Added')
    .filter({ hasText: `1 mention moved to #${target?.issue_number}.` })
    .waitFor()
  expect((await list()).find((one) => one.issue_number === target?.issue_number)?.mention_count).toBe(5)
  await undoFromToast(page, 'Added')
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('a range is selected with Shift and mouse or arrows; None clears it and keeps the focus', async () => {
  const { page, close } = await open()
  const boxes = items(page).getByRole('checkbox')
  await boxes.nth(0).check()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await bar(page).getByText('3 selected').waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await bar(page).getByText('4 selected').waitFor()
  await bar(page).getByRole('button', { name: 'None' }).click()
  await bar(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("role")')).toBe('status')
  await close()
})

test('the list is sorted by similarity to the selection, which comes first', async () => {
  const { page, faults, close } = await open()
  const authors = async () => (await items(page).allInnerTexts()).map((text) => text.split('\n')[0])
  await boxOf(page, 'Lea').waitFor()
  const newest = await authors()
  await boxOf(page, 'Lea').check()
  await bar(page).getByRole('button', { name: 'Most similar first' }).click()
  await page.getByRole('status').filter({ hasText: 'Sorted by similarity' }).waitFor()
  await expect.poll(async () => (await authors())[0]).toBe('Lea')
  expect(new Set(await authors())).toEqual(new Set(newest))
  await expect.poll(() => boxOf(page, 'Lea').isChecked()).toBe(true)
  await expect.poll(() => bar(page).getByRole('button', { name: 'Most similar first' }).isDisabled()).toBe(true)
  await boxOf(page, 'Max').check()
  await bar(page).getByRole('button', { name: 'Most similar first' }).click()
  await expect.poll(async () => (await authors()).slice(0, 2)).toEqual(['Lea', 'Max'])
  await page.getByRole('button', { name: 'Newest first' }).click()
  await expect.poll(authors).toEqual(newest)
  expect(faults).toEqual([])
  await close()
})

test('similar feedback is searched for from an insight and added to it', async () => {
  const { page, faults, close } = await open('/insights')
  const target = (await list()).find((one) => /export/i.test(one.issue_name))
  await page
    .getByRole('row')
    .filter({ hasText: target?.issue_name ?? '' })
    .click()
  await page.getByRole('dialog').getByRole('link', { name: 'Find more like these, not in an insight' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: `Sorted by similarity to #${target?.issue_number}` })
    .waitFor()
  await boxOf(page, 'Nia').check()
  await bar(page)
    .getByRole('button', { name: `Add to #${target?.issue_number}` })
    .click()
  await hold(toast(page, 'Added'))
  expect((await list()).find((one) => one.issue_number === target?.issue_number)?.mention_count).toBe(5)
  await undoFromToast(page, 'Added')
  await isAsGrouped()
  await page.goBack()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Find more/ })
    .waitFor()
  expect(faults).toEqual([])
  await close()
})

test('courtesies are left out unless they are requested', async () => {
  const { page, close } = await open()
  const asked = page.waitForRequest(/\/api\/ungrouped\?courtesies=true$/)
  const box = page.getByRole('checkbox', { name: 'Include thanks and greetings' })
  // At once, although the list behind it may take a moment.
  const clicked = (input: unknown) => {
    const { click } = input as { click: () => void }
    click.call(input)
    return (input as { checked: boolean }).checked
  }
  expect(await box.evaluate(clicked)).toBe(true)
  await asked
  await expect.poll(() => page.url()).toContain('?courtesies=1')
  await expect.poll(() => box.isChecked()).toBe(true)
  await page.goto('/ungrouped')
  await box.waitFor()
  await expect.poll(() => box.isChecked()).toBe(false)
  await close()
})

type Answer = { status: number; json: unknown }

/** Opens the screen with a different reply to each of its calls. */
async function openWith(path: string, answer: (query: URLSearchParams) => Answer) {
  const visited = await visit(browser, stack.url, { token })
  const asked: URLSearchParams[] = []
  await visited.page.route(/\/api\/ungrouped(\?|$)/, async (route) => {
    const query = new URL(route.request().url()).searchParams
    asked.push(query)
    await route.fulfill(answer(query))
  })
  await visited.page.goto(path)
  return { ...visited, asked }
}

const pageOf = (texts: string[], total: number | null, next: string | null): Answer => ({
  status: 200,
  json: {
    mentions: texts.map((text, index) => ({ id: `${index + 1}:0`, text, link: null, date: '2026-11-01T00:00:00Z' })),
    total,
    next_cursor: next,
  },
})

test('a search without a hit yet continues automatically for some pages, then asks', async () => {
  const { page, asked, faults, close } = await openWith('/ungrouped?q=rare', (query) => {
    const at = Number(query.get('cursor'))
    return at === 7 ? pageOf(['A rare case'], null, null) : pageOf([], at === 0 ? 10_000 : null, String(at + 1))
  })
  await page.getByText('Nothing found so far').waitFor()
  expect(asked.map((query) => query.get('cursor'))).toEqual([null, '1', '2', '3', '4'])
  await page.getByRole('button', { name: 'Search older messages' }).click()
  await page.getByText('A rare case').waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /^1 found$/ })
    .waitFor()
  expect(asked.length).toBe(8)
  expect(faults).toEqual([])
  await close()
})

test('ten thousand is shown as so many or more; the next page loads on request', async () => {
  const { page, close } = await openWith('/ungrouped', (query) =>
    query.has('cursor') ? pageOf(['Older'], null, null) : pageOf(['Newer', 'Newer too'], 10_000, 'next'),
  )
  await page.getByText('10,000 or more mentions').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('Older').waitFor()
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
  await expect.poll(() => items(page).count()).toBe(3)
  await close()
})

test('an empty list, a failure and a server without the call look different', async () => {
  let answer = pageOf([], 0, null)
  const { page, close } = await openWith('/ungrouped', () => answer)
  await page.getByText('Nothing here').waitFor()
  answer = { status: 404, json: { detail: 'Not Found' } }
  await page.reload()
  await page.getByText('This list is not available').waitFor()
  const counted = page.waitForResponse(/\/api\/ungrouped\?/)
  await page.goto('/insights')
  await page
    .getByRole('status')
    .filter({ hasText: /insights$/ })
    .waitFor()
  await counted
  await untilIdle(page)
  await expect.poll(() => page.getByRole('link', { name: /not in an insight$/ }).count()).toBe(0)
  answer = { status: 500, json: { code: 'internal', message: 'Something went wrong' } }
  await page.goto('/ungrouped')
  await page.getByText('The list could not be loaded').waitFor()
  answer = pageOf(['It is here'], 1, null)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('It is here').waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /^1 mention$/ })
    .waitFor()
  await close()
})

test('a selection that cannot be grouped is explained and kept', async () => {
  const { page, close } = await open()
  await page.route(/\/api\/insights$/, (route) =>
    route.fulfill({
      status: 409,
      json: { code: 'conflict', message: 'Some of these mentions have been added to an insight' },
    }),
  )
  await tickPayouts(page)
  await bar(page).getByRole('button', { name: 'Create an insight' }).click()
  await toast(page, 'Insight not created').filter({ hasText: 'have been added to an insight' }).waitFor()
  await bar(page).getByText('3 selected').waitFor()
  expect(await everything()).toBe(asGrouped)
  await close()
})

test('before the first insight the empty list links here, once something was imported', async () => {
  const other = await stack.signUp({ email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' })
  await stack.call(other, 'POST', '/api/imports?name=f.csv', csvOf(payouts))
  // What the empty list says of it is refetched every 15 s only.
  await stack.grouped()
  const { page, faults, close } = await visit(browser, stack.url, { token: other })
  await page.goto('/insights')
  await page.getByRole('link', { name: 'Review them' }).click()
  await expect.poll(() => items(page).count()).toBe(3)
  expect(faults).toEqual([])
  await close()
})
