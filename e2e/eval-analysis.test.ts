import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { picture, problemsInLooks } from './looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

let evals: string

type Row = [source: string, day: string, ...averages: (number | null)[]]

const session = (names: string[], rows: Row[]) => ({
  evaluators: names.map((unique_name) => ({ unique_name })),
  response_evaluations: rows.map(([source_id, day, ...averages]) => ({
    source_metadata: { source_id, datetime_from: `${day}T00:00:00Z` },
    issues: ['A quote is not word for word'],
    rubrics_responses_evaluations: averages.map((avg_score) => ({
      avg_score,
      rubric_response_evaluations: [{ scores: [avg_score], graded_rubrics: [{ Exactness: 'not word for word' }] }],
    })),
    formatted_user_input: `Said in ${source_id} from ${day}`,
  })),
})

const NAMES = ['Quotes are exact', 'Problems are covered', 'Names are distinct']

useAnn()
beforeAll(async () => {
  evals = path.join(stack.services.config.dataDir, 'evals')
})

const put = async () => {
  await mkdir(evals, { recursive: true })
  const before: Row[] = [
    ['tickets', '2026-09-14', 0.8, 0.7, 0.9],
    ['tickets', '2026-09-21', 0.6, 0.5, 0.7],
    ['chat', '2026-09-14', 0.4, 0.6, 0.5],
    ['calls', '2026-09-14', 0.5, 0.5, 0.5],
  ]
  const after: Row[] = [
    ['tickets', '2026-09-14', 0.9, 0.8, 0.9],
    ['tickets', '2026-09-21', 0.6, 0.5, 0.7],
    ['chat', '2026-09-14', 0.2, 0.3, 0.4],
    ['mail', '2026-09-14', 0.7, 0.6, 0.2],
  ]
  await writeFile(path.join(evals, 'before.json'), JSON.stringify(session(NAMES, before)))
  await writeFile(path.join(evals, 'after.json'), JSON.stringify(session(NAMES, after)))
}

