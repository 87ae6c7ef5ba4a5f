import { seedEvals } from '@groundswell/server/demo/evaluations.ts'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { widen } from './looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

useAnn()
beforeAll(async () => {
  await seedEvals(stack.services.config.dataDir)
})

const open = async (address: string) => {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto(address)
  return visited
}

test('the page of an eval is in the address and restored after a reload', async () => {
  const { page, faults, close } = await open('/eval?eval=two-weeks-sentences.json&page=3')
  await page.getByText('Page 3 of 10', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('Page 4 of 10', { exact: true }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('4')
  await page.getByRole('button', { name: 'Next page' }).dblclick()
  await page.getByText('Page 6 of 10', { exact: true }).waitFor()
  await page.goto('/eval?eval=two-weeks-sentences.json&page=99')
  await page.getByText('Page 10 of 10', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('directory, generators, source and comparison are in the address; a link leads there again', async () => {
  const { page, faults, close } = await open('/comparisons')
  await page.locator('option', { hasText: 'two-weeks' }).waitFor({ state: 'attached' })
  await page.getByLabel('Directory').selectOption('two-weeks')
  await page.getByRole('button', { name: 'Generator options' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'sentences' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Apply Generator Filter' }).click()
  await expect.poll(() => page.getByLabel('Input source').isEnabled()).toBe(true)
  await page.getByLabel('Input source').selectOption('channel-customer-feedback')
  await page.getByRole('button', { name: 'Next comparison' }).click()
  await page.getByText('2026-09-21 - 2026-10-04', { exact: true }).waitFor()
  // The address follows the screen.
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2')
  const link = page.url()
  await page.goto('/insights')
  await page.goto(link)
  await page.getByText('2026-09-21 - 2026-10-04', { exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Directory').inputValue()).toBe('two-weeks')
  await expect.poll(() => page.getByLabel('Input source').inputValue()).toBe('channel-customer-feedback')
  await expect.poll(() => page.getByRole('columnheader').allTextContents()).toEqual(['sentences', 'sentences, short'])
  await expect.poll(() => page.url()).toBe(link)

  await page.getByRole('button', { name: 'Word by word' }).click()
  const differences = page.getByRole('region', { name: 'Differences' })
  await differences.locator('ins').first().waitFor()
  const all = await differences.locator('dt').count()
  await differences.getByRole('switch', { name: 'Differences only' }).click()
  await expect.poll(() => differences.locator('dt').count()).toBeLessThanOrEqual(all)
  await differences.getByLabel('Second generator').selectOption('0')
  await differences.getByText('The responses are identical.').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a banner shows that the browser is offline, and disappears automatically', async () => {
  const { page, context, faults, close } = await open('/settings')
  await page.getByText('Automatic Tags').waitFor()
  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('Settings end with the version of the server', async () => {
  const { page, faults, close } = await open('/settings/server')
  await page.getByText(/^Groundswell \d+\.\d+\.\d+$/).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('three hundred tags, a long name and right-to-left text break nothing, also on a phone', async () => {
  const long = `عميل ${'Donaudampfschifffahrtsgesellschaft'.repeat(4)}`
  const him = await stack.signUp({ email: 'rtl@example.com', password: 'long enough to pass', name: long })
  const description = 'كل ما يقوله العملاء عن الفواتير والمدفوعات وما تكلفه لهم'
  const categories = Array.from({ length: 300 }, (_, index) => ({ name: `${index} ${'وسم'.repeat(20)}`, description }))
  await stack.call(him, 'POST', '/api/user/update-settings', { method: 'auto', min_inputs: 3, categories })
  const { page, faults, close } = await visit(browser, stack.url, { token: him, width: 390 })
  for (const [address, ready] of [
    ['/insights', 'No insights yet'],
    ['/settings', 'Save Settings'],
  ] as const) {
    await page.goto(address)
    await page.getByText(ready).first().waitFor()
    for (const width of [1440, 390] as const) {
      await widen(page, width)
      const sideways = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      expect([address, width, sideways]).toEqual([address, width, false])
    }
  }
  await expect.poll(() => page.getByLabel('Tag name').count()).toBe(300)
  expect(faults).toEqual([])
  await close()
})

test('the files of a screen are fetched beside the entry, under the content security policy', async () => {
  for (const [address, look, file] of [
    ['/auth', {}, 'auth-page'],
    ['/settings', { token }, 'settings-page'],
  ] as const) {
    const { page, faults, close } = await visit(browser, stack.url, look)
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator(`link[rel=modulepreload][href*="${file}"]`).count()).toBeGreaterThan(0)
    expect(faults).toEqual([])
    await close()
  }
})
