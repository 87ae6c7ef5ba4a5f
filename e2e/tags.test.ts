import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { bothThemes, problemsInLooks, widen } from './looks.ts'
import { browser, stack, useStack } from './workspace.ts'

const AREAS = 'One of Billing, Login or Export: which part of the product the feedback is about.'

let full: string
let empty: string

useStack()
beforeAll(async () => {
  full = await stack.signUp({ email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
  empty = await stack.signUp({ email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' })
  await stack.call(full, 'POST', '/api/imports?name=f.csv', csvOf(peopleSaying))
  await stack.grouped()
})

type Listed = { issue_name: string; categories: { cat_name: string; option_value: unknown }[] }

const insights = async () => (await stack.call(full, 'GET', '/api/insights/get-all')) as Listed[]

const tagsOf = async () =>
  ((await stack.call(full, 'GET', '/api/user/user-data')) as { settings: { categories: unknown[] } }).settings
    .categories

async function openTag(description: string, look: { token?: string; width?: 390 } = {}): Promise<Visit> {
  const visited = await visit(browser, stack.url, { token: full, ...look })
  const { page } = visited
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Automatic Tags' }).waitFor()
  await page.getByRole('button', { name: 'Add Tag' }).click()
  await page.getByLabel('Tag name').fill('Area')
  await page.getByLabel('Tag description').fill(description)
  return visited
}

const tryIt = (page: Page) => page.getByRole('button', { name: 'Try it' })
const trial = (page: Page) => page.getByRole('region', { name: 'Trial of Area' })

test('a tag is tried before it is saved: how it was understood, its values and examples', async () => {
  const { page, faults, close } = await openTag(AREAS)
  await tryIt(page).click()
  await trial(page).getByText('One of: Billing, Login, Export', { exact: true }).waitFor()
  await trial(page)
    .getByText(/^2 of the last \d insights would get a value/)
    .waitFor()
  const exports = trial(page).getByRole('listitem').filter({ hasText: 'Export' }).first()
  await expect.poll(() => exports.textContent()).toMatch(/^Export1#\d+ .*CSV export/i)
  expect(await problemsInLooks(page, 'trial', { looks: bothThemes(1440) })).toEqual([])
  expect(faults).toEqual([])
  expect(await tagsOf()).toEqual([])
  await close()
})

test('values that a description lists are shown as it is typed, with those that were not understood missing', async () => {
  const { page, faults, close } = await openTag('Bug (something is broken), Request (something new), Other')
  const values = page.getByText('2 values understood:').locator('..').getByRole('listitem')
  await expect.poll(() => values.allTextContents()).toEqual(['Bug', 'Request'])
  expect(await problemsInLooks(page, 'understood')).toEqual([])
  await page.getByLabel('Tag description').fill('Which of our teams should look at this insight first')
  await page.getByText('Not understood, so it gets no value.').waitFor()
  await page.getByLabel('Tag description').fill('Everything about invoices and payments, and refunds')
  await page.getByText('Understood as: “Area” where an insight speaks of: invoices, payments').waitFor()
  // Only what is typed is read: nothing is saved.
  expect(await tagsOf()).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('a tag can be tried once its description is long enough, and the result disappears when it is edited', async () => {
  const { page, close } = await openTag('Too short')
  await expect.poll(() => tryIt(page).isDisabled()).toBe(true)
  await page.getByLabel('Tag description').fill(AREAS)
  await tryIt(page).click()
  await trial(page).getByText('One of: Billing').waitFor()
  await page.getByLabel('Tag description').fill('How many customers have mentioned this insight so far, in total')
  await trial(page).waitFor({ state: 'detached' })
  await tryIt(page).click()
  await trial(page).getByText('The number of people who said it').waitFor()
  await expect.poll(() => trial(page).getByRole('listitem').first().textContent()).toMatch(/^4#\d+ .*CSV export/i)
  await trial(page).getByRole('button', { name: 'Close trial' }).click()
  await trial(page).waitFor({ state: 'detached' })
  await close()
})

test('a description that is not understood, and having nothing to try it on, are explained', async () => {
  const unclear = await openTag('Which of our teams should look at this insight first')
  await tryIt(unclear.page).click()
  await trial(unclear.page).getByText('Not understood').waitFor()
  await expect.poll(() => trial(unclear.page).getByText('would get a value').count()).toBe(0)
  await unclear.close()
  const nothing = await openTag(AREAS, { token: empty })
  await tryIt(nothing.page).click()
  await trial(nothing.page).getByText('There are no insights yet to try it on.').waitFor()
  await expect.poll(() => trial(nothing.page).getByRole('listitem').count()).toBe(0)
  await nothing.close()
})

test('a failed trial is reported, and can be retried', async () => {
  const { page, close } = await openTag(AREAS, { width: 390 })
  await page.route('**/api/tags/preview', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong' } }),
  )
  await tryIt(page).click()
  await trial(page).getByRole('alert').getByText('The tag could not be tried. Something went wrong').waitFor()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.unroute('**/api/tags/preview')
  await trial(page).getByRole('button', { name: 'Try again' }).click()
  await trial(page).getByText('One of: Billing, Login, Export').waitFor()
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await close()
})

test('a trial with long unbroken names keeps its layout on both widths', async () => {
  const long = 'Unbreakable'.repeat(40)
  const example = { issue_number: 123_456, issue_name: long, option_value: long }
  const option = { option_value: long, option_colour: '#4060c0', count: 12, examples: [example, example] }
  const tried = { name: 'Area', insights: 20, matched: 20, understood: `One of: ${long}` }
  const { page, faults, close } = await openTag(AREAS)
  for (const preview of [
    { ...tried, cat_type: 'category', options: [option, { ...option, option_value: 'Billing' }], examples: [] },
    { ...tried, cat_type: 'number', options: [], examples: [example, { ...example, issue_number: 7 }] },
    null,
  ]) {
    await page.route('**/api/tags/preview', (route) =>
      preview
        ? route.fulfill({ json: { tags: [preview] } })
        : route.fulfill({ status: 500, json: { code: 'internal', message: long } }),
    )
    await tryIt(page).click()
    await (preview ? trial(page).getByText(long).first() : trial(page).getByRole('alert')).waitFor()
    for (const width of [390, 1440] as const) {
      await widen(page, width)
      expect([width, await sticksOut(page)]).toEqual([width, []])
    }
    await page.unroute('**/api/tags/preview')
  }
  await trial(page).getByRole('button', { name: 'Close trial' }).click()
  await trial(page).waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('the progress of setting saved tags is shown until it is complete', async () => {
  const { page, faults, close } = await openTag(AREAS)
  let done = 1
  await page.route('**/api/tags/progress', (route) => route.fulfill({ json: { done, all: 3 } }))
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Setting tags: 1 of 3 insights.').waitFor()
  const bar = page.getByRole('progressbar', { name: 'Setting tags' })
  await bar.waitFor()
  done = 2
  await page.getByText('Setting tags: 2 of 3 insights.').waitFor()
  done = 3
  await bar.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete tag' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No tags yet.').waitFor()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect.poll(async () => (await tagsOf()).length).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('a saved tag gets its values automatically, in the list, in the filter and for new mentions', async () => {
  const { page, faults, close } = await openTag(AREAS)
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await page.getByText('Settings saved', { exact: true }).first().waitFor()
  const values = async () => (await insights()).flatMap(({ categories }) => categories.map((tag) => tag.option_value))
  await expect.poll(async () => (await values()).length, { timeout: 60_000 }).toBe(2)
  await page.goto('/insights?tag=Area%3A+Login')
  const rows = page.getByRole('row').filter({ hasText: /mode|export|log in/i })
  await rows.filter({ hasText: 'log in' }).getByText('Login', { exact: true }).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  const billing = ['The invoice is wrong', 'My invoice is wrong again', 'The invoice is wrong since billing changed']
  const more = billing.map((text, at) => ({ text, author: `P${at}`, about: null }))
  await stack.call(full, 'POST', '/api/imports?name=g.csv', csvOf(more))
  await expect.poll(values, { timeout: 60_000 }).toContain('Billing')
  expect(faults).toEqual([])
  await close()
})

/** Parts of the trial that overflow its box, or of its row that overflow the screen; empty if there are none. */
const sticksOut = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const trial = document.querySelector('[aria-label="Trial of Area"]')
    const main = document.querySelector('main')
    const right = (one) => one.getBoundingClientRect().right
    const clipped = (one) => getComputedStyle(one.parentElement).overflowX === 'hidden'
    const out = [...trial.querySelectorAll('*')]
      .filter((one) => right(one) > right(trial) && !one.closest('.truncate, svg') && !clipped(one))
      .map((one) => one.tagName + ': ' + one.textContent.slice(0, 40))
    if (right(trial) > right(trial.closest('.rounded-large'))) out.push('the trial')
    if (right(document.querySelector('[aria-label="Delete tag"]')) > innerWidth) out.push('Delete tag')
    if (main.scrollWidth > main.clientWidth) out.push('the screen scrolls sideways')
    return out
  })()`)
