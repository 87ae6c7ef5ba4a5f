import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { seedEvals } from '@groundswell/server/demo/evaluations.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, visit } from './browser.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
let browser: Browser
let token: string
let member: string

beforeAll(async () => {
  stack = await startStack()
  browser = await launchBrowser()
  token = await stack.signUp({ email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
  member = await stack.signUp({ email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' })
  const { dataDir } = stack.services.config
  await seedEvals(dataDir)
  await writeFile(path.join(dataDir, 'evals', 'unnamed.json'), JSON.stringify(unnamed))
  await writeFile(path.join(dataDir, 'evals', 'broken.json'), '{')
  await writeFile(path.join(dataDir, 'comparisons', 'short-names', 'broken.json'), '[7]')
})
afterAll(async () => {
  await browser.close()
  await stack.stop()
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

const open = async (address: string, look: Parameters<typeof visit>[2] = {}) => {
  const visited = await visit(browser, stack.url, { token, ...look })
  await visited.page.goto(address)
  return visited
}

/** Lets a call fail as a broken server would, until the returned function is called. */
async function failing(page: Page, call: string): Promise<() => Promise<void>> {
  const pattern = `**${call}*`
  await page.route(pattern, (route) => route.fulfill({ status: 500, json: { code: 'internal', message: 'No' } }))
  return () => page.unroute(pattern)
}

const bodiesOf = (page: Page, call: string) => {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(call)) bodies.push(request.postDataJSON())
  })
  return bodies
}

const chooseDirectory = async (page: Page, name: string) => {
  await page.locator('option', { hasText: name }).waitFor({ state: 'attached' })
  await page.getByLabel('Directory').selectOption(name)
}

describe('who sees them', () => {
  test('an administrator has both in the sidebar', async () => {
    const { page, close } = await open('/insights')
    await page.getByRole('link', { name: 'Eval', exact: true }).click()
    await page.getByRole('heading', { name: 'Eval', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Comparisons' }).click()
    await page.getByRole('heading', { name: 'Comparisons' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/comparisons')
    await close()
  })

  test.each(['/eval', '/comparisons'])('anyone else has neither, and %s leads to the insights', async (address) => {
    const { page, close } = await open(address, { token: member })
    await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/insights')
    expect(await page.getByRole('link', { name: /Eval|Comparisons/ }).count()).toBe(0)
    await close()
  })
})

describe('eval', () => {
  test('pages through a session by arrows and keys, which stop at the ends', async () => {
    const { page, faults, close } = await open('/eval')
    const select = page.getByLabel('Eval session')
    expect(await select.locator('option').first().textContent()).toBe('Select an eval...')
    await expect.poll(() => select.locator('option').count()).toBe(5)
    await select.selectOption('2026-10-12-first-prompt.json')
    await page.getByText('Page 1 of 8', { exact: true }).waitFor()
    const [previous, next] = [
      page.getByRole('button', { name: 'Previous page' }),
      page.getByRole('button', { name: 'Next page' }),
    ]
    expect(await previous.isDisabled()).toBe(true)
    await next.click()
    await page.getByText('Page 2 of 8', { exact: true }).waitFor()
    await page.getByText('channel-customer-feedback · 2026-09-07 · A short week: the office').waitFor()
    await page.locator('h1').click()
    for (let at = 2; at < 8; at += 1) await page.keyboard.press('ArrowRight')
    await page.getByText('Page 8 of 8', { exact: true }).waitFor()
    expect(await next.isDisabled()).toBe(true)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Page 7 of 8', { exact: true }).waitFor()

    await select.selectOption('2026-11-09-shorter-prompt.json')
    await page.getByText('Page 1 of 8', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Page 1 of 8', { exact: true }).waitFor()
    expect(await select.inputValue()).toBe('2026-11-09-shorter-prompt.json')
    expect(faults).toEqual([])
    await close()
  })

  test('shows issues, scores to two decimals in columns of 120 px, rubrics in a window, and the input', async () => {
    const { page, close } = await open('/eval?eval=unnamed.json')
    await page.getByText('Page 1 of 1', { exact: true }).waitFor()
    await page.getByText('tickets · 2026-09-14 · a short week', { exact: true }).waitFor()
    const heads = page.getByRole('columnheader')
    expect(await heads.allTextContents()).toEqual(['Issues', 'Faithful', 'Evaluator 2'])
    expect((await heads.nth(1).boundingBox())?.width).toBe(120)
    await page.getByText('Read by hand.').waitFor()
    expect(await page.getByRole('cell').first().getByRole('listitem').allTextContents()).toEqual([
      'A quote is not word for word',
      'One problem is missing',
    ])
    const cell = page.getByRole('cell').nth(1)
    await cell.getByText('0.67', { exact: true }).waitFor()
    await cell.getByText('1.00, 0.33', { exact: true }).click()
    const window = page.getByRole('dialog', { name: 'Faithful' })
    expect(await window.getByRole('term').allTextContents()).toEqual(['Exactness'])
    expect(await window.getByRole('definition').allTextContents()).toEqual(['not word for word'])
    await page.mouse.click(5, 5)
    await window.waitFor({ state: 'detached' })
    await page.getByRole('cell').nth(2).getByRole('button').click()
    await page.getByRole('dialog', { name: 'Evaluator 2' }).getByText('No graded rubrics available.').waitFor()
    await page.keyboard.press('Escape')

    expect(await page.getByText('We removed 6 people').count()).toBe(0)
    await page.getByRole('button', { name: 'Show formatted user input' }).click()
    await page.getByText('We removed 6 people').waitFor()
    await page.getByRole('button', { name: 'Hide formatted user input' }).click()
    expect(await page.getByText('We removed 6 people').count()).toBe(0)
    await close()
  })

  test('says Loading..., then that it failed; a broken file says why and spoils nothing', async () => {
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
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
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

  test('a list that fails is an empty list', async () => {
    const { page, faults, close } = await open('/insights')
    await failing(page, '/eval/list_evals')
    await failing(page, '/eval/problems')
    await page.goto('/eval')
    await page.getByText('No eval is open').waitFor()
    expect(await page.getByLabel('Eval session').locator('option').allTextContents()).toEqual(['Select an eval...'])
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
})

describe('comparisons', () => {
  test('directory, generators, source, sessions: each step opens the next, and a new directory resets all', async () => {
    const { page, faults, close } = await open('/comparisons')
    const filters = bodiesOf(page, '/comparison/set_generator_filter')
    const inputs = bodiesOf(page, '/comparison/set_input_filter')
    const source = page.getByLabel('Input source')
    const apply = page.getByRole('button', { name: 'Apply Generator Filter' })
    const refresh = page.getByRole('button', { name: 'Refresh' })
    expect(await page.getByLabel('Directory').locator('option').first().textContent()).toBe('Select a directory...')
    expect(await page.getByRole('button', { name: 'Load a directory first' }).isDisabled()).toBe(true)
    expect(await apply.isDisabled()).toBe(true)
    expect(await source.isDisabled()).toBe(true)
    expect(await source.locator('option').allTextContents()).toEqual(['Apply generator filter first'])
    expect(await refresh.isDisabled()).toBe(true)

    await chooseDirectory(page, 'weekly-issues')
    await page.getByRole('button', { name: 'Generator options' }).click()
    const menu = page.getByRole('menu')
    const groups = ['LLM Model Names', 'Temperatures', 'Reasonings', 'Verbosities', 'Methods', 'System Prompts']
    for (const group of [...groups, 'Response Classes']) await menu.getByRole('group', { name: group }).waitFor()
    await menu.getByRole('menuitemcheckbox', { name: 'harbor-large' }).click()
    await menu.getByRole('menuitemcheckbox', { name: 'quill-2' }).click()
    await menu.getByRole('menuitemcheckbox', { name: '0.7' }).click()
    await menu.getByRole('menuitemcheckbox', { name: '0.7' }).click()
    expect(await menu.getByRole('menuitemcheckbox', { checked: true }).allTextContents()).toEqual([
      'harbor-large',
      'quill-2',
    ])
    await page.keyboard.press('Escape')
    await apply.click()
    await expect.poll(() => source.locator('option').first().textContent()).toBe('Select input source...')
    expect(filters).toEqual([
      {
        llm_model_names: ['harbor-large', 'quill-2'],
        llm_temperatures: [],
        llm_reasonings: [],
        llm_verbosities: [],
        methods: [],
        system_prompts: [],
        response_classes: [],
      },
    ])
    expect(await refresh.isDisabled()).toBe(true)

    await source.selectOption('channel-customer-feedback')
    await page.getByText('2026-09-14 - 2026-09-20', { exact: true }).waitFor()
    expect(inputs).toEqual([{ input_filter: 'channel-customer-feedback' }])
    const heads = page.getByRole('columnheader')
    expect(await heads.allTextContents()).toEqual([
      'harbor-large, one pass',
      'harbor-large, two passes',
      'quill-2, with priorities',
    ])
    expect((await heads.first().boundingBox())?.width).toBeGreaterThanOrEqual(280)
    await page.getByRole('heading', { name: 'Formatted User Input' }).waitFor()
    expect(await page.getByRole('button', { name: 'Previous comparison' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Next comparison' }).click()
    await page.getByText('2026-10-05 - 2026-10-11', { exact: true }).waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('ArrowRight')
    await page.getByText('2026-10-26 - 2026-11-01', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Next comparison' }).isDisabled()).toBe(true)

    await refresh.click()
    await expect.poll(() => inputs.length).toBe(2)
    await expect.poll(() => refresh.isEnabled()).toBe(true)
    await source.selectOption('channel-beta-testers')
    await page.getByText('2026-09-14 - 2026-09-20', { exact: true }).waitFor()

    await chooseDirectory(page, 'short-names')
    await page.getByText('1 file cannot be used').waitFor()
    expect(await source.locator('option').allTextContents()).toEqual(['Apply generator filter first'])
    expect(await page.getByRole('columnheader').count()).toBe(0)
    expect(await refresh.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Generator options' }).click()
    expect(await page.getByRole('menuitemcheckbox', { checked: true }).count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('each failure is told in its own words, and can be tried again', async () => {
    const { page, close } = await open('/comparisons')
    const told = (message: string) => page.getByRole('alert').getByText(message, { exact: true }).waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    for (const call of ['/comparison/set_dir', '/comparison/get_generator_options']) {
      const mend = await failing(page, call)
      await chooseDirectory(page, 'short-names')
      await told('Failed to set directory or load generator options.')
      expect(await page.getByRole('button', { name: 'Load a directory first' }).isDisabled()).toBe(true)
      await mend()
      await again.click()
      await page.getByRole('button', { name: 'Generator options' }).waitFor()
      await page.getByLabel('Directory').selectOption('')
    }
    await chooseDirectory(page, 'short-names')
    for (const call of ['/comparison/set_generator_filter', '/comparison/get_input_options']) {
      const mend = await failing(page, call)
      await page.getByRole('button', { name: 'Apply Generator Filter' }).click()
      await told('Failed to set generator filter.')
      await mend()
    }
    await again.click()
    const source = page.getByLabel('Input source')
    await expect.poll(() => source.isEnabled()).toBe(true)
    const mendInput = await failing(page, '/comparison/set_input_filter')
    await source.selectOption({ index: 1 })
    await told('Failed to set input filter.')
    await mendInput()
    await again.click()
    await page.getByRole('columnheader').first().waitFor()

    for (const call of ['/comparison/set_input_filter', '/comparison/get_comparison_sessions']) {
      const mend = await failing(page, call)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await told('Failed to refresh comparisons.')
      await mend()
    }
    expect(await page.getByRole('columnheader').count()).toBe(0)
    await again.click()
    await page.getByRole('columnheader').first().waitFor()

    await failing(page, '/comparison/get_comparison_sessions')
    await source.selectOption({ index: 2 })
    await page.getByText('No comparisons', { exact: true }).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    await close()
  })

  test('a list that fails is an empty list', async () => {
    const { page, close } = await open('/insights')
    await failing(page, '/comparison/get_dir_options')
    await page.goto('/comparisons')
    await page.getByText('Nothing is compared yet').waitFor()
    expect(await page.getByLabel('Directory').locator('option').allTextContents()).toEqual(['Select a directory...'])
    await close()
  })
})

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  const faultsOf = async (page: Page) => {
    const { violations } = await new AxeBuilder({ page }).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
  }

  test.each([1440, 390] as const)('both have no fault that axe can find, open and shut, at %i px', async (width) => {
    const look = async (name: string) => {
      expect([name, await faultsOf(page)]).toEqual([name, []])
      const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      expect([name, wide]).toEqual([name, false])
    }
    const { page, faults, close } = await open('/eval', { theme, width })
    await page.getByText('No eval is open').waitFor()
    await look('eval-none')
    await page.getByLabel('Eval session').selectOption('2026-10-12-first-prompt.json')
    await page.getByText('Page 1 of 8', { exact: true }).waitFor()
    await page.getByText('1 file cannot be used').waitFor()
    await look('eval')
    await page.getByRole('cell').nth(1).getByRole('button').click()
    await page.getByRole('dialog').waitFor()
    await look('eval-rubrics')

    await page.goto('/comparisons')
    await page.getByText('Nothing is compared yet').waitFor()
    await look('comparisons-none')
    await chooseDirectory(page, 'weekly-issues')
    await page.getByRole('button', { name: 'Generator options' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'quill-2' }).click()
    await look('comparisons-menu')
    await page.getByRole('menuitemcheckbox', { name: 'quill-2' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Apply Generator Filter' }).click()
    await expect.poll(() => page.getByLabel('Input source').isEnabled()).toBe(true)
    await page.getByLabel('Input source').selectOption('channel-customer-feedback')
    await page.getByText('2026-09-14 - 2026-09-20', { exact: true }).waitFor()
    await look('comparisons')
    await failing(page, '/comparison/set_input_filter')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('alert').waitFor()
    await look('comparisons-failed')
    expect(faults).toEqual([])
    await close()
  })
})
