import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { problemsInLooks } from './looks.ts'
import { browser, stack, useStack } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }
let token: string
let open: Visit
let page: Page
/** Calls about imports that carry bytes, in their order. */
let sent: string[]
let count = 0

useStack()
beforeEach(async () => {
  count += 1
  token = await stack.signUp({ name: 'Ada', email: `ada${count}@example.com`, password: 'an analytical engine' })
  open = await visit(browser, stack.url, { token })
  page = open.page
  sent = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'POST' && pathname.startsWith('/api/imports')) sent.push(pathname + search)
  })
  await page.goto('/import')
})
afterEach(async () => {
  if (open.faults.length > 0) throw new Error(open.faults.join('\n'))
  await open.close()
})

const fixture = (name: string) => readFileSync(new URL(`../connectors/file/fixtures/${name}`, import.meta.url))
const choose = (name: string, content: string | Buffer) =>
  page.getByLabel('File of feedback').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const rows = () => page.getByRole('region', { name: 'First rows' })
const cell = (text: string) => rows().getByRole('cell', { name: text, exact: true })
const start = async () => {
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Done. Everything is imported and grouped.').waitFor(LONG_WAIT)
}
/** The texts and days of imported messages that are in no insight. */
const stored = async () => {
  const { mentions } = (await stack.call(token, 'GET', '/api/ungrouped?courtesies=true')) as {
    mentions: { text: string; date: string }[]
  }
  return mentions
    .toSorted((a, b) => a.text.localeCompare(b.text, 'en'))
    .map(({ text, date }) => [text, date.slice(0, 10)])
}

test('one odd column name does not hide the header', async () => {
  const odd = 'Was war "100 % schlecht" (bitte ausführlich, in eigenen Worten, max. 500 Zeichen!)'
  await choose(
    'survey.csv',
    `Nr;${odd};Kunde;Datum\n1;Die Rechnung kam doppelt;Ann Berg;13.10.2026\n2;Kein Parkplatz vor dem Laden;Bo Lind;14.10.2026\n`,
  )
  await rows().getByRole('columnheader', { name: odd }).waitFor()
  await expect.poll(() => page.getByRole('switch', { name: 'First line is a header' }).isChecked()).toBe(true)
  await expect.poll(() => page.getByLabel('Message').locator('option:checked').textContent()).toBe(odd)
  await expect.poll(() => page.getByLabel('Date', { exact: true }).inputValue()).toBe('Datum')
  await start()
  await expect
    .poll(() => stored())
    .toEqual([
      ['Die Rechnung kam doppelt', '2026-10-13'],
      ['Kein Parkplatz vor dem Laden', '2026-10-14'],
    ])
})

test('the switch makes the first line a header, or a message', async () => {
  await choose(
    'plain.csv',
    'alpha,Elevators stop between floors\nbeta,Coffee tastes of soap\ngamma,Windows rattle at night\n',
  )
  const header = page.getByRole('switch', { name: 'First line is a header' })
  await expect.poll(() => header.isChecked()).toBe(false)
  await rows().getByRole('columnheader', { name: 'Column 1' }).waitFor()
  await header.click()
  await rows().getByRole('columnheader', { name: 'alpha' }).waitFor()
  await expect.poll(() => header.isChecked()).toBe(true)
  await header.click()
  await cell('Elevators stop between floors').waitFor()
  await header.press('Space')
  await rows().getByRole('columnheader', { name: 'alpha' }).waitFor()
  await start()
  expect((await stored()).map(([text]) => text)).toEqual(['Coffee tastes of soap', 'Windows rattle at night'])
})

test('the text is shown in the detected encoding, and in the chosen one', async () => {
  const csv = Buffer.from(
    'id,text,date\r\n1,D\xe9j\xe0 vu \x97 5 \x80,2026-10-01\r\n2,Fa\xe7ade fissur\xe9e,2026-10-02\r\n',
    'latin1',
  )
  await choose('western.csv', csv)
  const encoding = page.getByLabel('Encoding')
  await cell('Déjà vu — 5 €').waitFor()
  await expect.poll(() => encoding.inputValue()).toBe('windows-1252')
  await encoding.selectOption('windows-1251')
  await cell('Dйjа vu — 5 Ђ').waitFor()
  await encoding.selectOption('utf-8')
  await page.getByText('The line is not valid UTF-8').first().waitFor()
  await encoding.selectOption('windows-1252')
  await cell('Façade fissurée').waitFor()
  await page.getByText('The line is not valid UTF-8').first().waitFor({ state: 'detached' })
  await start()
  await expect
    .poll(() => stored())
    .toEqual([
      ['Déjà vu — 5 €', '2026-10-01'],
      ['Façade fissurée', '2026-10-02'],
    ])
})

