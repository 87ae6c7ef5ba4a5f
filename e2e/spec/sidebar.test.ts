import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { boxOf, styleOf } from './looks.ts'
import { onBothStacks, onOurServer } from './stacks.ts'

const widthOf = async (page: Page) => Math.round((await page.locator('aside').first().boundingBox())?.width ?? 0)

onBothStacks('the sidebar', (stack) => {
  test('highlights the active entry; shows initial, name and email at the bottom, with Log out in the menu', async () => {
    const { page, close } = await stack.open('/settings')
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')
    await expect.poll(() => current.allTextContents()).toEqual(['Settings'])
    const ground = (name: string) => styleOf(page.getByRole('link', { name }), 'background-color')
    await expect.poll(async () => (await ground('Settings')) === (await ground('Integrations'))).toBe(false)
    await page.getByRole('link', { name: 'Integrations' }).click()
    await expect.poll(() => current.allTextContents()).toEqual(['Integrations'])

    const account = page.getByRole('button', { name: 'Account of Ann' })
    await account.getByText('Ann', { exact: true }).waitFor()
    await account.getByText(stack.ann.email, { exact: true }).waitFor()
    await account.getByText('A', { exact: true }).waitFor()
    const [sidebar, entries, own] = [
      await boxOf(page.locator('aside')),
      await boxOf(page.getByRole('navigation', { name: 'Main' })),
      await boxOf(account),
    ]
    expect(sidebar.y + sidebar.height).toBe(900)
    expect(own.x).toBeGreaterThanOrEqual(sidebar.x)
    expect(own.x + own.width).toBeLessThanOrEqual(sidebar.x + sidebar.width)
    expect(own.y).toBeGreaterThan(entries.y)
    expect(own.y + own.height).toBeGreaterThan(900 - 24)
    expect(own.y + own.height).toBeLessThanOrEqual(900)
    for (const words of ['A', 'Ann', stack.ann.email]) {
      const text = await boxOf(account.getByText(words, { exact: true }))
      expect(text.y).toBeGreaterThanOrEqual(own.y)
    }
    await account.click()
    await expect.poll(() => page.getByRole('menuitem').last().textContent()).toBe('Log out')
    await close()
  })
})

onOurServer('the sidebar, collapsed', (stack) => {
  test('switches between 240 and 60 px in 300 ms, and remembers its state', async () => {
    const { page, faults, close } = await stack.open('/insights', { motion: true })
    await expect.poll(() => widthOf(page)).toBe(240)
    const aside = page.locator('aside')
    expect(await styleOf(aside, 'transition-property')).toBe('width')
    expect(await styleOf(aside, 'transition-duration')).toBe('0.3s')
    await page.getByRole('button', { name: 'Collapse the sidebar' }).click()
    await expect.poll(() => widthOf(page)).toBe(60)
    await page.reload()
    await page.getByRole('button', { name: 'Expand the sidebar' }).waitFor()
    await expect.poll(() => widthOf(page)).toBe(60)
    const settings = page.getByRole('link', { name: 'Settings' })
    await settings.click()
    await page.waitForURL('**/settings')
    await page.getByRole('button', { name: 'Expand the sidebar' }).click()
    await expect.poll(() => widthOf(page)).toBe(240)
    expect(faults).toEqual([])
    await close()
  })

  test('an entry of the collapsed sidebar keeps the focus and the pointer when its tooltip is loaded, which then describes it', async () => {
    const { page, faults, close } = await stack.open('/insights')
    await page.getByRole('button', { name: 'Collapse the sidebar' }).click()
    const loading = Promise.withResolvers<void>()
    await page.route('**/assets/tooltip-popup-*', async (route) => {
      await loading.promise
      await route.continue()
    })
    await page.reload()
    const settings = page.getByRole('link', { name: 'Settings' })
    await settings.focus()
    await settings.hover()
    const first = await settings.elementHandle()
    await expect.poll(() => settings.getAttribute('data-state')).toBeNull()
    loading.resolve()
    const tooltip = page.getByRole('tooltip', { name: 'Settings' })
    await tooltip.waitFor()
    expect(await first?.evaluate((link: { matches?: (selector: string) => boolean }) => link.matches?.(':focus'))).toBe(
      true,
    )
    await expect.poll(() => settings.getAttribute('aria-describedby')).toBe(await tooltip.getAttribute('id'))
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
    await expect.poll(() => settings.getAttribute('aria-describedby')).toBeNull()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings')
    expect(faults).toEqual([])
    await close()
  })
})
