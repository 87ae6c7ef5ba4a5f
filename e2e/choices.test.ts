import { connectorById } from '@groundswell/connectors/index.ts'
import {
  type Pinboard,
  pinboardConnector,
  replaceConnector,
  startPinboard,
} from '@groundswell/connectors/sandbox/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Look, untilIdle, visit } from './browser.ts'
import { picture, problemsOf } from './looks.ts'
import { browser, stack, useStack } from './workspace.ts'

const DESTINATION = 'linear'
const SOURCE = 'zendesk'
let board: Pinboard
let token: string
let people = 0
const restored: (() => void)[] = []

afterAll(() => board?.stop())
useStack(async () => {
  for (const [id, side] of [
    [DESTINATION, 'destination'],
    [SOURCE, 'source'],
  ] as const) {
    const connector = connectorById(id)
    if (!connector) throw new Error('the connector is missing')
    restored.push(replaceConnector(connector, pinboardConnector(id, side)))
  }
  board = await startPinboard()
  return { config: { baseUrls: { [DESTINATION]: board.url, [SOURCE]: board.url } } }
})
afterAll(async () => {
  for (const restore of restored) restore()
})
beforeEach(async () => {
  people += 1
  token = await stack.signUp({ email: `ann${people}@example.com`, password: 'long enough to pass', name: 'Ann' })
  board.refusal = null
  board.hold = null
})

const tile = (page: Page, id: string) => page.locator(`[data-tile=${id}]`)
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Pinboard' })
const connectionOf = async (id: string) => {
  type Listed = { connectors: { manifest: { id: string }; connection: Record<string, unknown> | null }[] }
  const { connectors } = (await stack.call(token, 'GET', '/api/connectors')) as Listed
  return connectors.find(({ manifest }) => manifest.id === id)?.connection
}
const add = (id: string) => stack.call(token, 'POST', `/api/${id}/add`, { token: board.token })

async function open(look: Look = {}) {
  const visited = await visit(browser, stack.url, { token, ...look })
  await visited.page.goto('/integrations')
  return visited
}

test('a destination is connected, asks where insights go, and takes pushes once that is chosen', async () => {
  const { page, faults, close } = await open()
  await tile(page, DESTINATION).getByRole('button').first().click()
  await page.getByLabel('API token').fill(board.token)
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Confirm' }).click()])
  const panel = panelOf(page)
  await panel.getByRole('heading', { name: 'Where insights go' }).waitFor()
  const project = panel.getByLabel('Project (required)')
  const save = panel.getByRole('button', { name: 'Save' })
  await expect.poll(() => panel.locator('select:focus').count()).toBe(1)
  await expect.poll(() => save.isDisabled()).toBe(true)
  await panel.getByText('Still required: Project').waitFor()
  await expect.poll(() => panel.getByLabel('Card type').count()).toBe(0)

  await project.selectOption('Mobile app')
  await panel.getByLabel('Card type (required)').selectOption('Bug')
  await panel.getByLabel('Title prefix').fill('Feedback:')
  await panel.getByLabel('Start date').fill('2026-02-01')
  await panel.getByLabel('urgent').check()
  await project.selectOption('Billing')
  await panel.getByText('Still required: Card type').waitFor()
  await expect
    .poll(() => panel.getByLabel('Card type (required)').locator('option').allInnerTexts())
    .toEqual(['Choose…', 'Task'])
  await expect.poll(() => save.isDisabled()).toBe(true)
  await panel.getByLabel('Card type (required)').selectOption('Task')
  await save.click()
  await page.getByText('Saved.', { exact: true }).first().waitFor()
  await panel.getByText('Billing').first().waitFor()
  await panel.getByRole('button', { name: 'Change' }).waitFor()
  expect(await connectionOf(DESTINATION)).toMatchObject({ ready: true, status: 'connected' })
  await panel.getByRole('button', { name: 'Close panel' }).click()
  await tile(page, DESTINATION).getByText('Tallybrook · Billing / Task').waitFor()
  await page.getByRole('button', { name: 'Actions for Linear' }).click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await page.getByText('Example data pushed successfully.').first().waitFor()
  expect(board.cards.at(-1)).toMatchObject({ project: 'P2', kind: 'K9', title: expect.stringMatching(/^Feedback: /) })
  expect(faults).toEqual([])
  await close()
})

