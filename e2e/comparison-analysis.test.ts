import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { picture, problemsInLooks } from './looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

const run = (label: string, day: number, names: string[]) => ({
  generator: { label, llm_model_name: label },
  source_id: 'tickets',
  datetime_from: `2026-09-0${day}T00:00:00Z`,
  datetime_to: `2026-09-0${day}T23:59:59Z`,
  formatted_user_input: `said on day ${day}`,
  responses: names.map((name) => ({ name, quotes: ['first quote', 'second quote'] })),
})

useAnn()
beforeAll(async () => {
  const folder = path.join(stack.services.config.dataDir, 'comparisons', 'weekly')
  await mkdir(folder, { recursive: true })
  const runs = [
    run('large', 1, ['The export hangs', '=1+1', 'Receipts are lost']),
    run('small', 1, ['The export fails']),
    run('large', 2, ['Logging in fails']),
    run('small', 2, ['Logging in is slow', 'No dark theme']),
    run('large', 3, ['Search finds nothing']),
    run('small', 3, ['Search finds nothing']),
  ]
  await writeFile(path.join(folder, 'runs.json'), JSON.stringify(runs))
})

test('two generators are compared over all inputs, what is shown is exported, and the state is in the address', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/comparisons?dir=weekly&filtered=1&source=tickets')
  await page.getByText('2026-09-01 - 2026-09-01', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show analysis' }).click()
  await page.getByRole('img', { name: '3 inputs: more across in 1, more up in 1, equal in 1.' }).waitFor()
  expect(await problemsInLooks(page, 'comparisons-analysis')).toEqual([])
  await picture(page.getByRole('region', { name: 'Analysis' }), 'comparisons-analysis-part')
  await page.getByLabel('Up', { exact: true }).selectOption('large')
  await page.getByRole('img', { name: '3 inputs: more across in 0, more up in 0, equal in 3.' }).waitFor()

  for (const [kind, begins, holds] of [
    ['CSV', '\uFEFF"source","from","to","generator","number","name","quotes"\r\n"tickets","2026-09-01"', `,2,"'=1+1",`],
    [
      'JSONL',
      '{"source":"tickets","from":"2026-09-01","to":"2026-09-01","generator":"large","number":1,',
      '"response":{"name":"=1+1",',
    ],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: kind, exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`comparisons-tickets.${kind.toLowerCase()}`)
    const text = await readFile(await download.path(), 'utf8')
    expect(text.slice(0, begins.length)).toBe(begins)
    expect(text).toContain(holds)
  }

  await page.getByRole('button', { name: 'Word by word' }).click()
  await page.getByRole('button', { name: 'Next comparison' }).click()
  await page.getByText('2026-09-02 - 2026-09-02', { exact: true }).waitFor()
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ dir: 'weekly', filtered: '1', source: 'tickets', page: '2', words: '1', analysis: '1', up: 'large' })
  await page.getByLabel('First generator').selectOption('small')
  await page.getByLabel('Measure').selectOption('characters')
  await page.getByRole('switch', { name: 'Differences only' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('different')).toBe('1')
  await page.reload()
  await page.getByRole('button', { name: 'Hide analysis' }).waitFor()
  await expect.poll(() => page.getByLabel('First generator').inputValue()).toBe('1')
  await expect.poll(() => page.getByLabel('Second generator').inputValue()).toBe('1')
  await expect.poll(() => page.getByLabel('Measure').inputValue()).toBe('characters')
  await expect.poll(() => page.getByLabel('Up', { exact: true }).inputValue()).toBe('0')
  await expect.poll(() => page.getByRole('switch', { name: 'Differences only' }).isChecked()).toBe(true)
  await page.getByLabel('First generator').selectOption('large')
  await page.getByRole('region', { name: 'Differences' }).getByText('slow').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('Back from another screen leads to the same comparison', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/comparisons?dir=weekly&filtered=1&source=tickets&page=2')
  const second = page.getByText('2026-09-02 - 2026-09-02', { exact: true })
  await second.waitFor()
  await page.getByRole('link', { name: 'Integrations' }).click()
  await page.getByRole('heading', { name: 'Integrations' }).first().waitFor()
  await page.goBack()
  await second.waitFor()
  await expect.poll(() => page.getByLabel('Input source').inputValue()).toBe('tickets')
  expect(faults).toEqual([])
  await close()
})

test('comparisons that are too large for one reply are loaded page by page, the rest when the analysis is opened', async () => {
  const folder = path.join(stack.services.config.dataDir, 'comparisons', 'large')
  await mkdir(folder, { recursive: true })
  const filler = 'x'.repeat(1.6 * 1024 ** 2)
  const runs = (count: number) =>
    Array.from({ length: count }, (_, index) => index + 1).flatMap((day) => {
      const said = { datetime_from: `2026-08-${String(day).padStart(2, '0')}T00:00:00Z`, filler }
      return [
        { ...run('large', 1, ['One', 'Two']), ...said },
        { ...run('small', 1, ['One']), ...said },
      ]
    })
  const put = (count: number) => writeFile(path.join(folder, 'runs.json'), JSON.stringify({ runs: runs(count) }))
  await put(24)
  const { page, close } = await visit(browser, stack.url, { token })
  const alert = page.getByRole('alert')
  await page.goto('/comparisons?dir=large&filtered=1&source=tickets&page=3')
  await page.getByText('2026-08-03 - 2026-09-01', { exact: true }).waitFor()
  await page.getByText('3 of 24', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('columnheader').allTextContents()).toEqual(['large', 'small'])
  await page.getByRole('button', { name: 'Next comparison' }).click()
  await page.getByText('2026-08-04 - 2026-09-01', { exact: true }).waitFor()

  const refused = (route: Route) => route.fulfill({ status: 500, json: { code: 'internal', message: 'No' } })
  await page.route('**/comparison/pages*', refused)
  await page.goto('/comparisons?dir=large&filtered=1&source=tickets')
  await page.getByText('No comparisons', { exact: true }).waitFor()
  await page.unroute('**/comparison/pages*')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('1 of 24', { exact: true }).waitFor()

  await page.route('**/comparison/pages*', refused)
  await page.getByRole('button', { name: 'Show analysis' }).click()
  await alert.getByText('Failed to load all comparisons.', { exact: true }).waitFor()
  await page.unroute('**/comparison/pages*')
  const held = Promise.withResolvers<void>()
  await page.route('**/comparison/pages*', async (route) => {
    await held.promise
    await route.continue()
  })
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('progressbar', { name: 'Loading all comparisons' }).waitFor()
  await page.getByText('Loading all comparisons: 0 of 24', { exact: true }).waitFor()
  held.resolve()
  await page.getByRole('img', { name: '24 inputs: more across in 24, more up in 0, equal in 0.' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'JSONL', exact: true }).click(),
  ])
  await page.unroute('**/comparison/pages*')
  expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(24 * 3)

  await put(23)
  await page.getByRole('button', { name: 'Hide analysis' }).click()
  await page.getByRole('button', { name: 'Show analysis' }).click()
  await alert.getByText('The comparisons have changed since they were opened.', { exact: true }).waitFor()
  expect(await problemsInLooks(page, 'comparisons-changed')).toEqual([])
  await alert.getByRole('button', { name: 'Load again' }).click()
  await page.getByText('1 of 23', { exact: true }).waitFor()
  await page.getByRole('img', { name: '23 inputs: more across in 23, more up in 0, equal in 0.' }).waitFor()
  await rm(folder, { recursive: true })
  await close()
})
