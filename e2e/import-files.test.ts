import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { picture, problemsInLooks } from './looks.ts'
import { browser, stack, useStack } from './workspace.ts'

let token: string
let open: Visit
let page: Page

useStack()
beforeAll(async () => {
  token = await stack.signUp({ name: 'Ada', email: 'ada@example.com', password: 'an analytical engine' })
})
beforeEach(async () => {
  open = await visit(browser, stack.url, { token })
  page = open.page
  await page.goto('/import')
})
afterEach(async () => {
  if (open.faults.length > 0) throw new Error(open.faults.join('\n'))
  await open.close()
})

const lines = (...all: string[]) => all.join('\n')
/** What Excel writes as “Unicode text”. */
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

/** Files whose pictures are in docs/files.md. */
const files = [
  {
    name: 'google-forms.csv',
    file: lines(
      'Timestamp,Email address,What should we improve?,How happy are you?',
      '2026/10/04 1:28:19 PM GMT+5:30,ada@example.com,The invoice is empty when I download it,2',
      '2026/10/05 9:12:00 AM GMT+2,bo@example.com,Please add a dark theme,4',
      '2026/10/05 9:15:00 AM AST,cy@example.com,Dark theme please,4',
      '2026/10/06 11:40:07 AM GMT-3,dee@example.com,I get an empty invoice,1',
      '2026/10/07 4:02:51 PM GMT+2,eve@example.com,"Invoices are empty, also in Firefox",2',
    ),
    seen: ['Looks like a Google Forms export', '5 messages, by “What should we improve?”, from Oct 4 to Oct 7'],
  },
  {
    name: 'jira.csv',
    file: lines(
      'Summary,Issue key,Issue id,Issue Type,Status,Project key,Reporter,Created,Description,Labels,Comment,Comment',
      'Voucher is ignored,SHOP-1,101,Bug,To Do,SHOP,ada,01/Oct/26 9:10 AM,The total stays the same,checkout,"01/Oct/26 9:30 AM;bo;Thank you for the long and detailed report, we will look into it",',
      'Pins overlap,SHOP-2,102,Bug,To Do,SHOP,cy,02/Oct/26 9:11 AM,,map,"02/Oct/26 9:30 AM;bo;Thank you, we will come back to you with an answer","03/Oct/26 8:00 AM;bo;Planned"',
      'Voucher has no effect,SHOP-3,103,Bug,To Do,SHOP,dee,03/Oct/26 2:45 PM,I typed it twice,checkout,,',
      'Map pins hide each other,SHOP-4,104,Bug,To Do,SHOP,eve,05/Oct/26 10:20 AM,,map,,',
    ),
    seen: ['Looks like a Jira export', '4 messages, by “Summary” and “Description”, from Oct 1 to Oct 5'],
  },
  {
    name: 'tickets.json',
    file: JSON.stringify(
      {
        count: 3,
        next_page: null,
        tickets: [
          {
            id: '998877665544332211',
            created_at: '2026-10-01T08:00:00Z',
            message: 'The sign is too dark',
            customer: { name: 'Ada', company: { name: 'Acme' } },
          },
          {
            id: '998877665544332213',
            created_at: '2026-10-02T08:00:00Z',
            message: 'I cannot read the sign',
            customer: { name: 'Bo', company: { name: 'Birch' } },
          },
          {
            id: '998877665544332215',
            created_at: '2026-10-03T08:00:00Z',
            message: '<p>The sign isn&#39;t lit</p><p>at night</p>',
            customer: { name: 'Cy', company: { name: 'Acme' } },
          },
        ],
      },
      null,
      2,
    ),
    seen: ['3 messages, by “message”, from Oct 1 to Oct 3', "The sign isn't lit"],
  },
  {
    name: 'unicode-text.txt',
    file: utf16(
      'Datum\tName\tNachricht\r\n05.10.2026\tJörg Möß\tDie Tür schließt zu früh\r\n06.10.2026\tÄnne Øst\tTüren gehen zu früh zu\r\n15.10.2026\tZoë Ünal\tDie Tür bleibt offen\r\n',
    ),
    seen: ['3 messages, by “Nachricht”, from Oct 5 to Oct 15', 'Jörg Möß'],
  },
]

/** How many pixels a select has beside the text of its choice; negative where that is cut. */
async function roomLeft(select: Locator): Promise<number> {
  const id = JSON.stringify(await select.getAttribute('id'))
  return page.evaluate<number>(`(() => {
    const select = document.getElementById(${id})
    const { font, paddingLeft, paddingRight } = getComputedStyle(select)
    const context = document.createElement('canvas').getContext('2d')
    context.font = font
    const text = context.measureText(select.selectedOptions[0].text).width
    return select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - text
  })()`)
}

