import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { showActivity } from './activity.ts'
import { untilIdle, type Visit, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks, problemsOf } from './looks.ts'
import { hold, toast, undoFromToast } from './toast.ts'
import { browser, stack, useStack } from './workspace.ts'

type Listed = { issue_number: number; issue_name: string; assigned_to?: string }

const PASSWORD = 'long enough to pass'

/** Tokens of the owner, and of a member of the same workspace. */
let ann: string
let bo: string
let issue: number

useStack()
beforeAll(async () => {
  ann = await stack.signUp({ email: 'ann@example.com', password: PASSWORD, name: 'Ann' })
  await stack.call(ann, 'POST', '/api/imports?name=f.csv', csvOf(peopleSaying))
  await stack.grouped()
  bo = await stack.signUp({ email: 'bo@example.com', password: PASSWORD, name: 'Bo Lee' })
  const { link } = (await stack.call(ann, 'POST', '/api/team/invitations', { role: 'member' })) as { link: string }
  await stack.call(bo, 'POST', '/api/invitations/accept', { token: link.split('#invitation=')[1] })
  issue = ((await insights())[0] as Listed).issue_number
})

const insights = async () => (await stack.call(ann, 'GET', '/api/insights/get-all')) as Listed[]
const open = async (token: string, tab?: 'activity'): Promise<Visit> => {
  const made = await visit(browser, stack.url, { token })
  await made.page.goto(`/insights?issue=${issue}${tab ? `&tab=${tab}` : ''}`)
  return made
}
const panelOf = (page: Page) => page.getByRole('dialog').filter({ hasText: `#${issue}` })
const end = async (...visits: Visit[]) => {
  expect(visits.flatMap(({ faults }) => faults)).toEqual([])
  for (const one of visits) await one.close()
}

test('an insight is assigned by two keys, undone, filtered, and several from the bar', async () => {
  const by = await open(ann)
  const { page } = by
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Assign', exact: true }).waitFor()
  await untilIdle(page)
  await page.keyboard.press('a')
  await page.getByRole('menuitem', { name: 'Bo Lee' }).waitFor()
  expect(await problemsOf(page)).toEqual([])
  await page.keyboard.press('2')
  await undoFromToast(page, 'Assigned to Bo Lee')
  await panel.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Bo Lee' }).click()
  await panel.getByRole('button', { name: 'Assigned to Bo Lee' }).waitFor()
  await showActivity(panel)
  await panel.getByRole('listitem').filter({ hasText: 'Assigned to Bo Lee by Ann' }).first().waitFor()

  await page.goto('/insights')
  await page.getByLabel('Assigned', { exact: true }).selectOption({ label: 'Assigned to nobody' })
  await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor()
  await page.getByRole('row').nth(1).hover()
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('region', { name: 'Selected insights' }).getByRole('button', { name: 'Assign' }).click()
  await page.getByRole('menuitem', { name: 'Ann (you)' }).click()
  // Under the pointer it stays until the undo below.
  await hold(toast(page, 'Assigned to you'))
  await page.getByRole('status').filter({ hasText: '0 of 3' }).waitFor()
  await page.getByLabel('Assigned', { exact: true }).selectOption({ label: 'Assigned to me' })
  await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('assigned')).toBe('me')
  await undoFromToast(page, 'Assigned to you')
  await page.getByRole('status').filter({ hasText: '0 of 3' }).waitFor()
  await end(by)
})

test('two people talk about an insight; the one who is mentioned sees it', async () => {
  const by = await open(ann, 'activity')
  const panel = panelOf(by.page)
  const field = panel.getByRole('textbox', { name: 'Write a comment' })
  await panel.getByText('Only your team sees comments.').waitFor()
  await field.fill('See https://example.com/a, javascript:alert(1) ')
  await field.pressSequentially('@le')
  await panel.getByRole('option', { name: 'Bo Lee' }).waitFor()
  expect(await problemsOf(by.page)).toEqual([])
  // Escape closes the list, and then leaves the field: what is written stays, also while another insight is open.
  await field.press('Escape')
  await panel.getByRole('option').waitFor({ state: 'detached' })
  await field.press('Backspace')
  await panel.getByRole('option').waitFor()
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('See https://example.com/a, javascript:alert(1) @Bo Lee ')
  await field.press('Control+Enter')
  const first = panel.getByRole('listitem').filter({ hasText: 'See https://example.com/a' })
  await first.getByText('@Bo Lee', { exact: true }).waitFor()
  expect(
    await first.getByRole('link').evaluateAll((all) => all.map((one) => one.outerHTML.replace(/ class="[^"]*"/, ''))),
  ).toEqual([
    '<a href="https://example.com/a" target="_blank" rel="noopener noreferrer nofollow">https://example.com/a</a>',
  ])
  await expect.poll(() => field.inputValue()).toBe('')

  const other = await open(bo, 'activity')
  const theirs = panelOf(other.page)
  await theirs.getByRole('listitem').filter({ hasText: 'See https://example.com/a' }).waitFor()
  await expect.poll(() => theirs.getByRole('button', { name: /Edit|Delete the comment/ }).count()).toBe(0)
  await theirs.getByRole('textbox', { name: 'Write a comment' }).fill(`Done.${'x'.repeat(5_000)}`)
  await theirs.getByRole('button', { name: 'Comment', exact: true }).click()
  await theirs.getByText('At most 5,000 characters: 5 too many.').waitFor()
  await theirs.getByRole('textbox', { name: 'Write a comment' }).fill('Done')
  await theirs.getByRole('button', { name: 'Comment', exact: true }).click()
  await theirs.getByRole('button', { name: 'Edit your comment' }).click()
  await theirs.getByRole('textbox', { name: 'Edit your comment' }).fill('Done today')
  await theirs.getByRole('button', { name: 'Save' }).click()
  await theirs.getByRole('listitem').filter({ hasText: 'Done today' }).getByText('edited').waitFor()

  await by.page.reload()
  await panel.getByRole('heading', { name: 'Comments 2' }).waitFor()
  await panel.getByRole('tab', { name: 'Activity 2 comments' }).waitFor()
  await end(by, other)
})

test('comments are accessible in every look', async () => {
  const by = await open(ann, 'activity')
  const panel = panelOf(by.page)
  await panel.getByRole('listitem').filter({ hasText: 'Done today' }).scrollIntoViewIfNeeded()
  await panel.getByRole('textbox', { name: 'Write a comment' }).pressSequentially('@')
  await panel.getByRole('option', { name: 'Bo Lee' }).waitFor()
  expect(await problemsInLooks(by.page, 'comments')).toEqual([])
  await end(by)
})

test('an owner deletes any comment', async () => {
  const by = await open(ann, 'activity')
  const panel = panelOf(by.page)
  await panel.getByRole('button', { name: 'Delete the comment of Bo Lee' }).click()
  await by.page.getByRole('dialog', { name: 'Delete the comment?' }).getByRole('button', { name: 'Delete' }).click()
  await panel.getByRole('heading', { name: 'Comments 1' }).waitFor()
  await expect.poll(() => panel.getByText('Done today').count()).toBe(0)
  await end(by)
})

test('the settings have a switch for these mails', async () => {
  const by = await visit(browser, stack.url, { token: ann })
  await by.page.goto('/settings/notifications')
  const choice = by.page.getByRole('switch', { name: 'Assignments and mentions' })
  // Without a mail server they can be turned off, and not on again.
  await choice.click()
  await toast(by.page, 'Settings saved').waitFor()
  await expect.poll(async () => [await choice.isChecked(), await choice.isDisabled()]).toEqual([false, true])
  await end(by)
})