const visitAt = async (address: string) => {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto(address)
  return visited
}
const analysis = (page: Page) => page.getByRole('region', { name: 'Analysis' })
const rowsOf = (page: Page) => analysis(page).getByRole('region', { name: 'Rows' }).locator('tbody tr')
const textsOf = async (rows: Locator) =>
  (await rows.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
const scoreCell = (page: Page) => page.getByRole('region', { name: 'Evaluation' }).getByRole('cell').nth(1)

test('without files both screens say how the first run is made', async () => {
  await rm(evals, { recursive: true, force: true })
  const { page, faults, close } = await visitAt('/eval')
  await page.getByText('There are no evaluation files yet.').waitFor()
  await page.getByText('groundswell eval generate').waitFor()
  await page.getByText('groundswell eval grade').waitFor()
  expect(await problemsInLooks(page, 'eval-first-run')).toEqual([])
  await page.goto('/comparisons')
  await page.getByText('There are no comparison directories yet.').waitFor()
  await page.getByText('groundswell eval generate').waitFor()
  expect(await problemsInLooks(page, 'comparisons-first-run')).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('a session is compared with a baseline by row, and the state is in the address', async () => {
  await put()
  const { page, faults, close } = await visitAt('/eval?eval=after.json')
  await page.getByText('Page 1 of 4', { exact: true }).waitFor()
  await expect.poll(() => rowsOf(page).count(), { message: 'the analysis is closed' }).toBe(0)
  await page.getByRole('button', { name: 'Show analysis' }).click()
  await expect.poll(() => rowsOf(page).count()).toBe(4)
  await page.getByLabel('Compare with').selectOption('before.json')
  await expect
    .poll(() => analysis(page).getByRole('status').allTextContents())
    .toEqual(['1 improved1 regressed1 equal1 without a counterpart'])
  await page.getByText('1 row of the baseline has no counterpart here.').waitFor()
  expect(await textsOf(rowsOf(page))).toEqual([
    '1 tickets · 2026-09-140.870.80+0.07 improved',
    '2 tickets · 2026-09-210.600.60equal',
    '3 chat · 2026-09-140.300.50−0.20 regressed',
    '4 mail · 2026-09-140.50––',
  ])
  await page.getByRole('switch', { name: 'Largest regression first' }).click()
  await expect.poll(async () => (await textsOf(rowsOf(page)))[0]).toContain('3 chat')
  await rowsOf(page).first().getByRole('button').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Page 3 of 4', { exact: true }).waitFor()
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({
      eval: 'after.json',
      page: '3',
      analysis: '1',
      baseline: 'before.json',
      order: 'regression',
    })
  await page.reload()
  await page.getByText('Page 3 of 4', { exact: true }).waitFor()
  await expect.poll(async () => (await textsOf(rowsOf(page)))[0]).toContain('3 chat')
  await page.getByText('The most agreement: Quotes are exact and Problems are covered').waitFor()
  await expect
    .poll(() => page.getByRole('region', { name: 'Agreement of evaluators' }).getByRole('cell').nth(2).textContent())
    .toBe('1.00')
  const histogram = page.getByRole('region', { name: 'Scores', exact: true })
  await histogram.getByRole('row', { name: '0.9 – 1.0' }).getByText('2', { exact: true }).waitFor()
  await histogram.getByLabel('Evaluator').selectOption('Problems are covered')
  await histogram.getByRole('row', { name: '0.9 – 1.0' }).getByText('0', { exact: true }).waitFor()
  expect(await problemsInLooks(page, 'eval-analysis')).toEqual([])
  await picture(page.getByRole('region', { name: 'Analysis' }), 'eval-analysis-part')
  await page.getByRole('button', { name: 'Show formatted user input' }).click()
  await page.waitForURL(/input=1/)
  await page.reload()
  await page.getByRole('button', { name: 'Hide formatted user input' }).waitFor()
  await expect.poll(() => histogram.getByLabel('Evaluator').inputValue()).toBe('1')
  await page.getByLabel('Eval session').selectOption('before.json')
  await page.waitForURL(/eval=before/)
  await page.goBack()
  await page.getByText('Page 3 of 4', { exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Eval session').inputValue()).toBe('after.json')
  expect(faults).toEqual([])
  await close()
})

test('a person’s score with its reason is shown over the automatic one, counts, and can be taken back', async () => {
  await put()
  const { page, faults, close } = await visitAt('/eval?eval=after.json&analysis=1')
  await scoreCell(page).getByText('0.90', { exact: true }).first().waitFor()
  await scoreCell(page).getByRole('button').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Quotes are exact' })
  await dialog.getByLabel('Score', { exact: true }).fill('0.3')
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Save score' }).isDisabled(), { message: 'a reason is required' })
    .toBe(true)
  await dialog.getByLabel('Reason').fill('The quote is from another customer')
  expect(await problemsInLooks(page, 'eval-own-score')).toEqual([])
  await dialog.getByRole('button', { name: 'Save score' }).click()
  await dialog.waitFor({ state: 'detached' })
  await scoreCell(page).getByText('0.30', { exact: true }).waitFor()
  await scoreCell(page).getByText('Automatic: 0.90', { exact: true }).waitFor()
  await expect.poll(async () => (await textsOf(rowsOf(page)))[0]).toBe('1 tickets · 2026-09-14Your score0.67')
  await page.getByRole('switch', { name: 'Unreviewed only' }).click()
  await expect.poll(() => rowsOf(page).count()).toBe(3)
  expect(await problemsInLooks(page, 'eval-own-score-shown')).toEqual([])

  await page.reload()
  await scoreCell(page).getByText('0.30', { exact: true }).waitFor()
  await scoreCell(page).getByRole('button').click()
  await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('The quote is from another customer')
  await dialog.getByRole('button', { name: 'Restore automatic score' }).click()
  await dialog.waitFor({ state: 'detached' })
  await scoreCell(page).getByText('0.90', { exact: true }).first().waitFor()
  await expect.poll(() => scoreCell(page).getByText('Automatic').count()).toBe(0)
  await expect.poll(() => rowsOf(page).count()).toBe(4)
  expect(faults).toEqual([])
  await close()
})

test('a baseline that cannot be loaded says so and can be retried', async () => {
  await put()
  const { page, close } = await visitAt('/eval?eval=after.json&analysis=1')
  await expect.poll(() => rowsOf(page).count()).toBe(4)
  await page.route('**/eval/get_eval?filename=before.json', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'No' } }),
  )
  await page.getByLabel('Compare with').selectOption('before.json')
  await page.getByRole('alert').getByText('Failed to load before.json.').waitFor()
  await page.unroute('**/eval/get_eval?filename=before.json')
  await analysis(page).getByRole('button', { name: 'Try again' }).click()
  await page.getByText('1 improved').waitFor()
  await close()
})

test('a session that is too large to be loaded whole is loaded page by page', async () => {
  await put()
  // 1,100 response evaluations of 64 KiB each: more than is returned whole.
  const rows = Array.from({ length: 1_100 }, (_, index): Row => [`source ${index + 1}`, '2026-09-14', 0.8, 0.7, 0.2])
  const { evaluators, response_evaluations: small } = session(NAMES, rows)
  const filler = 'x'.repeat(64 * 1024)
  const large = small.map((row) => ({ ...row, filler }))
  await writeFile(path.join(evals, 'large.json'), JSON.stringify({ evaluators, response_evaluations: large }))
  const { page, close } = await visitAt('/eval?eval=large.json&page=3')
  await page.getByText('Page 3 of 1100', { exact: true }).waitFor()
  await page.getByText('source 3 · 2026-09-14', { exact: true }).waitFor()
  await page.getByText('This session is loaded page by page.').waitFor()
  await expect.poll(() => analysis(page).count(), { message: 'the analysis needs the whole session' }).toBe(0)
  await page.getByRole('cell').nth(3).getByText('0.20', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('source 4 · 2026-09-14', { exact: true }).waitFor()
  await page.route('**/eval/pages*', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'No' } }),
  )
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('alert').getByText('Failed to load eval session.', { exact: true }).waitFor()
  await page.unroute('**/eval/pages*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('source 5 · 2026-09-14', { exact: true }).waitFor()
  await page.getByText('Page 5 of 1100', { exact: true }).waitFor()
  await rm(path.join(evals, 'large.json'))
  await close()
})
