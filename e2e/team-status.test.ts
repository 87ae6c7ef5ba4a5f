import { expect, test } from 'vitest'
import { showActivity } from './activity.ts'
import { untilIdle } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { eachLook, problemsInLooks, problemsOf } from './looks.ts'
import { toast, undoFromToast } from './toast.ts'
import { call, page, reopen, useWorkspace } from './workspace.ts'

type Listed = { issue_number: number; issue_name: string; status: string; team_status?: string }

useWorkspace({ file: csvOf(peopleSaying) })

const insights = async () => (await call('GET', '/api/insights/get-all')) as Listed[]
const first = async () => (await insights())[0] as Listed
const problems = () => problemsOf(page)
const panel = () => page.getByRole('dialog')
const mark = () => panel().getByRole('button', { name: /^Team status/ })

test('it is set with two keys, undone from the toast, and told in the history; the status stays', async () => {
  const { issue_number } = await first()
  await page.goto(`/insights?issue=${issue_number}`)
  await mark().waitFor()
  await untilIdle(page)
  await page.keyboard.press('t')
  await page.getByRole('menuitem', { name: 'Planned' }).waitFor()
  expect(await problems()).toEqual([])
  await page.keyboard.press('1')
  await undoFromToast(page, 'Team status: Planned')
  await panel().getByRole('button', { name: 'Team status', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Won’t do' }).click()
  await panel().getByRole('button', { name: 'Team status: Won’t do' }).waitFor()
  expect(await first()).toMatchObject({ issue_number, status: 'created', team_status: 'wont_do' })
  await panel().getByRole('button', { name: 'Push' }).waitFor()
  await showActivity(panel())
  await panel().getByRole('listitem').filter({ hasText: 'Won’t do by Ann' }).waitFor()
  await eachLook('panel', reopen, async () => {
    await page.goto(`/insights?issue=${issue_number}`)
    await mark().click()
    await page.getByRole('menuitem', { name: 'No team status' }).waitFor()
  })
  await page.getByRole('menuitem', { name: 'No team status' }).click()
  await toast(page, 'Team status removed').waitFor()
  await expect.poll(async () => (await first()).team_status).toBeUndefined()
})

test('the table filters by it, and has a column of it if it is chosen', async () => {
  const [one, other] = (await insights()) as [Listed, Listed]
  await call('PUT', '/api/insights/team-status', {
    changes: [
      { issue_number: one.issue_number, team_status: 'in_progress' },
      { issue_number: other.issue_number, team_status: 'shipped' },
    ],
  })
  await page.goto('/insights')
  const head = page.getByRole('columnheader', { name: 'Team status' })
  await page.getByRole('button', { name: 'Team status', exact: true }).click()
  await expect.poll(() => head.count()).toBe(0)
  await page.getByRole('checkbox', { name: /^In progress/ }).check()
  await page.getByRole('status').filter({ hasText: '1 of 3' }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('team')).toBe('in_progress')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Team status' }).check()
  await head.waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row').nth(1).getByText('In progress', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('row').getByText('Shipped', { exact: true }).waitFor()
  expect(await problemsInLooks(page, 'table')).toEqual([])
})
