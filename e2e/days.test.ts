import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

/** Two days without a time, and between them a moment of the summer: half an hour before midnight in UTC. */
const file = [
  'id,date,author,message',
  '1,2026-07-04,Ann,The badge reader is slow',
  '2,2026-07-05T23:30:00Z,Bo,The lobby is too warm',
  '3,2026-07-06,Cem,Bikes block the ramp',
].join('\n')

useAnn({ file, fileName: 'days.csv' })

test.each([
  { zone: 'Pacific/Honolulu', moment: 'Jul 5, 2026, 1:30 PM' },
  { zone: 'Europe/London', moment: 'Jul 6, 2026, 12:30 AM' },
  { zone: 'Pacific/Kiritimati', moment: 'Jul 6, 2026, 1:30 PM' },
])('a day without a time is that day in $zone, before and after the import', async ({ zone, moment }) => {
  const { page, faults, close } = await visit(browser, stack.url, { token, zone })
  const dates = async () => {
    const all = await page.getByRole('main').innerText()
    return [...all.matchAll(/Jul \d, 2026(?:, \d+:\d\d\s[AP]M)?/g)].map(([date]) => date.replace(/\s/g, ' ')).toSorted()
  }
  const expected = ['Jul 4, 2026', moment, 'Jul 6, 2026'].toSorted()
  await page.goto('/import')
  await page
    .getByLabel('File of feedback')
    .setInputFiles({ name: 'again.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByText(/^3 messages, by “message”, from Jul 4(, 2026)? to Jul 6(, 2026)?\.$/).waitFor()
  await page.getByRole('region', { name: 'How they will look' }).getByText('Bikes block the ramp').waitFor()
  expect(await dates()).toEqual(expected)
  await page.goto('/ungrouped')
  await page.getByText('Bikes block the ramp').waitFor()
  expect(await dates()).toEqual(expected)
  expect(faults).toEqual([])
  await close()
})
