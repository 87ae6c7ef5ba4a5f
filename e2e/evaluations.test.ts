import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { seedEvals } from '@groundswell/server/demo/evaluations.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { bothThemes, problemsInLooks, widen } from './looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

useAnn()
beforeAll(async () => {
  const { dataDir } = stack.services.config
  await seedEvals(dataDir)
  await writeFile(path.join(dataDir, 'evals', 'unnamed.json'), JSON.stringify(unnamed))
  await writeFile(path.join(dataDir, 'evals', 'broken.json'), '{')
  await writeFile(path.join(dataDir, 'comparisons', 'two-weeks', 'broken.json'), '[7]')
})

const unnamed = {
  evaluators: [{ unique_name: 'Faithful' }, {}],
  response_evaluations: [
    {
      source_metadata: { source_id: 'tickets', datetime_from: '2026-09-14T10:00:00Z', comments: 'a short week' },
      notes: 'Read by hand.',
      issues: ['A quote is not word for word', 'One problem is missing'],
      responses: [{ name: 'one' }],
      rubrics_responses_evaluations: [
        {
          avg_score: 2 / 3,
          rubric_response_evaluations: [{ scores: [1, 1 / 3], graded_rubrics: [{ Exactness: 'not word for word' }] }],
        },
        { avg_score: 1, rubric_response_evaluations: [{ scores: [1], graded_rubrics: [] }] },
      ],
      formatted_user_input: 'We removed 6 people',
    },
  ],
}

const open = async (address: string) => {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto(address)
  return visited
}

/** Makes a call fail like a broken server, until the returned function is called. */
async function failing(page: Page, call: string): Promise<() => Promise<void>> {
  const pattern = `**${call}*`
  await page.route(pattern, (route) => route.fulfill({ status: 500, json: { code: 'internal', message: 'No' } }))
  return () => page.unroute(pattern)
}

const chooseDirectory = async (page: Page, name: string) => {
  await page.locator('option', { hasText: name }).waitFor({ state: 'attached' })
  await page.getByLabel('Directory').selectOption(name)
}

describe('eval', () => {
  test('shows Loading..., then that it failed; a broken file shows why and affects nothing else', async () => {
    const { page, close } = await open('/eval')
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/eval/get_eval*', async (route) => {
      await held
      await route.fulfill({ status: 500, json: { code: 'internal', message: 'No' } })
    })
    await page.locator('option', { hasText: 'unnamed.json' }).waitFor({ state: 'attached' })
    await page.getByLabel('Eval session').selectOption('unnamed.json')
    await page.getByText('Loading...', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    answer()
    await page.getByText('Failed to load eval session.', { exact: true }).waitFor()
    await page.unroute('**/eval/get_eval*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Page 1 of 1', { exact: true }).waitFor()

    await page.getByText('1 file cannot be used').click()
    await page.getByText('broken.json: It is not JSON').waitFor()
    await page.getByLabel('Eval session').selectOption('broken.json')
    await page.getByText('Failed to load eval session. This file cannot be used. It is not JSON.').waitFor()
    await close()
  })
})

test('a directory with a broken file names it and the reason, and the others can be compared', async () => {
  const { page, close } = await open('/comparisons')
  await chooseDirectory(page, 'two-weeks')
  await page.getByText('1 file cannot be used').click()
  await page.getByText('broken.json:').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Generator options' }).isEnabled()).toBe(true)
  await close()
})

test('both have no fault that axe can find, open and shut, in every look', async () => {
  const { page, faults, close } = await open('/eval')
  await page.getByText('No eval selected').waitFor()
  const first = page.getByRole('button', { name: 'Open two-weeks-sentences.json' })
  await first.waitFor()
  expect(await problemsInLooks(page, 'eval-none')).toEqual([])
  await first.click()
  await expect.poll(() => page.getByLabel('Eval session').inputValue()).toBe('two-weeks-sentences.json')
  await page.getByText('Page 1 of 10', { exact: true }).waitFor()
  await page.getByText('1 file cannot be used').waitFor()
  expect(await problemsInLooks(page, 'eval')).toEqual([])
  await page.getByRole('cell').nth(1).getByRole('button').click()
  await page.getByRole('dialog').waitFor()
  expect(await problemsInLooks(page, 'eval-rubrics')).toEqual([])

  await page.goto('/comparisons')
  await page.getByText('No comparison yet').waitFor()
  const directory = page.getByRole('button', { name: 'Open two-weeks' })
  await directory.waitFor()
  expect(await problemsInLooks(page, 'comparisons-none')).toEqual([])
  await directory.click()
  await expect.poll(() => page.getByLabel('Directory').inputValue()).toBe('two-weeks')
  // It is placed where its button is when it opens.
  for (const width of [390, 1440] as const) {
    await widen(page, width)
    await page.getByRole('button', { name: 'Generator options' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'words' }).click()
    expect(await problemsInLooks(page, 'comparisons-menu', { looks: bothThemes(width) })).toEqual([])
    await page.getByRole('menuitemcheckbox', { name: 'words' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Apply Generator Filter' }).click()
  await expect.poll(() => page.getByLabel('Input source').isEnabled()).toBe(true)
  await page.getByLabel('Input source').selectOption('channel-customer-feedback')
  await page.getByText('2026-09-07 - 2026-09-20', { exact: true }).waitFor()
  expect(await problemsInLooks(page, 'comparisons')).toEqual([])
  await failing(page, '/comparison/set_input_filter')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('alert').waitFor()
  expect(await problemsInLooks(page, 'comparisons-failed')).toEqual([])
  expect(faults).toEqual([])
  await close()
})
