import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { problemsInLooks } from './looks.ts'
import { toast } from './toast.ts'
import { browser, stack, useStack } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }
let token: string
let open: Visit
let page: Page
let count = 0

useStack()
beforeEach(async () => {
  count += 1
  token = await stack.signUp({ name: 'Ada', email: `ada${count}@example.com`, password: 'an analytical engine' })
  open = await visit(browser, stack.url, { token })
  page = open.page
  await page.goto('/import')
})
afterEach(async () => {
  if (open.faults.length > 0) throw new Error(open.faults.join('\n'))
  await open.close()
})

const choose = (name: string, lines: readonly string[]) =>
  page
    .getByLabel('File of feedback')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
const start = async () => {
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Done. Everything is imported and grouped.').waitFor(LONG_WAIT)
}
const samples = () => page.getByRole('region', { name: 'How they will look' }).getByRole('listitem')

const year = new Date().getFullYear()
const replies = [
  'Hi Bo, thanks for reaching out! We have forwarded this to our engineering team.',
  'Hello Ann, sorry for the trouble. Could you please send us a screenshot?',
  'Thank you for your patience, our team is looking into this.',
  'We have released a fix, please update the app and let us know.',
  'Hi Cem, thanks for your feedback, we will pass it on to our product team.',
]
const reviews = [
  'Author,Written,Headline,Review',
  `Ann,${year}-01-03,Export,The CSV export of a large report fails every time`,
  `Bo,${year}-02-05,Sign-in,I cannot log in since the update`,
  `Cem,,Dark,Please add a dark mode`,
  `Dee,${year}-02-07,Search,Search never finds the newest invoice`,
  `Eve,${year}-03-09,Lift,The lift is slow in the morning`,
  `Fay,${year}-03-01,Door,The door to the roof is stuck`,
  ...replies.map((text) => `Ines,${year}-03-10,Reply,"${text}"`),
]

test('one sentence says what will be imported, five messages how it will look, and both follow the chosen columns', async () => {
  await choose('reviews.csv', reviews)
  // A title and a text together are the message.
  const rest = 'from Jan 3 to Mar 9, 1 without a date, 5 more look like your own replies.'
  await page.getByText(`6 messages, by “Headline” and “Review”, ${rest}`).waitFor()
  await page.getByLabel('Title', { exact: true }).selectOption({ label: 'None' })
  await page.getByText(`6 messages, by “Review”, ${rest}`).waitFor()
  // As it will look in an insight: a day has no time.
  await page.getByText('Jan 3, 2026', { exact: true }).waitFor()
  await expect.poll(() => samples().count()).toBe(5)
  const first = await samples().first().textContent()
  expect(first).toContain('Ann')
  expect(first).toContain('The CSV export of a large report fails every time')
  await expect.poll(() => samples().nth(2).textContent()).toContain('Date unknown')
  await page.getByLabel('Message', { exact: true }).selectOption('Headline')
  await page.getByText('11 messages, by “Headline”, from Jan 3 to Mar 10, 1 without a date.').waitFor()
  await page.getByLabel('Title', { exact: true }).selectOption('Headline')
  await page.getByLabel('Message', { exact: true }).selectOption('Review')
  await page.getByText('6 messages, by “Headline” and “Review”, from Jan 3 to Mar 9').waitFor()
  await expect
    .poll(() => samples().first().locator('blockquote').textContent())
    .toBe('Export\n\nThe CSV export of a large report fails every time')
  expect(await problemsInLooks(page, 'import-promise')).toEqual([])
  await page.getByLabel('Replies by your own people').selectOption('feedback')
  await page.getByText('11 messages, by “Headline” and “Review”').waitFor()
  await page.getByLabel('Replies by your own people').selectOption('context')
  await page.getByText('6 messages, by “Headline” and “Review”').waitFor()
  await start()
  await expect.poll(() => page.locator('dl').textContent()).toMatch(/^Added6/)
})

const undo = () => page.getByRole('button', { name: 'Undo import', exact: true })
const secondWeek = async () => {
  await choose('week-1.csv', reviews.slice(0, 4))
  await page.getByText('3 messages, by').waitFor()
  await start()
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose('week-2.csv', reviews.slice(0, 7))
  await page.getByText('6 messages, by').waitFor()
  await page.getByLabel('Source', { exact: true }).selectOption({ label: 'week-1 (3 messages)' })
  await start()
}
const undone = async () => {
  await toast(page, 'The import is undone').waitFor()
  await page.getByText('Drop a file of feedback here').waitFor()
  await page.getByRole('button', { name: 'Undo the import of week-1.csv' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Undo the import of week-2.csv' }).count()).toBe(0)
  const { sources } = (await stack.call(token, 'GET', '/api/file-sources')) as { sources: object[] }
  expect(sources).toMatchObject([{ name: 'week-1', messages: 3, imports: 1 }])
}

test('an import is undone from its result by one click: what only it added is gone, and the rest stays', async () => {
  await secondWeek()
  await undo().click()
  await undone()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('an import is undone from the list of imports by one click too', async () => {
  await secondWeek()
  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.getByRole('button', { name: 'Undo the import of week-2.csv' }).click()
  await undone()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('an import with corrected messages is undone after a dialog that says what is lost', async () => {
  await secondWeek()
  const { mentions } = (await stack.call(token, 'GET', '/api/ungrouped?courtesies=true')) as {
    mentions: { id: string; text: string }[]
  }
  const corrected = mentions.find(({ text }) => text.includes('The lift is slow'))
  await stack.call(token, 'PUT', '/api/feedback-kind', { mention: corrected?.id, kind: 'request' })
  await undo().click()
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
  await dialog.getByText('3 messages will be deleted.').waitFor()
  await dialog.getByText('3 messages that another import has too will be kept as they are.').waitFor()
  await dialog.getByText('Corrections of 1 message will be lost.').waitFor()
  expect(await problemsInLooks(page, 'import-undo')).toEqual([])
  await dialog.getByRole('button', { name: 'Keep' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.getByRole('button', { name: 'Undo the import of week-2.csv' }).click()
  await dialog.getByText('Corrections of 1 message will be lost.').waitFor()
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await undone()
})

test('a file with the header of an earlier one is read as last time, and can be read otherwise', async () => {
  await choose('week-1.csv', reviews.slice(0, 4))
  await page.getByText('3 messages, by “Headline” and “Review”').waitFor()
  await page.getByLabel('Title', { exact: true }).selectOption({ label: 'None' })
  await page.getByText('3 messages, by “Review”').waitFor()
  await page.getByLabel('Name of the source').fill('Shop reviews')
  await start()
  await page.getByRole('button', { name: 'Import another file' }).click()

  await choose('week-2.csv', [reviews[0] ?? '', ...reviews.slice(4, 7)])
  await page.getByText('As last time', { exact: true }).waitFor()
  await page.getByText('3 messages, by “Review”').waitFor()
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('')
  const source = page.getByLabel('Source', { exact: true })
  await expect.poll(() => source.locator('option:checked').textContent()).toBe('Shop reviews (3 messages)')
  await page.getByText('As last time. IDs are unique within a source.').waitFor()
  expect(await problemsInLooks(page, 'import-remembered')).toEqual([])

  await page.getByRole('button', { name: 'Use the detected columns' }).click()
  await page.getByText('3 messages, by “Headline” and “Review”').waitFor()
  await page.getByText('As last time', { exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Headline')
  await source.selectOption({ label: 'New source' })
  await expect.poll(() => page.getByLabel('Name of the source').inputValue()).toBe('week-2')
})