test('the tile of a source says that nothing is read, leads to the choices, and a search is used with the keyboard', async () => {
  board.notes.push({ id: `n${people}`, project: 'P1', text: 'The app logs me out' })
  await add(SOURCE)
  const { page, faults, close } = await open()
  const panel = panelOf(page)
  await panel.getByRole('heading', { name: 'What to read' }).waitFor()
  await panel.getByRole('button', { name: 'Close panel' }).click()
  await page.reload()
  await tile(page, SOURCE).getByText('Nothing is read yet.').waitFor()
  await untilIdle(page)
  await expect.poll(() => panel.count()).toBe(0)
  await tile(page, SOURCE).getByRole('button', { name: 'Choose what to read' }).click()
  await panel.getByLabel('Project (required)').selectOption('Mobile app')
  await panel.getByLabel('Card type (required)').selectOption('Idea')

  const search = panel.getByRole('combobox', { name: 'Watchers' })
  const options = panel.getByRole('listbox').getByRole('option')
  await search.focus()
  await expect.poll(() => search.getAttribute('aria-expanded')).toBe('false')
  await search.press('ArrowDown')
  await expect.poll(() => options.allInnerTexts()).toEqual(['Ada Byron', 'Ben Cole', 'Cleo Dahl'])
  // The type leads other choices too: its own request lists people again.
  await panel.locator('form [aria-busy=false]').waitFor()
  const before = board.requests.length
  // The clock stands still while someone types, so that no pause between two keys is long enough for a search.
  await page.clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await search.pressSequentially('kim')
  await page.clock.resume()
  await expect.poll(() => options.allInnerTexts()).toEqual(['Kim Lee'])
  expect(board.requests.slice(before).filter((address) => address.includes('/people'))).toHaveLength(1)
  await search.press('ArrowDown')
  await expect.poll(() => search.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
  await search.press('Enter')
  await panel.getByRole('button', { name: 'Remove Kim Lee' }).waitFor()
  await search.pressSequentially('nobody')
  await panel.getByText('Nothing found').first().waitFor()
  await search.press('Escape')
  await expect.poll(() => search.getAttribute('aria-expanded')).toBe('false')
  await expect.poll(() => panel.isVisible()).toBe(true)
  await search.fill('ben')
  await options.filter({ hasText: 'Ben Cole' }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved. Sync started.').first().waitFor()
  await panel.getByText('Kim Lee, Ben Cole').waitFor()
  await expect
    .poll(async () => (await connectionOf(SOURCE))?.['progress'], { timeout: 60_000 })
    .toMatchObject({ read: 1 })
  expect(faults).toEqual([])
  await close()
})

test('loading, a refusal with its reason, and a project without types are shown, and can be tried again', async () => {
  await add(DESTINATION)
  let release = () => {}
  board.hold = { path: '/projects', until: new Promise((resolve) => (release = resolve)) }
  const { page, faults, close } = await open()
  const panel = panelOf(page)
  await panel.getByText('Loading from Pinboard…').waitFor()
  board.refusal = 'Your plan has no API'
  board.hold = null
  release()
  await panel.getByRole('alert').filter({ hasText: 'Your plan has no API' }).waitFor()
  board.refusal = null
  await panel.getByRole('button', { name: 'Try again' }).click()
  await panel.getByLabel('Project (required)').selectOption('Archive')
  await panel.getByText('Nothing found. Pinboard lists none').waitFor()
  await panel.getByText('Still required: Card type').waitFor()
  const [archive] = board.projects.slice(2)
  Object.assign(archive ?? {}, { kinds: [{ id: 'K5', name: 'Note' }] })
  await panel.getByRole('region', { name: 'Card type' }).getByRole('button', { name: 'Try again' }).click()
  await panel.getByLabel('Card type (required)').selectOption('Note')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('button', { name: 'Change' }).waitFor()
  Object.assign(archive ?? {}, { kinds: [] })

  await panel.getByRole('button', { name: 'Change' }).click()
  await expect
    .poll(() => panel.getByLabel('Card type (required)').locator('option').allInnerTexts())
    .toEqual(['Choose…', 'Note (no longer available)'])
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('“Note” is not available').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)('in %s at %i pixels the choices are accessible and within the screen', async (theme, width) => {
  await add(DESTINATION)
  await add(SOURCE)
  const { page, faults, close } = await open({ theme, width })
  const panel = panelOf(page)
  await panel.getByLabel('Project (required)').selectOption('Mobile app')
  await panel.getByRole('combobox', { name: 'Watchers' }).click()
  await panel.getByRole('listbox').getByRole('option').first().waitFor()
  await picture(page, `form-${theme}-${width}`)
  const wrong = await problemsOf(page)
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  await expect.poll(() => page.evaluate(overflow)).toBe(0)
  await panel.getByRole('button', { name: 'Close panel' }).click()
  await tile(page, DESTINATION).getByRole('button', { name: 'Choose where insights go' }).waitFor()
  await tile(page, DESTINATION).scrollIntoViewIfNeeded()
  await picture(page, `tiles-${theme}-${width}`)
  expect([...wrong, ...(await problemsOf(page))]).toEqual([])
  await expect.poll(() => page.evaluate(overflow)).toBe(0)
  expect(faults).toEqual([])
  await close()
})