test.each(files)('$name is shown as it will be read, before anything is stored', async ({ name, file, seen }) => {
  await page.getByLabel('File of feedback').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(file) })
  for (const text of seen) await page.getByText(text).first().waitFor()
  const zones = page.getByLabel('Time zone “AST”').locator('option:checked')
  // The offset that is assumed comes first.
  await expect
    .poll(() => zones.allTextContents())
    .toEqual(name.startsWith('google') ? ['UTC-04:00, Atlantic Canada, Caribbean'] : [])
  for (const select of await page.getByLabel('Time zone “AST”').all())
    expect(await roomLeft(select)).toBeGreaterThanOrEqual(0)
  await page.getByRole('region', { name: 'How they will look' }).getByRole('listitem').first().waitFor()
  expect(await problemsInLooks(page, name)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 1250 })
  await picture(page, name.replace(/\.\w+$/, ''))
})

const day = (number: number, ...texts: string[]) =>
  JSON.stringify(
    texts.map((text, at) => ({ type: 'message', ts: `1790841${number}${at}0.000200`, user: 'U0A', text })),
    null,
    4,
  )

test('several files with the same columns are said to become one import, and are one', async () => {
  const part = (name: string, ...rows: string[]) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(lines('id,review,date', ...rows)),
  })
  await page
    .getByLabel('File of feedback')
    .setInputFiles([
      part('reviews-10.csv', '3,The tap drips,2026-10-03'),
      part('reviews-2.csv', '1,The lamp flickers,2026-10-01', '2,The lamp is dim,2026-10-02'),
    ])
  await page.getByText('2 files as one import: 3 messages, by “review”, from Oct 1 to Oct 3.').waitFor()
  await page.getByRole('heading', { name: 'reviews-2.csv and 1 more' }).waitFor()
  expect(await problemsInLooks(page, 'several-files')).toEqual([])
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Done. Everything is imported and grouped.').waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'reviews-2.csv and 1 more' }).count()).toBe(1)
})

test('files of different kinds are refused, with what to do', async () => {
  await page.getByLabel('File of feedback').setInputFiles([
    { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('id,review\n1,It drips\n') },
    { name: 'b.csv', mimeType: 'text/csv', buffer: Buffer.from('nr;comment\n1;It drips\n') },
  ])
  await page.getByRole('alert').getByText('the same columns, and “a.csv” and “b.csv” do not').waitFor()
  expect(await problemsInLooks(page, 'several-kinds')).toEqual([])
})

test('a folder of an export of Slack is one import, with the names of people', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-slack-'))
  try {
    await mkdir(path.join(folder, 'bugs'))
    const users = [{ id: 'U0A', profile: { display_name: 'Una' } }]
    await writeFile(path.join(folder, 'users.json'), JSON.stringify(users))
    await writeFile(
      path.join(folder, 'bugs/2026-10-01.json'),
      day(1, 'The export &amp; the import fail', '<@U0A> is right'),
    )
    await writeFile(path.join(folder, 'bugs/2026-10-02.json'), day(2, 'Still broken'))
    await page.getByLabel('Folder of feedback').setInputFiles(folder)
    await page.getByText('3 files as one import: 3 messages, by “text”').waitFor()
    await page.getByText('Looks like a Slack export').waitFor()
    const looks = page.getByRole('region', { name: 'How they will look' })
    await looks.getByText('The export & the import fail').waitFor()
    await looks.getByText('@Una is right').waitFor()
    expect(await problemsInLooks(page, 'slack-folder')).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the HTML that a text was made of can be shown', async () => {
  const said = [
    'The CSV export fails for large reports',
    'CSV export fails when the report is large',
    'Export to CSV fails on large reports',
  ]
  const rows = said.map((text, at) => `${at},person${at}@example.com,"<p>Hello,</p><p>${text}</p>"`)
  await page.getByLabel('File of feedback').setInputFiles({
    name: 'mails.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines('id,author,body', ...rows)),
  })
  await page.getByText('3 messages, by “body”').waitFor()
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('Done. Everything is imported and grouped.').waitFor()
  await page.goto('/')
  await page.getByRole('row').filter({ hasText: /CSV/ }).click()
  const show = page.getByRole('button', { name: 'Show the original' })
  await show.first().click()
  await page.getByRole('region', { name: 'Original' }).getByText('<p>Hello,</p><p>').waitFor()
  await expect.poll(() => show.count()).toBe(2)
  expect(await problemsInLooks(page, 'original')).toEqual([])
})
