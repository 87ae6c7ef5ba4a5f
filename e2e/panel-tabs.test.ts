import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { untilIdle, type Visit, visit } from './browser.ts'
import { connectAsOwner } from './database.ts'
import { problemsInLooks } from './looks.ts'
import { seed } from './seed.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

const MENTIONS = 64

useAnn()
beforeAll(async () => {
  await seed(stack, 'ann@example.com', { insights: 8, mentions: MENTIONS })
  const client = await connectAsOwner(stack)
  await client.query(
    `select set_config('groundswell.workspace', (select workspace_id::text from session limit 1), false)`,
  )
  await client.query(`update feedback_item set place = null where external_id like '2-%'`)
  await client.end()
})

async function open(path: string, look: { width?: 390 } = {}): Promise<Visit> {
  const visited = await visit(browser, stack.url, { token, ...look })
  await visited.page.goto(path)
  return visited
}

const panelOf = (page: Page) => page.getByRole('dialog').first()
const tab = (page: Page, name: string) => panelOf(page).getByRole('tab', { name })
const tabOf = (page: Page) => new URL(page.url()).searchParams.get('tab')
/** The mentions in the panel, by their links. */
const links = (page: Page) =>
  panelOf(page)
    .getByRole('link', { name: /^Open the original/ })
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))

test('an insight opens with its summary and evidence; ten mentions at once, none of them twice, and all as one scrolls', async () => {
  const { page, faults, close } = await open('/insights?issue=1')
  const panel = panelOf(page)
  await panel.getByText('Customers say that this happens again').waitFor()
  await panel.getByRole('heading', { name: `Evidence ${MENTIONS}` }).waitFor()
  const quotes = panel.getByRole('group', { name: 'Newest quotes' })
  await panel
    .getByRole('button', { name: /^Correct what/ })
    .first()
    .waitFor()
  await expect.poll(() => quotes.getByRole('listitem').count()).toBe(3)
  await expect.poll(() => links(page)).toHaveLength(10)
  await quotes.getByRole('button', { name: `Go to all ${MENTIONS} mentions` }).click()
  await panel
    .getByRole('heading', { name: `Evidence ${MENTIONS}` })
    .and(page.locator(':focus'))
    .waitFor()
  await expect
    .poll(async () => {
      const more = panel.getByRole('button', { name: `Show more of ${MENTIONS} mentions` })
      if ((await more.count()) > 0) await more.scrollIntoViewIfNeeded()
      return (await links(page)).length
    })
    .toBe(MENTIONS)
  expect(new Set(await links(page)).size).toBe(MENTIONS)
  expect(faults).toEqual([])
  await close()
})

test('the source of a mention is shown where there are several', async () => {
  const { page, close } = await open('/insights?issue=1')
  const panel = panelOf(page)
  await panel.getByText('File · #support').waitFor()
  await panel.getByRole('listitem').filter({ hasText: 'Hello!' }).getByText('#support').first().waitFor()
  await page.goto('/insights?issue=2')
  await panel.getByRole('heading', { name: 'Sources 1' }).waitFor()
  await expect
    .poll(() => panel.getByRole('listitem').filter({ hasText: 'Hello!' }).filter({ hasText: 'File' }).count())
    .toBe(0)
  await close()
})

test('Activity has comments, deliveries and the history; it is chosen by keys, is in the address, and another insight begins with Insight', async () => {
  const { page, faults, close } = await open('/insights?issue=1')
  const panel = panelOf(page)
  await tab(page, 'Insight').focus()
  await page.keyboard.press('ArrowRight')
  await tab(page, 'Activity').and(page.locator(':focus')).waitFor()
  await panel.getByRole('textbox', { name: 'Write a comment' }).waitFor()
  await panel.getByText('Not sent to any destination yet.').waitFor()
  await panel.getByRole('heading', { name: 'History' }).waitFor()
  await expect.poll(() => panel.getByRole('heading', { name: /^Evidence/ }).count()).toBe(0)
  expect(tabOf(page)).toBe('activity')
  expect(await problemsInLooks(page, 'activity')).toEqual([])
  await page.reload()
  await panel.getByRole('textbox', { name: 'Write a comment' }).waitFor()
  await untilIdle(page)
  await tab(page, 'Activity').press('ArrowLeft')
  await panel.getByRole('heading', { name: /^Evidence/ }).waitFor()
  expect(tabOf(page)).toBeNull()
  await tab(page, 'Insight').press('ArrowRight')
  await panel.getByRole('textbox', { name: 'Write a comment' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Dark mode for the dashboard 2' }).click()
  await panel.getByRole('heading', { name: 'Dark mode for the dashboard 2' }).waitFor()
  await panel.getByRole('heading', { name: /^Evidence/ }).waitFor()
  expect(tabOf(page)).toBeNull()
  await tab(page, 'Activity').click()
  await panel.getByRole('button', { name: 'Close panel' }).click()
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).search).toBe('')
  expect(faults).toEqual([])
  await close()
})

test('the tabs stay in view while the panel scrolls, and are accessible in every look', async () => {
  const { page, faults, close } = await open('/insights?issue=1', { width: 390 })
  const panel = panelOf(page)
  await panel.getByRole('button', { name: /^Go to all/ }).click()
  const heading = panel.getByRole('heading', { name: /^Evidence/ })
  await heading.and(page.locator(':focus')).waitFor()
  const [tabs, below] = [await panel.getByRole('tablist').boundingBox(), await heading.boundingBox()]
  expect(below?.y ?? 0).toBeGreaterThanOrEqual((tabs?.y ?? 0) + (tabs?.height ?? 0))
  expect(await problemsInLooks(page, 'panel-scrolled')).toEqual([])
  expect(faults).toEqual([])
  await close()
})
