import type pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks } from './looks.ts'
import { page, stack, useWorkspace } from './workspace.ts'

useWorkspace({ file: csvOf(peopleSaying) })

let holding: { client: pg.PoolClient; pool: pg.Pool } | null = null
/** Nothing that runs can store an answer until `letGo`. */
async function hold(): Promise<void> {
  const pool = stack.services.db.directPool(1, 'the test')
  const client = await pool.connect()
  holding = { client, pool }
  await client.query('begin')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query('lock table evaluation_answer in exclusive mode')
}
/** How many wait for something that is locked. */
async function waiting(): Promise<number> {
  const found = await holding?.client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return found?.rows[0]?.n ?? 0
}
async function letGo(): Promise<void> {
  const held = holding
  holding = null
  if (!held) return
  await held.client.query('rollback')
  held.client.release()
  await held.pool.end()
}
afterEach(letGo)

test('an admin starts a run, sees it go on, compares its answers, grades them and opens the session', async () => {
  await page.goto('/comparisons')
  await page.getByText('There are no comparison directories yet.').waitFor()
  await page.getByRole('button', { name: 'New run' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New run' })
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("maxlength")')).toBe('80')
  await dialog.getByLabel('Name').fill('first look')
  for (const other of await dialog.getByRole('checkbox', { name: /^Sentences/ }).all()) await other.uncheck()
  await dialog.getByLabel('Length of a window').selectOption({ label: 'A week' })
  await dialog.getByText(/^11 messages in 2 windows: 2 answers\. No language model is called\.$/).waitFor()
  expect(await problemsInLooks(page, 'new-run')).toEqual([])

  await hold()
  await dialog.getByRole('button', { name: 'Start run' }).focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('progressbar', { name: 'Progress of first look' }).waitFor()
  await page.getByText('0 of 2 answers').waitFor()
  await page.getByRole('button', { name: 'Cancel first look' }).click()
  // Either waits for the answer that is being stored, which waits too.
  const cancelled = page.getByText('Cancelled', { exact: true })
  await expect.poll(async () => (await cancelled.isVisible()) || (await waiting()) === 2).toBe(true)
  await letGo()
  await cancelled.waitFor()
  await page.getByText(/[01] of 2 answers/).waitFor()

  await page.getByRole('button', { name: 'Resume first look' }).click()
  await page.getByText('Finished', { exact: true }).waitFor()
  await page.getByText('2 of 2 answers').waitFor()
  expect(await problemsInLooks(page, 'runs')).toEqual([])
  await page.getByRole('button', { name: 'Compare first look' }).click()
  await expect.poll(() => page.getByLabel('Directory').inputValue()).toBe('workspace/first look')
  await page.getByText('Choose an input source.').waitFor()
  await page.getByLabel('Input source').selectOption({ index: 1 })
  await page.getByText('1 of 2', { exact: true }).waitFor()
  await page.getByText(/Ann: The CSV export fails for large reports/).waitFor()

  await page.goto('/eval')
  await page.getByRole('button', { name: 'Grade a run' }).focus()
  await page.keyboard.press('Enter')
  const grading = page.getByRole('dialog', { name: 'Grade a run' })
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('SELECT')
  expect(await problemsInLooks(page, 'grade-run')).toEqual([])
  await grading.getByRole('button', { name: 'Start grading' }).click()
  await grading.waitFor({ state: 'detached' })
  await page.getByText('Graded', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Open words of first look' }).click()
  await page.getByText('Page 1 of 2', { exact: true }).waitFor()
  await page.getByRole('columnheader', { name: 'Quotes are real' }).waitFor()
  await expect.poll(() => page.getByLabel('Eval session').inputValue()).toBe('workspace/first look/words.json')

  await page.goto('/comparisons')
  await page.getByRole('button', { name: 'Delete first look' }).click()
  await page.getByRole('button', { name: 'Delete first look' }).waitFor({ state: 'detached' })
  await page.getByText('There are no comparison directories yet.').waitFor()
})
