import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilIdle } from '../browser.ts'
import { onOurServer, type SpecStack } from './stacks.ts'

const USER_DATA = 'GET /api/user/user-data'

const toasts = (page: Page) => page.locator('li.toast')

/** On the integrations, where a click on the Slack tile shows a toast of the usual duration. */
async function beforeSlack(stack: SpecStack) {
  stack.front.fail('GET /api/connectors', 404)
  stack.front.answer(USER_DATA, {
    name: 'Ann',
    email: 'ann@example.com',
    is_admin: true,
    settings: { method: 'auto', min_inputs: 3, categories: [] },
    slack_data: { access_token: null, team: { name: 'Tallybrook' } },
  })
  const visited = await stack.open('/integrations', { own: true })
  const tile = visited.page.locator('[data-tile=slack]')
  await tile.getByText('Tallybrook').waitFor()
  return { ...visited, raise: () => tile.getByRole('button').first().click() }
}

onOurServer('toasts', (stack) => {
  test('one is shown at a time, for 5 s', async () => {
    const { page, raise, close } = await beforeSlack(stack)
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await raise()
    await toasts(page).waitFor()
    await page.clock.runFor(3_000)
    await raise()
    await page.mouse.move(5, 5)
    await expect.poll(() => toasts(page).count()).toBe(1)
    await page.clock.runFor(5_000 - 100)
    await expect.poll(() => toasts(page).count()).toBe(1)
    await page.clock.runFor(200)
    await expect.poll(() => toasts(page).count()).toBe(0)
    await close()
  })

  test('a swipe of less than 50 px snaps back, a longer one closes it', async () => {
    const { page, raise, close } = await beforeSlack(stack)
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await raise()
    await toasts(page).waitFor()
    const box = await toasts(page).boundingBox()
    if (!box) throw new Error('no toast')
    // The pointer is on the toast also while it glides back from where the first swipe left it.
    const [x, y] = [box.x + 120, box.y + box.height / 2]
    const swipe = async (by: number) => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + by / 2, y, { steps: 4 })
      await page.mouse.move(x + by, y, { steps: 4 })
      await page.mouse.up()
    }
    await swipe(50 - 2)
    await expect.poll(() => toasts(page).getAttribute('data-swipe')).toBe('cancel')
    await expect.poll(() => toasts(page).count()).toBe(1)
    await swipe(50 + 2)
    await expect.poll(() => toasts(page).count()).toBe(0)
    await close()
  })

  test('typing in a menu finds an entry, and starts over after 1 s', async () => {
    const { page, close } = await beforeSlack(stack)
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.getByRole('button', { name: 'Actions for Slack' }).click()
    await page.getByRole('menuitem', { name: 'Test' }).waitFor()
    await untilIdle(page)
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await page.keyboard.press('d')
    await page.clock.runFor(50)
    await expect.poll(focused).toBe('Disconnect')
    await page.clock.runFor(900)
    await page.keyboard.press('t')
    await page.clock.runFor(50)
    expect(await focused()).toBe('Disconnect')
    await page.clock.runFor(1_000)
    await page.keyboard.press('t')
    await page.clock.runFor(50)
    await expect.poll(focused).toBe('Test')
    await close()
  })
})
