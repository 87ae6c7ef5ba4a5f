import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { eachLook, problemsInLooks, problemsOf } from './looks.ts'
import { toast } from './toast.ts'
import { call, page, reopen, stack, useWorkspace } from './workspace.ts'

useWorkspace({ file: csvOf(peopleSaying) })

type Listed = { issue_number: number; issue_name: string }
const first = async () => ((await call('GET', '/api/insights/get-all')) as Listed[])[0] as Listed
const status = async (address: string) => (await fetch(address)).status

test('a link to an insight is made, opened without a sign-in, and revoked', async () => {
  const { issue_number, issue_name } = await first()
  const dialog = () => page.getByRole('dialog', { name: `Share #${issue_number}` })
  const share = async () => {
    await page.goto(`/insights?issue=${issue_number}`)
    await page.getByRole('button', { name: 'Correct this insight' }).click()
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    await dialog().getByRole('button', { name: 'Create link' }).waitFor()
  }
  await share()
  await expect.poll(() => dialog().getByLabel('Names').isChecked()).toBe(true)
  await dialog().getByLabel('Expires after').selectOption({ label: '7 days' })
  await dialog().getByRole('button', { name: 'Create link' }).click()
  const address =
    (await dialog()
      .getByText(/\/api\/shared\/[\w-]{43}$/)
      .textContent()) ?? ''
  await dialog()
    .getByText(/by ann@example\.com · expires .* · without names/)
    .waitFor()
  expect(await problemsOf(page)).toEqual([])
  await reopen({ token: '' })
  await page.goto(address)
  await page.getByRole('heading', { level: 1, name: issue_name }).waitFor()
  await expect.poll(() => page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).toBe('720px')
  expect(await problemsInLooks(page, 'shared')).toEqual([])
  await reopen({ theme: 'dark', width: 390 })
  await share()
  expect(await problemsOf(page)).toEqual([])
  await dialog()
    .getByRole('button', { name: /^Revoke the link/ })
    .click()
  await page.getByRole('dialog', { name: 'Revoke this link?' }).getByRole('button', { name: 'Revoke' }).click()
  await toast(page, 'Link revoked').waitFor()
  expect(await status(address)).toBe(404)
  await dialog().getByRole('button', { name: 'Create link' }).waitFor()
  // The list is fetched again after the message.
  const revocable = () => dialog().getByRole('button', { name: /^Revoke/ })
  await expect.poll(() => revocable().count()).toBe(0)
})

