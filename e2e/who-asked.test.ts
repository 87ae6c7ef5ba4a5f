import { text } from 'node:stream/consumers'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { problemsInLooks } from './looks.ts'
import { hold, toast, undoFromToast } from './toast.ts'
import { call, page, useWorkspace } from './workspace.ts'

type Listed = { issue_number: number; mention_count: number }

const PEOPLE = 12

let issue: number

const lines = Array.from(
  { length: PEOPLE },
  (_, one) =>
    `${one},The CSV export fails for large reports,Customer ${one},2026-11-0${(one % 9) + 1},https://chat.example/${one}`,
)

useWorkspace({
  file: ['id,text,author,date,link', ...lines].join('\n'),
  prepare: async () => {
    const [first] = (await call('GET', '/api/insights/get-all')) as Listed[]
    issue = first?.issue_number ?? 0
  },
})

const section = () => page.getByRole('region', { name: 'Who asked' })
const setTeam = (team_status: string | null) =>
  call('PUT', '/api/insights/team-status', { changes: [{ issue_number: issue, team_status }] })

test('ten customers are told in four clicks: the insight, the list, the file, and that they were told', async () => {
  await setTeam('shipped')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/insights')
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  await click(page.getByRole('row', { name: /CSV export/ }).first())
  await section().getByText('12 people').waitFor()
  await click(section().getByRole('button', { name: 'Copy' }))
  await toast(page, 'Copied').waitFor()
  const line = /^Customer \d+ · .*https:\/\/chat\.example\/\d+$/
  const copied = String(await page.evaluate('navigator.clipboard.readText()')).split('\n')
  expect(copied).toEqual(Array(PEOPLE).fill(expect.stringMatching(line)))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    click(section().getByRole('button', { name: 'CSV' })),
  ])
  expect((await text(await file.createReadStream())).trim().split('\r\n')).toHaveLength(PEOPLE + 1)
  await click(section().getByRole('button', { name: 'Mark all as told' }))
  // Under the pointer it stays for the undo.
  await hold(toast(page, 'All are marked as told'))
  await section().getByText('12 people, all told').waitFor()
  expect(clicks).toBe(4)
  await section()
    .getByText(/Told by Ann/)
    .first()
    .waitFor()
  await expect.poll(() => section().getByRole('button', { name: 'Mark all as told' }).count()).toBe(0)
  await undoFromToast(page, 'All are marked as told')
  await section().getByRole('button', { name: 'Mark all as told' }).waitFor()
})

test('for any other insight it opens from the menu, and each person is marked by keyboard', async () => {
  await setTeam(null)
  await page.goto(`/insights?issue=${issue}`)
  await page.getByRole('button', { name: 'Correct this insight' }).waitFor()
  await expect.poll(() => section().count()).toBe(0)
  await page.getByRole('button', { name: 'Correct this insight' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Who asked' }).press('Enter')
  await section().getByText('12 people').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Who asked')
  const first = section().getByRole('checkbox').first()
  await first.press('Space')
  await section().getByText('12 people, 1 told').waitFor()
  await expect
    .poll(() => section().getByRole('link').first().getAttribute('href'))
    .toMatch(/^https:\/\/chat\.example\//)
  await expect.poll(() => first.isEnabled()).toBe(true)
  await first.press('Space')
  await expect.poll(() => section().getByText('told').count()).toBe(1)
})

test('it looks right in both themes and widths', async () => {
  await setTeam('shipped')
  await call('PUT', `/api/insights/${issue}/told`, { people: 'all', told: true })
  await call('PUT', `/api/insights/${issue}/told`, { people: 'all', told: false })
  await page.goto(`/insights?issue=${issue}`)
  await section().getByRole('button', { name: 'Show all 12' }).waitFor()
  await section().scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'who-asked')).toEqual([])
})
