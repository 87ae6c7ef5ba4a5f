import { expect, test } from 'vitest'
import { untilLoaded } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks } from './looks.ts'
import { page, useWorkspace } from './workspace.ts'

useWorkspace({ config: { authAutoconfirm: true }, file: csvOf(peopleSaying) })

const palette = () => page.getByRole('dialog', { name: 'Command palette' })
const search = () => palette().getByRole('combobox')
const focused = () => page.locator(':focus')
const options = () => palette().getByRole('option')

/** Presses a key until something listens to it: that is fetched after the first look. */
async function press(key: string) {
  await page.evaluate(
    `addEventListener('keydown', (event) => setTimeout(() => { globalThis.isKeyHandled = event.defaultPrevented }))`,
  )
  const isHandled = async () => {
    await page.keyboard.press(key)
    return page.evaluate('new Promise((told) => setTimeout(() => told(globalThis.isKeyHandled)))')
  }
  await expect.poll(isHandled, { timeout: 60_000 }).toBe(true)
}

async function untilSettled() {
  await untilLoaded(page)
  await page.getByRole('link', { name: 'Reports' }).waitFor()
}

/** Opens a screen and, once it is loaded, the palette. */
async function openPalette(path: string, key = 'Control+k') {
  await page.goto(path)
  await untilSettled()
  await press(key)
  await search().waitFor()
}

test('all feedback is an entry of the sidebar below those of the specification, and marked while it is shown', async () => {
  await page.goto('/insights')
  const entries = page.getByRole('navigation', { name: 'Main' })
  await entries.getByRole('link', { name: 'Feedback' }).click()
  await page.getByRole('heading', { name: 'All feedback' }).waitFor()
  await page.getByRole('link', { name: 'Not in an insight' }).click()
  await page.getByRole('heading', { name: 'Feedback not in an insight' }).waitFor()
  await expect.poll(() => entries.locator('[aria-current=page]').allTextContents()).toEqual(['Feedback'])
})

test('the command palette finds an insight from another screen by its words, and by its number', async () => {
  await openPalette('/customers')
  await page.keyboard.type('csv exp')
  const insight = options().filter({ hasText: /csv export/i })
  await insight.waitFor()
  expect(await problemsInLooks(page, 'command-palette')).toEqual([])
  await page.keyboard.press('Enter')
  await palette().waitFor({ state: 'detached' })
  const panel = page.getByRole('dialog')
  await panel.getByRole('heading', { name: /csv export/i }).waitFor()
  const number = new URL(page.url()).searchParams.get('issue')
  await openPalette('/insights?sort=-mentions', 'Meta+k')
  await page.keyboard.type(`#${number}`)
  await insight.click()
  await panel.getByRole('heading', { name: /csv export/i }).waitFor()
  // The list behind it stays as it was.
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-mentions')
})

test('the command palette leads to screens, to parts of the settings, and takes words to all feedback', async () => {
  await openPalette('/insights')
  expect(await problemsInLooks(page, 'command-palette-empty')).toEqual([])
  await page.keyboard.type('deliv')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  await openPalette('/deliveries')
  await page.keyboard.type('notifi')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings/notifications')
  await openPalette('/settings')
  await page.keyboard.type('quokka')
  await options().filter({ hasText: 'Search all feedback for “quokka”' }).click()
  await page.getByText('No messages match “quokka”.').waitFor()
})

test('the command palette opens from a field, closes by its own key and by Escape, and gives the focus back', async () => {
  await openPalette('/insights')
  await page.keyboard.press('Control+k')
  await palette().waitFor({ state: 'detached' })
  const box = page.getByLabel('Search insights')
  await box.focus()
  await page.keyboard.press('Control+k')
  await search().waitFor()
  await search().and(focused()).waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => options().nth(1).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Escape')
  await palette().waitFor({ state: 'detached' })
  await box.and(focused()).waitFor()
})

test('the menu of the user opens the command palette, and its actions work', async () => {
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Account of Ann' }).click()
  await page.getByRole('menuitem', { name: /^Command palette/ }).click()
  await search().fill('theme dark')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
})

test('the keys are listed on every screen, by where they apply', async () => {
  await page.goto('/customers')
  await untilSettled()
  await press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.waitFor()
  await expect
    .poll(() => keys.getByRole('heading', { level: 3 }).allTextContents())
    .toEqual(['On every screen', 'In the list of insights', 'In an open insight', 'On a suggestion in focus'])
  await keys.getByRole('region', { name: 'On every screen' }).getByText('Ctrl K').waitFor()
  const list = keys.getByRole('region', { name: 'All keys' })
  const hidden = await list.evaluate(
    (all) => (all.parentElement?.scrollHeight ?? 0) - (all.parentElement?.clientHeight ?? 0),
  )
  expect(hidden, 'all keys are in view at 1440 × 900').toBeLessThanOrEqual(0)
  expect(await problemsInLooks(page, 'keyboard-shortcuts')).toEqual([])
})
