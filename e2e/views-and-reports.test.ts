import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { eachLook, picture, problemsInLooks, problemsOf } from './looks.ts'
import { toast } from './toast.ts'
import { call, page, reopen, useWorkspace } from './workspace.ts'

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
  expect(await dialog().getByLabel('Names').isChecked()).toBe(true)
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
  expect(await page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).toBe('720px')
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
  expect(
    await page
      .getByRole('row', { name: /^Total/ })
      .getByRole('cell')
      .allTextContents(),
  ).toEqual(['9', '9'])
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
  await page.goto('/reports?range=90&by=kind')
  await page.getByRole('img', { name: /^All mentions/ }).waitFor()
  await page.getByRole('img', { name: /^Request/ }).waitFor()
  expect(await problemsInLooks(page, 'report')).toEqual([])
  await reopen({ theme: 'dark', width: 390 })
  await page.goto('/reports?range=90&by=kind')
  await page.getByRole('button', { name: 'Table' }).click()
  await page.getByRole('row', { name: /^Change/ }).waitFor()
  expect(await problemsOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await picture(page, 'report-table')
})
