import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilIdle } from '../browser.ts'
import { untilAnswered } from './held-reply.ts'
import { optionsOf } from './looks.ts'
import { onBothStacks, onOurServer, type SpecStack } from './stacks.ts'

const SET_DIR = 'POST /comparison/set_dir'
const OPTIONS = 'GET /comparison/get_generator_options'
const SET_FILTER = 'POST /comparison/set_generator_filter'
const INPUTS = 'GET /comparison/get_input_options'
const SET_INPUT = 'POST /comparison/set_input_filter'
const SESSIONS = 'GET /comparison/get_comparison_sessions'

const directory = (page: Page) => page.getByLabel('Directory')
const source = (page: Page) => page.getByLabel('Input source')
const apply = (page: Page) => page.getByRole('button', { name: 'Apply Generator Filter' })
const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh' })
const generators = (page: Page) => page.getByRole('button', { name: 'Generator options' })
const next = (page: Page) => page.getByRole('button', { name: 'Next comparison' })
const previous = (page: Page) => page.getByRole('button', { name: 'Previous comparison' })
/** Whether each arrow is disabled. */
const ends = async (page: Page) => [await previous(page).isDisabled(), await next(page).isDisabled()]
const chooseDirectory = async (page: Page, name: string) => {
  await directory(page).locator('option', { hasText: name }).waitFor({ state: 'attached' })
  await directory(page).selectOption(name)
}
const bodies = (stack: SpecStack, call: string) => stack.front.seen(call).map(({ body }) => body)
const waitForAlert = (page: Page, words: string) => page.getByRole('alert').getByText(words, { exact: true }).waitFor()

/** The choices of each group of a checklist. */
const choicesOf = async (groups: Locator) =>
  Promise.all((await groups.all()).map((group) => group.getByRole('menuitemcheckbox').allTextContents()))

/** The width of each column. */
const widthsOf = async (page: Page) =>
  Promise.all((await page.getByRole('columnheader').all()).map(async (head) => (await head.boundingBox())?.width ?? 0))

/** Opens the comparisons of the tickets. */
async function toTickets(page: Page) {
  await chooseDirectory(page, 'weekly')
  await generators(page).waitFor()
  await apply(page).click()
  await expect.poll(() => source(page).isEnabled()).toBe(true)
  await source(page).selectOption('tickets')
  await page.getByText('2026-09-14 - 2026-09-20', { exact: true }).waitFor()
}

