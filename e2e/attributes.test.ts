import { expect, test } from 'vitest'
import { peopleSaying } from './feedback-file.ts'
import { eachLook, problemsInLooks, problemsOf } from './looks.ts'
import { page, reopen, useWorkspace } from './workspace.ts'

/** What each of them gave: who cannot log in is angry, who wants a dark mode is not. */
const ratings = { export: ['2', '10', '3', '3'], login: ['1', '1', '2'], dark: ['9', '10'] }
const DAY_MS = 86_400_000
const given = { export: 0, login: 0, dark: 0 }
const lines = peopleSaying.map(({ text, about }, index) => {
  const day = new Date(Date.now() - (26 - index) * DAY_MS).toISOString().slice(0, 10)
  const rating = about === null ? '' : ratings[about][given[about]++]
  return `"${text}",${rating},${index % 2 === 0 ? 'Pro' : 'Free'},${day}`
})

useWorkspace({ file: ['message,rating,plan,date', ...lines].join('\n') })

const rows = () => page.locator('tbody tr').count()
const filter = () => page.getByRole('button', { name: /^Attributes/ })

test('the table is filtered by a rating of the imported file', async () => {
  await page.goto('/insights')
  await filter().click()
  await page.getByRole('button', { name: 'rating', exact: true }).click()
  // Numbers in their order, with their messages.
  const options = page.getByRole('dialog', { name: 'Attributes' }).getByRole('listitem')
  await expect.poll(() => options.allInnerTexts()).toEqual(['1\n2', '2\n2', '3\n2', '9\n1', '10\n2'])
  await page.getByRole('checkbox', { name: /^1/ }).first().check()
  await page.waitForURL((url) => url.searchParams.get('attributes') === 'rating=1')
  await page.getByRole('status').filter({ hasText: '1 of 3' }).waitFor()
  await page.getByRole('checkbox', { name: /^2/ }).check()
  await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => filter().getAttribute('aria-label')).toBe('Attributes: rating: 1, 2')
  await expect.poll(rows).toBe(2)
  // A saved view has it, and the address opens it.
  await page.goto(page.url())
  await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor()
  await filter().click()
  await page.getByRole('button', { name: 'plan', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Pro/ }).check()
  await page.waitForURL((url) => url.searchParams.get('attributes') === 'rating=1&rating=2&plan=Pro')
  await page.getByRole('button', { name: 'plan: back to all attributes' }).click()
  await page.getByRole('button', { name: /^rating/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('status').filter({ hasText: '3 insights' }).waitFor()
  await eachLook('attributes-table', reopen, async () => {
    await page.goto('/insights?attributes=rating%3D1%26rating%3D2')
    await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor()
    await filter().click()
    await page.getByRole('button', { name: /^rating/ }).click()
    await page.getByRole('checkbox', { name: /^10/ }).waitFor()
  })
})

test('a report is divided by an attribute, and counts only mentions with the values that are chosen', async () => {
  await page.goto('/reports')
  await page.getByRole('img', { name: /^All mentions: 9 from/ }).waitFor()
  await page.getByLabel('Break down by').selectOption({ label: 'By rating' })
  await page.getByRole('img', { name: /^10: 2 from/ }).waitFor()
  const parts = page.getByRole('main').getByRole('listitem').getByRole('button')
  await expect.poll(() => parts.allInnerTexts()).toEqual(['1', '2', '3', '9', '10'])
  await filter().click()
  await page.getByRole('button', { name: 'rating', exact: true }).click()
  await page.getByRole('checkbox', { name: /^2/ }).check()
  await page.getByRole('img', { name: /^All mentions: 2 from/ }).waitFor()
  await page.getByRole('checkbox', { name: /^3/ }).check()
  await page.getByRole('img', { name: /^All mentions: 4 from/ }).waitFor()
  await page.keyboard.press('Escape')
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('button', { name: '3', exact: true }).click()
  await page.getByRole('link', { name: 'Show in Insights' }).click()
  await page.waitForURL((url) => url.pathname === '/insights' && url.searchParams.get('attributes') === 'rating=3')
  await page.getByRole('status').filter({ hasText: '1 of 3' }).waitFor()
  await page.goto('/reports?attributes=rating%3D8')
  await page.getByRole('button', { name: 'Show all mentions' }).click()
  await page.getByRole('img', { name: /^All mentions: 9 from/ }).waitFor()
  await page.goto('/reports?by=attribute&attribute=rating&attributes=plan%3DPro')
  await page.getByRole('img', { name: /^1: / }).waitFor()
  expect(await problemsInLooks(page, 'attributes-report')).toEqual([])
})

test('all feedback is searched among messages with the values that are chosen', async () => {
  await page.goto('/ungrouped?in=all')
  await page.getByText('11 messages').waitFor()
  await filter().click()
  await page.getByRole('button', { name: 'rating', exact: true }).click()
  await page.getByRole('checkbox', { name: /^1 / }).check()
  await page.keyboard.press('Escape')
  const said = (text: string) => page.getByText(text, { exact: true })
  await expect.poll(() => said('The CSV export fails for large reports').count()).toBe(0)
  await expect.poll(() => said('Cannot log in after the update on Monday').count()).toBe(0)
  await said('I cannot log in since the update on Monday').waitFor()
  await said('Since the update on Monday I cannot log in any more').waitFor()
})
