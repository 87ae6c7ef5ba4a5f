import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { eachLook, problemsInLooks, problemsOf } from './looks.ts'
import { toast, undoFromToast } from './toast.ts'
import { call, page, reopen, stack, useWorkspace } from './workspace.ts'

type Listed = { issue_number: number; issue_name: string; mention_count: number; main_kind?: string }

const fans: typeof peopleSaying = [
  { about: null, author: 'Lea', text: 'I love how easy this app is, thank you' },
  { about: null, author: 'Max', text: 'Great app, I love it!' },
  { about: null, author: 'Nia', text: 'Best app ever, I love it' },
  { about: null, author: 'Ola', text: 'How do I change my password?' },
  { about: null, author: 'Pia', text: 'I would like a printed handbook, please' },
  { about: null, author: 'Qin', text: 'build 5.15.0-b3 downloaded, will report later' },
]

useWorkspace({ file: csvOf([...peopleSaying, ...fans]) })

const insights = async () => (await call('GET', '/api/insights/get-all')) as Listed[]
const exportIssue = async () => (await insights()).find(({ issue_name }) => /export/i.test(issue_name)) as Listed
const problems = () => problemsOf(page)
const kindOf = (row: Locator) => row.getByRole('button', { name: /^Kind: / })
/** The mentions that are in no insight; and one of the insight in the panel. */
const rows = () => page.getByRole('list', { name: 'Mentions not in an insight' }).getByRole('listitem')
const saidBy = (author: string) =>
  page
    .getByRole('dialog')
    .getByRole('listitem')
    .filter({ hasText: author })
    .filter({ has: page.getByRole('blockquote') })
/** Undoes that it is no problem, and waits until it is in its insight: it may have left that before it was undone. */
const undo = async (row: Locator, title: string) => {
  await undoFromToast(page, title)
  await stack.grouped()
  await kindOf(row).filter({ hasText: 'Problem' }).waitFor({ timeout: 60_000 })
}
const count = (kind: string) => page.getByRole('button', { name: new RegExp(`^${kind} [0-9]`) })

test('praise forms no insight; what is in none is counted and filtered by kind', async () => {
  expect(new Set((await insights()).map(({ main_kind }) => main_kind))).toEqual(new Set(['problem', 'request']))
  await page.goto('/ungrouped')
  await count('Praise').click()
  await expect.poll(() => rows().count()).toBe(3)
  await expect.poll(() => kindOf(rows()).allTextContents()).toEqual(Array(3).fill('Kind: Praise'))
  await expect.poll(() => new URL(page.url()).searchParams.get('kind')).toBe('praise')
  await page.getByRole('status').filter({ hasText: '3 mentions' }).waitFor()
  await count('Praise').click()
  await rows().filter({ hasText: 'How do I change my password?' }).waitFor()
  await page.goto('/ungrouped?kind=praise')
  await rows().nth(2).waitFor()
  expect(await problemsInLooks(page, 'ungrouped')).toEqual([])
})

test('one key sets the kind of the mention that has the focus, but not while somebody types', async () => {
  const { issue_number } = await exportIssue()
  await page.goto(`/insights?issue=${issue_number}`)
  const row = saidBy('Cem')
  await row.getByRole('button', { name: 'Correct what Cem said' }).press('4')
  await undo(row, 'Marked as praise')
  await kindOf(row).press('3')
  await undo(row, 'Marked as a question')
  await page.goto('/ungrouped')
  const search = page.getByRole('searchbox').first()
  await search.fill('')
  await search.press('2')
  await expect.poll(() => search.inputValue()).toBe('2')
  // The search for it is over.
  await page
    .getByRole('status')
    .filter({ hasText: / found/ })
    .waitFor()
  await expect.poll(() => page.getByText(/^Marked as/).count()).toBe(0)
})

test('K opens the choice of kinds; a mention said to be praise leaves its insight until the engine decides again', async () => {
  const { issue_number, mention_count } = await exportIssue()
  await page.goto(`/insights?issue=${issue_number}`)
  const row = saidBy('Cem')
  await row.getByRole('button', { name: 'Correct what Cem said' }).press('k')
  await page.getByRole('menuitem', { name: 'Praise' }).waitFor()
  expect(await problems()).toEqual([])
  await page.keyboard.press('4')
  await undo(row, 'Marked as praise')
  await kindOf(row).press('k')
  await page.getByRole('menuitem', { name: 'Praise' }).press('4')
  await toast(page, 'Marked as praise').waitFor()
  const mentions = async () => (await exportIssue()).mention_count
  await expect.poll(mentions, { timeout: 60_000 }).toBe(mention_count - 1)
  await row.waitFor({ state: 'detached', timeout: 60_000 })
  await page.goto('/ungrouped?kind=praise')
  await kindOf(rows().filter({ hasText: 'Cem' })).click()
  await page.getByRole('menuitem', { name: 'Decide automatically' }).click()
  await rows().filter({ hasText: 'Cem' }).waitFor({ state: 'detached' })
  await expect.poll(mentions, { timeout: 60_000 }).toBe(mention_count)
})

test('a kind that a person set can be left to the engine again', async () => {
  await page.goto('/ungrouped')
  const row = rows().filter({ hasText: 'Ola' })
  await row.getByRole('checkbox').press('k')
  await page.getByRole('menuitem', { name: 'Request' }).press('2')
  await kindOf(row).filter({ hasText: 'Request' }).waitFor()
  await kindOf(row).click()
  await page.getByRole('menuitem', { name: 'Decide automatically' }).click()
  await kindOf(row).filter({ hasText: 'Question' }).waitFor()
  expect(await problems()).toEqual([])
})

test('insights are filtered by the kind of most of their mentions, and have a column of it if it is chosen', async () => {
  await page.goto('/insights')
  const head = page.getByRole('columnheader', { name: 'Kind' })
  await page.getByRole('button', { name: 'Kind', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Problem/ }).check()
  await page.getByRole('status').filter({ hasText: '2 of 3' }).waitFor()
  await expect.poll(() => head.count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Kind' }).check()
  await head.waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row').nth(1).getByText('Problem', { exact: true }).waitFor()
  const { issue_number } = await exportIssue()
  await eachLook('insight', reopen, async () => {
    await page.goto(`/insights?issue=${issue_number}`)
    await page
      .getByRole('dialog')
      .getByText(/^[0-9] problems/)
      .waitFor()
    // The mentions are drawn again once it is known how they can be corrected.
    await saidBy('Cem').getByRole('button', { name: 'Correct what Cem said' }).scrollIntoViewIfNeeded()
  })
})