onBothStacks('comparisons', (stack) => {
  test('a source shows a column of at least 280 px for each generator, date ranges and the input; the arrows stop at the ends', async () => {
    const { page, faults, close } = await stack.open('/comparisons')
    await toTickets(page)
    expect(bodies(stack, SET_INPUT)).toEqual([{ input_filter: 'tickets' }])
    const heads = page.getByRole('columnheader')
    await expect.poll(() => heads.allTextContents()).toEqual(['alpha, one pass', 'beta, two passes'])
    expect(Math.min(...(await widthsOf(page)))).toBeGreaterThanOrEqual(280)
    for (const [column, name] of ['The export hangs on large reports', 'The export fails on large reports'].entries()) {
      const cell = page.getByRole('cell').nth(column)
      await expect.poll(() => cell.getByRole('term').allTextContents()).toEqual(['name', 'evidence'])
      await expect.poll(() => cell.getByRole('definition').first().textContent()).toBe(name)
      const quotes = cell.getByRole('definition').nth(1).getByRole('listitem')
      await expect.poll(() => quotes.allTextContents()).toEqual(['first quote', 'second quote'])
    }
    await page.getByRole('heading', { name: 'Formatted User Input' }).waitFor()
    await page.getByText('What was said in tickets from 2026-09-14', { exact: true }).waitFor()
    await expect.poll(() => ends(page)).toEqual([true, false])
    await next(page).click()
    await page.getByText('2026-10-05 - 2026-10-11', { exact: true }).waitFor()
    await expect.poll(() => ends(page)).toEqual([false, true])
    await page.locator('h1').click()
    await untilIdle(page)
    await page.keyboard.press('ArrowLeft')
    await page.getByText('2026-09-14 - 2026-09-20', { exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(async () => Math.min(...(await widthsOf(page))), { message: 'also on a phone' }).toBe(280)
    expect(faults).toEqual([])
    await close()
  })
})

onOurServer('the steps of the comparisons', (stack) => {
  test('until a directory is chosen, all after it is disabled; then seven groups of options are a checklist, and what is ticked is the filter', async () => {
    const { page, faults, close } = await stack.open('/comparisons')
    await page.getByRole('heading', { name: 'Comparisons', exact: true }).waitFor()
    await expect
      .poll(async () => (await optionsOf(directory(page))).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      .toEqual([
        ['Select a directory...', ''],
        ['nightly', 'nightly'],
        ['weekly', 'weekly'],
      ])
    await expect.poll(() => page.getByRole('button', { name: 'Load a directory first' }).isDisabled()).toBe(true)
    await expect.poll(() => apply(page).isDisabled()).toBe(true)
    await expect.poll(() => source(page).isDisabled()).toBe(true)
    await expect.poll(() => source(page).locator('option').allTextContents()).toEqual(['Apply generator filter first'])
    await expect.poll(() => refresh(page).isDisabled()).toBe(true)

    await chooseDirectory(page, 'weekly')
    await generators(page).click()
    expect(bodies(stack, SET_DIR)).toEqual([{ dir_name: 'weekly' }])
    const menu = page.getByRole('menu')
    const groups = menu.getByRole('group')
    await groups.first().waitFor()
    expect(await groups.evaluateAll((all) => all.map((group) => group.getAttribute('aria-label')))).toEqual([
      'LLM Model Names',
      'Temperatures',
      'Reasonings',
      'Verbosities',
      'Methods',
      'System Prompts',
      'Response Classes',
    ])
    await expect
      .poll(() => choicesOf(groups))
      .toEqual([
        ['alpha', 'beta'],
        ['0.2', '0.7'],
        ['low'],
        ['medium'],
        ['one-pass', 'two-pass'],
        ['You read customer feedback'],
        ['Issue'],
      ])
    await expect.poll(() => menu.getByRole('menuitemcheckbox', { checked: true }).count()).toBe(0)
    await menu.getByRole('menuitemcheckbox', { name: 'alpha' }).click()
    await menu.getByRole('menuitemcheckbox', { name: '0.7' }).click()
    await menu.getByRole('menuitemcheckbox', { name: '0.7' }).click()
    await page.keyboard.press('Escape')
    await apply(page).click()
    // Only alpha answered both; what beta alone answered is not among them.
    await expect
      .poll(() => optionsOf(source(page)))
      .toEqual([
        ['Select input source...', ''],
        ['chat', 'chat'],
        ['tickets', 'tickets'],
      ])
    expect(stack.front.seen(INPUTS)).toHaveLength(1)
    expect(bodies(stack, SET_FILTER)).toEqual([
      {
        llm_model_names: ['alpha'],
        llm_temperatures: [],
        llm_reasonings: [],
        llm_verbosities: [],
        methods: [],
        system_prompts: [],
        response_classes: [],
      },
    ])
    await expect.poll(() => refresh(page).isDisabled()).toBe(true)
    expect(faults).toEqual([])
    await close()
  })

  test('Refresh sets the filter again and reloads; a new source starts at the first comparison, a new directory clears all after it', async () => {
    const { page, close } = await stack.open('/comparisons')
    await toTickets(page)
    const loaded = stack.front.seen(SESSIONS).length
    // The reply would lead back to the first comparison.
    await untilAnswered(stack, SESSIONS, refresh(page), () => refresh(page).click())
    expect(stack.front.seen(SESSIONS)).toHaveLength(loaded + 1)
    expect(bodies(stack, SET_INPUT), 'Refresh sets the filter again').toEqual([
      { input_filter: 'tickets' },
      { input_filter: 'tickets' },
    ])
    await next(page).click()
    await page.getByText('2026-10-05 - 2026-10-11', { exact: true }).waitFor()
    await source(page).selectOption('chat')
    await page.getByText('Logging in fails').first().waitFor()
    await expect
      .poll(() => previous(page).isDisabled(), { message: 'a new source starts at the first comparison' })
      .toBe(true)
    await generators(page).click()
    await page.getByRole('menuitemcheckbox', { name: 'alpha' }).click()
    await page.keyboard.press('Escape')
    await chooseDirectory(page, 'nightly')
    await generators(page).click()
    await page.getByRole('menuitemcheckbox', { name: 'beta' }).waitFor()
    await expect
      .poll(() => page.getByRole('menuitemcheckbox', { checked: true }).count(), { message: 'nothing is ticked' })
      .toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => source(page).locator('option').allTextContents()).toEqual(['Apply generator filter first'])
    await expect
      .poll(() => page.getByRole('columnheader').count(), { message: 'a new directory clears the comparisons' })
      .toBe(0)
    await expect.poll(() => refresh(page).isDisabled()).toBe(true)
    await close()
  })

  test('each failure has its own message; sessions that cannot be loaded clear the comparisons', async () => {
    const { page, faults, close } = await stack.open('/comparisons')
    for (const call of [SET_DIR, OPTIONS]) {
      stack.front.fail(call, 500)
      await chooseDirectory(page, 'weekly')
      await waitForAlert(page, 'Failed to set directory or load generator options.')
      await expect.poll(() => page.getByRole('button', { name: 'Load a directory first' }).isDisabled()).toBe(true)
      stack.front.restore()
      await directory(page).selectOption('')
    }
    await chooseDirectory(page, 'weekly')
    await generators(page).waitFor()
    for (const call of [SET_FILTER, INPUTS]) {
      stack.front.fail(call, 'drop')
      await apply(page).click()
      await waitForAlert(page, 'Failed to set generator filter.')
      stack.front.restore()
    }
    await apply(page).click()
    await expect.poll(() => source(page).isEnabled()).toBe(true)
    stack.front.fail(SET_INPUT, 500)
    await source(page).selectOption('tickets')
    await waitForAlert(page, 'Failed to set input filter.')
    stack.front.restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('columnheader').first().waitFor()
    for (const call of [SET_INPUT, SESSIONS]) {
      stack.front.fail(call, 500)
      await refresh(page).click()
      await waitForAlert(page, 'Failed to refresh comparisons.')
      stack.front.restore()
    }
    await refresh(page).click()
    await page.getByRole('columnheader').first().waitFor()
    stack.front.fail(SESSIONS, 500)
    await source(page).selectOption('chat')
    await page.getByText('No comparisons', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('columnheader').count(), { message: 'the comparisons are cleared' }).toBe(0)
    await expect
      .poll(() => page.getByRole('alert').count(), { message: 'sessions that cannot be loaded are no failure' })
      .toBe(0)
    expect(faults).toEqual([])
    await close()
  })
})
