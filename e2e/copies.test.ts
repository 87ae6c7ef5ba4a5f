import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks } from './looks.ts'
import { toast } from './toast.ts'
import { call, page, stack, useWorkspace } from './workspace.ts'

type Listed = {
  issue_number: number
  issue_name: string
  mention_count: number
  text_count: number
  author_count: number
}

const COPY = 'The new price list is unfair and the petition against the price list cannot be signed'
const campaign: typeof peopleSaying = Array.from({ length: 9 }, () => ({ about: null, author: 'Bot', text: COPY }))
const copied: typeof peopleSaying = Array.from({ length: 4 }, () => ({
  about: 'export' as const,
  author: 'Kit',
  text: 'The CSV export fails for a large report',
}))

useWorkspace({ file: csvOf([...peopleSaying, ...campaign, ...copied]) })

const insights = async () => (await call('GET', '/api/insights/get-all')) as Listed[]
const about = async (word: RegExp) => (await insights()).find(({ issue_name }) => word.test(issue_name)) as Listed
const row = (name: RegExp) => page.getByRole('row').filter({ hasText: name })
const panel = () => page.getByRole('dialog').first()
const copies = (count: number) => panel().getByRole('button', { name: `${count} identical copies` })
const quotes = () =>
  panel()
    .getByRole('listitem')
    .filter({ has: page.getByRole('blockquote') })

test('copies are folded in the list and in the panel, where they open', async () => {
  const issue = await about(/price|petition/i)
  expect([issue.mention_count, issue.text_count, issue.author_count]).toEqual([9, 1, 1])
  await page.goto('/insights')
  await row(/export/i).waitFor()
  await expect.poll(() => row(/price|petition/i).count()).toBe(0)
  await page.getByRole('button', { name: /^Small/ }).click()
  await row(/price|petition/i)
    .filter({ hasText: '1 text' })
    .waitFor()
  expect(await problemsInLooks(page, 'copies-list')).toEqual([])
  await row(/price|petition/i).click()
  await panel().getByText('9 mentions · 1 text · 1 person').waitFor()
  await copies(9).waitFor()
  await expect.poll(() => quotes().filter({ hasText: 'petition' }).count()).toBe(1)
  await copies(9).scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'copies-panel')).toEqual([])
  await copies(9).click()
  await expect.poll(() => quotes().filter({ hasText: 'petition' }).count()).toBe(9)
})

test('one click takes copies out of an insight with other mentions', async () => {
  const { issue_number, mention_count } = await about(/export/i)
  await page.goto(`/insights?issue=${issue_number}`)
  await copies(4).waitFor()
  expect(await problemsInLooks(page, 'copies-mixed')).toEqual([])
  await panel().getByRole('button', { name: 'Dismiss as spam' }).click()
  await expect.poll(async () => (await about(/export/i)).mention_count, { timeout: 60_000 }).toBe(mention_count - 4)
  await stack.grouped()
})

test('one click deletes an insight that is nothing but copies', async () => {
  const { issue_number } = await about(/price|petition/i)
  await page.goto(`/insights?issue=${issue_number}`)
  await panel().getByRole('button', { name: 'Dismiss as spam' }).click()
  await toast(page, 'Insight deleted').waitFor()
  expect((await insights()).map((one) => one.issue_number)).not.toContain(issue_number)
})