test('the filters of the table are saved as a view, opened from the sidebar, changed, shared and deleted', async () => {
  const { issue_name } = await first()
  const word = issue_name.split(' ').at(-1)?.toLowerCase() ?? ''
  await page.goto(`/insights?q=${word}&sort=-mentions`)
  const saveView = async () => {
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Save view…' }).click()
    await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').waitFor()
  }
  await saveView()
  expect(await problemsOf(page)).toEqual([])
  await page.getByLabel('Name', { exact: true }).fill('Large ones')
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await toast(page, 'View saved').waitFor()
  const link = () => page.getByRole('link', { name: /^Large ones/ })
  await expect.poll(() => link().getAttribute('aria-current')).toBe('page')
  await page.goto('/settings')
  await link().click()
  await page.waitForURL((url) => url.searchParams.get('q') === word && url.searchParams.get('sort') === '-mentions')

  const menu = async (entry: string) => {
    await page.getByRole('button', { name: 'View Large ones' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await menu('Share with the workspace')
  await toast(page, 'Shared with the workspace').waitFor()
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('')
  await page.waitForURL((url) => !url.searchParams.has('q'))
  await menu('Update to what is shown')
  await toast(page, 'View updated').waitFor()
  await menu('Share a link…')
  const share = page.getByRole('dialog', { name: 'Share “Large ones”' })
  await share.getByRole('button', { name: 'Create link' }).click()
  const address = (await share.getByText(/\/api\/shared\/[\w-]{43}$/).textContent()) ?? ''
  await share.getByRole('button', { name: 'Close' }).click()
  const shared = await (await fetch(address)).text()
  expect([shared.includes('3 insights'), shared.includes(issue_name)]).toEqual([true, true])

  await eachLook('views', reopen, async () => {
    await page.goto('/insights')
    if ((page.viewportSize()?.width ?? 0) < 768) await page.getByRole('button', { name: 'Open the menu' }).click()
    await link().waitFor()
    await page.getByRole('button', { name: 'View Large ones' }).click()
    await page.getByRole('menuitem', { name: 'Make private' }).waitFor()
  })
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog', { name: 'Delete “Large ones”?' }).getByRole('button', { name: 'Delete' }).click()
  await toast(page, 'View deleted').waitFor()
  await expect.poll(() => link().count()).toBe(0)
  expect(await status(address)).toBe(410)
})

test('the report shows mentions over time, divided, as a table and as a file', async () => {
  await page.goto('/insights')
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.waitForURL('**/reports')
  await page.getByRole('img', { name: /^All mentions: 9 from/ }).waitFor()
  await page.getByText('None in the previous period').waitFor()
  await page.getByLabel('Break down by').selectOption({ label: 'By source' })
  await page.getByRole('img', { name: /^File: 9 from/ }).waitFor()
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByRole('columnheader', { name: 'File' }).waitFor()
  await expect
    .poll(() =>
      page
        .getByRole('row', { name: /^Total/ })
        .getByRole('cell')
        .allTextContents(),
    )
    .toEqual(['9', '9'])
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  expect(file.suggestedFilename()).toMatch(/^groundswell-report-.*\.csv$/)
  await page.reload()
  await page.getByRole('columnheader', { name: 'File' }).waitFor()

  await page.getByLabel('Time').selectOption({ label: 'Custom dates' })
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByLabel('From').fill('2020-01-01')
  const fields = ['Time', 'From', 'To', 'Break down by'].map((name) => page.getByLabel(name, { exact: true }))
  const tops = await Promise.all(fields.map(async (field) => (await field.boundingBox())?.y))
  expect(new Set(tops).size).toBe(1)
  await page.getByText('No mentions in this period').waitFor()
  await page.getByText('All mentions are newer').waitFor()
  await page.getByRole('button', { name: /^Show .* to / }).click()
  await page.getByRole('columnheader', { name: 'File' }).waitFor()
  await expect.poll(() => page.getByLabel('From').inputValue()).not.toBe('2020-01-01')
  await page.goto('/reports?range=90&by=kind')
  await page.getByRole('img', { name: /^All mentions/ }).waitFor()
  await page.getByRole('img', { name: /^Request/ }).waitFor()
  expect(await problemsInLooks(page, 'report')).toEqual([])
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByRole('row', { name: /^Change/ }).waitFor()
  expect(await problemsInLooks(page, 'report-table', { looks: [['dark', 390]] })).toEqual([])
})

test('a report explains itself: parts open their insights, periods are read out, and what is left out is said', async () => {
  await page.goto('/reports?by=theme')
  await page.getByRole('img', { name: /^All mentions: 9 from/ }).waitFor()
  await page.getByText(/^Not counted: 2 other mentions from this time \(2 in no insight\)/).waitFor()
  // The largest day, week or month; another one by the arrow keys.
  await page.getByText(/^Peak, week of /).waitFor()
  const chart = page.getByRole('slider', { name: 'Read the chart by week' })
  await chart.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/^week of .*: 0 mentions$/)
  // Insights in no theme are broken down like a theme.
  const none = page.getByRole('button', { name: 'No theme' })
  await none.press('Enter')
  const insights = () => page.getByRole('main').getByRole('listitem').getByRole('link')
  await expect.poll(() => insights().count()).toBe(3)
  expect(await problemsInLooks(page, 'report-explains')).toEqual([])
  await insights().first().click()
  await page.waitForURL((url) => url.pathname === '/insights' && url.searchParams.has('issue'))
})

test('a report says in words what changed against the time before', async () => {
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const more = Array.from(
    { length: 24 },
    (_, n) => `"The CSV export fails for large reports, file ${n}",P${n},${dayAgo(3 + (n % 6))}`,
  )
  await call('POST', '/api/imports?name=more.csv', `message,customer,date\n${more.join('\n')}`)
  await stack.grouped()
  await page.goto(`/reports?from=${dayAgo(15)}&to=${dayAgo(0)}`)
  const changes = () => page.getByRole('region', { name: 'What changed' }).getByRole('listitem')
  await changes()
    .filter({ hasText: /export.*(rose|is new).*since .*→/i })
    .first()
    .waitFor()
  await page.getByRole('heading', { name: 'Insights behind them' }).waitFor()
  expect(await problemsInLooks(page, 'report-changes')).toEqual([])
  await expect.poll(() => changes().first().innerText()).toMatch(/\(\d+ → \d+\)$/)
  await changes().first().getByRole('link').click()
  await page.waitForURL((url) => url.pathname === '/insights' && url.searchParams.has('issue'))
})