test.each([
  ['screenshot.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'This is a picture.'],
  ['feedback.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'save the sheet as CSV'],
  ['export.csv', Buffer.alloc(9000, Buffer.from([1, 0, 2, 200, 7])), 'This file holds no text.'],
])('%s is refused before a byte of it is sent', async (name, content, reason) => {
  await choose(name, content)
  await page.getByRole('alert').filter({ hasText: reason }).waitFor()
  await page.getByText('Drop a file of feedback here').waitFor()
  expect(sent).toEqual([])
  await choose('fine.csv', 'text\nThe lift is slow\n')
  await cell('The lift is slow').waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

test('a workbook is imported from the sheet that has rows, or from the one that is chosen', async () => {
  await choose('feedback.xlsx', fixture('feedback.xlsx'))
  await cell('The lift is slow in the morning').waitFor()
  const sheet = page.getByLabel('Sheet')
  await expect.poll(() => sheet.inputValue()).toBe('Answers')
  await sheet.selectOption('More')
  await cell('A sheet of next year').waitFor()
  await sheet.selectOption('Answers')
  await cell('The stairs to the roof are steep').waitFor()
  await expect.poll(() => page.getByLabel('Date', { exact: true }).inputValue()).toBe('date')
  expect(await problemsInLooks(page, 'a workbook')).toEqual([])
  await start()
  await expect
    .poll(() => stored())
    .toEqual([
      ['The lift is slow in the morning', '2026-10-13'],
      ['The stairs to the roof are steep', '2026-10-14'],
    ])
})

test('for a file without dates, the page warns that all messages count as today, until a column is chosen', async () => {
  const warning = page.getByText('No date column: all messages count as today.')
  await choose(
    'undated.csv',
    'text,told\nThe lift is slow,late\nThe stairs are steep,2026-10-02\nThe door is stuck,never\n',
  )
  await warning.waitFor()
  await page.getByLabel('Date', { exact: true }).selectOption('told')
  await warning.waitFor({ state: 'detached' })
  const unread = page.getByText('2 of the first rows have a date that cannot be read: “late”, “never”.')
  await unread.waitFor()
  await page.getByLabel('Date', { exact: true }).selectOption('')
  await warning.waitFor()
  await unread.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Date', { exact: true }).inputValue()).toBe('')
})

test.each([
  ['google-play.csv', 'Google Play', 'Review Text'],
  ['app-store-connect.csv', 'App Store Connect', 'body'],
  ['github-issues.json', 'GitHub', 'body'],
  ['zendesk-tickets.csv', 'Zendesk', 'Subject'],
  ['intercom-conversations.csv', 'Intercom', 'First message'],
  ['typeform-responses.csv', 'Typeform', 'What is the one thing we should change, and why?'],
])('%s is named an export of %s, with its columns', async (name, product, message) => {
  await choose(name, fixture(name))
  await page.getByText(`Looks like a ${product} export`).waitFor()
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe(message)
  await expect.poll(() => page.getByText('No date column').count()).toBe(0)
})

test('dates that can be read in two ways are read as the user says', async () => {
  await choose('dates.csv', 'date,text\n03/04/2026,Elevators stop between floors\n05/06/2026,Coffee tastes of soap\n')
  const order = page.getByLabel('Dates like 03/04/2026')
  await expect.poll(() => order.inputValue()).toBe('undecided')
  await order.selectOption('day_first')
  await expect.poll(() => order.inputValue()).toBe('day_first')
  await start()
  expect((await stored()).map(([, date]) => date)).toEqual(['2026-06-05', '2026-04-03'])
})

test('the form is accessible, and as wide as the screen in light and dark', async () => {
  await choose('reviews.csv', fixture('google-play.csv'))
  await page.getByText('Looks like a Google Play export').waitFor()
  await page.getByLabel('Date', { exact: true }).selectOption('')
  await page.getByText('No date column: all messages count as today.').waitFor()
  expect(await problemsInLooks(page, 'import')).toEqual([])
})
