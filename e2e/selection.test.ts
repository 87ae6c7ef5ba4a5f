import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { eachLook, problemsOf } from './looks.ts'
import { hold, toast, undoFromToast } from './toast.ts'
import { call, page, reopen, stack, useWorkspace } from './workspace.ts'

type Listed = {
  issue_number: number
  issue_name: string
  mention_count: number
  team_status?: string
  categories: { option_value: unknown }[]
}

useWorkspace({
  file: csvOf(peopleSaying),
  prepare: async () => {
    const categories = [{ name: 'Area', description: 'Which part of the product the feedback is about, in one word' }]
    await call('POST', '/api/user/update-settings', { method: 'auto', min_inputs: 3, categories })
    await stack.grouped()
  },
  prepareWindow: async () => {
    await page.goto('/insights')
    await boxes().nth(2).waitFor({ state: 'attached' })
  },
})

const insights = async () => (await call('GET', '/api/insights/get-all')) as Listed[]
const tagsOf = async () => (await insights()).map(({ categories }) => categories[0]?.option_value)
const problems = () => problemsOf(page)
const boxes = () => page.getByRole('checkbox', { name: /^Select /, includeHidden: true })
/** Only the rows with the pointer or the focus have a checkbox, until one is selected. */
const pick = async (...places: number[]) => {
  for (const place of places) {
    await page
      .getByRole('row')
      .nth(place + 1)
      .hover()
    await boxes().nth(place).click()
  }
}
const bar = () => page.getByRole('region', { name: 'Selected insights' })
const act = (name: string) => bar().getByRole('button', { name })
const checked = async () => Promise.all([0, 1, 2].map((place) => boxes().nth(place).isChecked()))

test('X, Shift with an arrow and Shift with a click select; Escape ends it and a click on a row still opens it', async () => {
  await expect.poll(() => boxes().nth(0).isVisible()).toBe(false)
  await page.getByRole('row').nth(1).hover()
  await expect.poll(() => boxes().nth(0).isVisible()).toBe(true)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await bar().getByRole('status').filter({ hasText: '1 selected' }).waitFor()
  await page.keyboard.press('x')
  await bar().waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(checked).toEqual([true, true, false])
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(checked).toEqual([true, true, true])
  await page.keyboard.press('Escape')
  await bar().waitFor({ state: 'detached' })
  await pick(0)
  await boxes()
    .nth(2)
    .click({ modifiers: ['Shift'] })
  expect(await checked()).toEqual([true, true, true])
  // The panel of an open insight may still be loading; its number is in the address at once.
  await expect.poll(() => page.evaluate('location.search')).toBe('')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('row').nth(2).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Team status/ })
    .waitFor()
  expect(await checked()).toEqual([true, true, true])
})

test('a selection looks right', async () => {
  await eachLook('selection', reopen, async () => {
    await pick(0, 1)
    await act('Delete').waitFor()
    expect(await checked()).toEqual([true, true, false])
  })
})

test('the team status of several is set, and undone at once', async () => {
  await pick(0, 1)
  await act('Team status').click()
  await page.getByRole('menuitem', { name: 'Planned' }).click()
  await hold(toast(page, 'Team status: Planned'))
  await toast(page, 'Team status: Planned').filter({ hasText: '2 insights' }).waitFor()
  await bar().waitFor({ state: 'detached' })
  expect((await insights()).map((one) => one.team_status)).toEqual(['planned', 'planned', undefined])
  await undoFromToast(page, 'Team status: Planned')
  await expect.poll(async () => (await insights()).filter((one) => one.team_status)).toEqual([])
})

test('several get a tag, which is undone at once', async () => {
  const before = await tagsOf()
  await pick(0, 1)
  await act('Tag…').click()
  const dialog = page.getByRole('dialog', { name: 'Tag 2 insights' })
  await dialog.getByLabel('Value').fill('Checkout')
  expect(await problems()).toEqual([])
  await dialog.getByRole('button', { name: 'Set tag' }).click()
  await hold(toast(page, '2 insights tagged'))
  await bar().waitFor({ state: 'detached' })
  expect((await tagsOf()).filter((value) => value === 'Checkout')).toHaveLength(2)
  await toast(page, '2 insights tagged').getByRole('button', { name: 'Undo' }).click()
  await toast(page, '2 insights as before').waitFor()
  expect(await tagsOf()).toEqual(before)
})

test('several are merged into one, and undone at once', async () => {
  const before = await insights()
  await pick(0, 1, 2)
  await act('Merge…').click()
  const dialog = page.getByRole('dialog', { name: 'Merge 3 insights into' })
  await dialog.getByRole('radio').first().waitFor()
  expect(await problems()).toEqual([])
  await dialog.getByRole('button', { name: 'Merge' }).click()
  const [largest] = before.toSorted((a, b) => b.mention_count - a.mention_count)
  const title = `2 insights merged into #${largest?.issue_number}`
  await hold(toast(page, title))
  await expect.poll(async () => (await insights()).map((one) => one.issue_number)).toEqual([largest?.issue_number])
  await toast(page, title).getByRole('button', { name: 'Undo' }).click()
  await toast(page, '2 insights separate again').waitFor({ timeout: 60_000 })
  const counts = (list: Listed[]) => new Map(list.map((one) => [one.issue_number, one.mention_count]))
  await expect.poll(async () => counts(await insights())).toEqual(counts(before))
})

test('a push of several is asked about, and says why it failed', async () => {
  await pick(0, 1)
  await act('Push…').click()
  const dialog = page.getByRole('dialog', { name: 'Push 2 insights?' })
  expect(await problems()).toEqual([])
  await dialog.getByRole('button', { name: 'Push' }).click()
  await toast(page, '0 of 2 insights on their way')
    .filter({ hasText: /destination/i })
    .waitFor()
})

test('several are deleted; what could not be is said, and one undo restores the others', async () => {
  const before = await insights()
  await pick(0, 1)
  await act('Delete').click()
  await hold(toast(page, '2 insights deleted'))
  expect(await insights()).toHaveLength(1)
  await toast(page, '2 insights deleted').getByRole('button', { name: 'Undo' }).click()
  await toast(page, '2 insights restored').waitFor()
  await boxes().nth(2).waitFor({ state: 'attached' })
  await pick(0, 1, 2)
  // Someone else deletes it a moment earlier: before that, a refetched list would drop it from the selection.
  await page.route(`**/api/insights/${before[0]?.issue_number}`, async (route) => {
    await call('DELETE', `/api/insights/${before[0]?.issue_number}`)
    await route.continue()
  })
  await act('Delete').click()
  await toast(page, '2 of 3 insights deleted').filter({ hasText: 'There is no such insight' }).waitFor()
  await toast(page, '2 of 3 insights deleted').getByRole('button', { name: 'Undo' }).click()
  await toast(page, '2 insights restored').waitFor()
  expect(await insights()).toHaveLength(2)
})
