import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilIdle } from '../browser.ts'
import { optionsOf } from './looks.ts'
import { onBothStacks, onOurServer } from './stacks.ts'

const LIST = 'GET /eval/list_evals'
const GET = 'GET /eval/get_eval'

const select = (page: Page) => page.getByLabel('Eval session')
const choose = async (page: Page, name: string) => {
  await page.locator('option', { hasText: name }).waitFor({ state: 'attached' })
  await select(page).selectOption(name)
}
const previous = (page: Page) => page.getByRole('button', { name: 'Previous page' })
const next = (page: Page) => page.getByRole('button', { name: 'Next page' })
/** Whether each arrow is disabled. */
const ends = async (page: Page) => [await previous(page).isDisabled(), await next(page).isDisabled()]

onBothStacks('eval', (stack) => {
  test('a session opens at its first page, with a column of 120 px for each evaluator, the rubrics of a cell, and the user input', async () => {
    const { page, faults, close } = await stack.open('/eval')
    await page.getByRole('heading', { name: 'Eval', exact: true }).waitFor()
    await expect
      .poll(() => optionsOf(select(page)))
      .toEqual([
        ['Select an eval...', ''],
        ['first.json', 'first.json'],
        ['second.json', 'second.json'],
      ])
    await choose(page, 'first.json')
    await page.getByText('Page 1 of 3', { exact: true }).waitFor()
    expect(stack.front.seen(GET).map(({ query }) => query)).toEqual([{ filename: 'first.json' }])

    await page.getByText('tickets · 2026-09-14 · a short week', { exact: true }).waitFor()
    const heads = page.getByRole('columnheader')
    await expect.poll(() => heads.allTextContents()).toEqual(['Issues', 'Faithful', 'Evaluator 2'])
    await expect.poll(async () => (await heads.nth(1).boundingBox())?.width).toBe(120)
    await page.getByText('Read by hand.').waitFor()
    await expect
      .poll(() => page.getByRole('cell').first().getByRole('listitem').allTextContents())
      .toEqual(['A quote is not word for word', 'One problem is missing'])
    await page.getByRole('cell').nth(1).getByText('0.67', { exact: true }).waitFor()
    await page.getByRole('cell').nth(1).getByText('1.00, 0.33', { exact: true }).waitFor()

    await page.getByRole('cell').nth(1).getByText('0.67', { exact: true }).click()
    const window = page.getByRole('dialog', { name: 'Faithful' })
    await expect.poll(() => window.getByRole('term').allTextContents()).toEqual(['Exactness', 'Score'])
    await expect.poll(() => window.getByRole('definition').allTextContents()).toEqual(['not word for word', '1'])
    await untilIdle(page)
    await page.mouse.click(5, 5)
    await window.waitFor({ state: 'detached' })
    await page.getByRole('cell').nth(2).getByRole('button').click()
    const empty = page.getByRole('dialog', { name: 'Evaluator 2' })
    await empty.getByText('No graded rubrics available.', { exact: true }).waitFor()
    await untilIdle(page)
    await page.mouse.click(5, 5)
    await empty.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Show formatted user input' }).waitFor()
    await expect
      .poll(() => page.getByText('We removed 6 people').count(), { message: 'the user input is collapsed' })
      .toBe(0)
    await page.getByRole('button', { name: 'Show formatted user input' }).click()
    await page.getByText('We removed 6 people').waitFor()

    await next(page).click()
    await page.getByText('Page 2 of 3', { exact: true }).waitFor()
    await page.getByText('chat · 2026-09-21', { exact: true }).waitFor()
    await choose(page, 'second.json')
    await page.getByText('Page 1 of 1', { exact: true }).waitFor()
    await choose(page, 'first.json')
    await page.getByText('Page 1 of 3', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await close()
  })
})

onOurServer('eval while it loads, at its ends and when it fails', (stack) => {
  test('the arrows stop at the ends, and are disabled there and while loading', async () => {
    const { page, close } = await stack.open('/eval')
    const release = stack.front.hold(GET)
    await choose(page, 'first.json')
    await page.getByText('Loading...', { exact: true }).waitFor()
    await expect.poll(() => ends(page)).toEqual([true, true])
    release()
    await page.getByText('Page 1 of 3', { exact: true }).waitFor()
    await expect.poll(() => ends(page)).toEqual([true, false])
    await next(page).click()
    await page.getByText('Page 2 of 3', { exact: true }).waitFor()
    await next(page).click()
    await page.getByText('Page 3 of 3', { exact: true }).waitFor()
    await expect.poll(() => ends(page)).toEqual([false, true])
    await page.locator('h1').click()
    await untilIdle(page)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Page 2 of 3', { exact: true }).waitFor()
    await close()
  })

  test('shows Loading... while a session loads and Failed to load eval session. when it fails, and can be retried', async () => {
    const { page, faults, close } = await stack.open('/eval')
    for (const [fault, file, caption] of [
      [500, 'first.json', 'Page 1 of 3'],
      ['drop', 'second.json', 'Page 1 of 1'],
    ] as const) {
      stack.front.fail(GET, fault)
      const release = stack.front.hold(GET)
      await choose(page, file)
      await page.getByText('Loading...', { exact: true }).waitFor()
      await expect.poll(() => page.getByText('Failed to load eval session.').count()).toBe(0)
      release()
      await page.getByRole('alert').getByText('Failed to load eval session.', { exact: true }).waitFor()
      await expect.poll(() => page.getByText('Loading...', { exact: true }).count()).toBe(0)
      stack.front.restore()
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(caption, { exact: true }).waitFor()
    }
    expect(faults).toEqual([])
    await close()
  })

  test('a list that fails to load is shown as empty', async () => {
    stack.front.fail(LIST, 500)
    const { page, faults, close } = await stack.open('/eval')
    await page.getByText('No eval selected').waitFor()
    await page.getByText('There are no evaluation files yet.').waitFor()
    await expect.poll(() => select(page).locator('option').allTextContents()).toEqual(['Select an eval...'])
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
})
