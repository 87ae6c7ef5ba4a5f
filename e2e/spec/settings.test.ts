import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilAnswered } from './held-reply.ts'
import { isRed, optionsOf, styleOf } from './looks.ts'
import { onBothStacks, onOurServer, type SpecStack } from './stacks.ts'

const SAVE = 'POST /api/user/update-settings'

const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()
const saveUntilAnswered = (stack: SpecStack, page: Page) =>
  untilAnswered(stack, SAVE, page.locator('button[type=submit]'), () => save(page))
const minimum = (page: Page) => page.getByRole('combobox', { name: 'Minimum mentions', exact: true })
const name = (page: Page) => page.getByLabel('Tag name')
const description = (page: Page) => page.getByLabel('Tag description')
const long = 'Everything about invoices, payments and what they cost'
const isFieldRed = async (page: Page, label: string) =>
  (await page.getByLabel(label).getAttribute('aria-invalid')) === 'true' &&
  isRed(await styleOf(page.getByLabel(label), 'border-top-color'))
const stored = async (page: Page) =>
  (JSON.parse((await page.evaluate(() => localStorage.getItem('user-store'))) ?? '{}') as Stored).state.userData
    .settings
type Stored = { state: { userData: { settings: unknown } } }

const sent = (stack: SpecStack) => stack.front.seen(SAVE).map(({ body }) => body)

/** The user data of a workspace that has one tag. */
async function withTag(stack: SpecStack) {
  const headers = { authorization: `Bearer ${stack.ann.token}` }
  const response = await fetch(`${stack.front.url}/api/user/user-data`, { headers })
  const settings = { method: 'auto', min_inputs: 3, categories: [{ name: 'Billing', description: long }] }
  stack.front.answer('GET /api/user/user-data', { ...((await response.json()) as object), settings })
}

onOurServer('the form of the settings', (stack) => {
  test('Method is auto, Manual is disabled and coming soon; Minimum mentions goes from 2 to 10 and starts at 3', async () => {
    const { page, faults, close } = await stack.open('/settings')
    await page.getByRole('heading', { name: 'Push to destination' }).waitFor()
    await page.getByRole('heading', { name: 'Automatic Tags' }).waitFor()
    const method = page.getByRole('radiogroup', { name: 'Method' })
    await expect.poll(() => method.getByRole('radio', { name: 'Auto' }).getAttribute('aria-checked')).toBe('true')
    const manual = method.getByRole('radio', { name: 'Manual' })
    await expect.poll(() => manual.isDisabled()).toBe(true)
    await expect.poll(() => manual.textContent()).toMatch(/coming soon/i)
    await expect.poll(() => minimum(page).inputValue()).toBe('3')
    const numbers = ['2', '3', '4', '5', '6', '7', '8', '9', '10']
    await expect.poll(() => optionsOf(minimum(page))).toEqual(numbers.map((number) => [number, number]))
    stack.front.fail(SAVE, 500)
    for (const [saves, number] of numbers.entries()) {
      await minimum(page).selectOption(number)
      await saveUntilAnswered(stack, page)
      expect(sent(stack)).toHaveLength(saves + 1)
      expect(sent(stack).at(-1)).toMatchObject({ method: 'auto', min_inputs: Number(number) })
    }
    expect(faults).toEqual([])
    await close()
  })

  test('a tooltip recommends 3 to 4 mentions, after 700 ms', async () => {
    const { page, close } = await stack.open('/settings', { own: true })
    const about = page.getByRole('button', { name: /About minimum mentions/ })
    // The tooltip is loaded after the first view, which a paused clock would never end.
    await expect.poll(() => about.getAttribute('data-state')).toBe('closed')
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await about.hover()
    await page.clock.runFor(700 - 10)
    await expect.poll(() => page.getByRole('tooltip').count()).toBe(0)
    await page.clock.runFor(20)
    await expect.poll(() => page.getByRole('tooltip').textContent()).toContain('3 to 4 mentions')
    await close()
  })

  test('a tag needs a name and 40 characters of description, and both are counted after trimming; Enter in the name is blocked', async () => {
    const { page, close } = await stack.open('/settings')
    await page.getByRole('button', { name: 'Add Tag' }).click()
    await expect.poll(() => description(page).getAttribute('placeholder')).toBe('Description (min 40 chars)')
    await name(page).fill('   ')
    await expect.poll(() => isFieldRed(page, 'Tag name')).toBe(true)
    await description(page).fill(`   ${'x'.repeat(39)}   `)
    await page.getByText('Please enter 1 more character(s) to reach the 40-character minimum.').waitFor()
    await expect.poll(() => isFieldRed(page, 'Tag description')).toBe(true)
    await description(page).fill('Too short')
    await page.getByText('Please enter 31 more character(s) to reach the 40-character minimum.').waitFor()
    await save(page)
    expect(sent(stack)).toEqual([])
    await description(page).fill('x'.repeat(40))
    await name(page).fill('B')
    await expect.poll(() => isFieldRed(page, 'Tag name')).toBe(false)
    await expect.poll(() => isFieldRed(page, 'Tag description')).toBe(false)
    // The refused input was not sent later either.
    stack.front.fail(SAVE, 500)
    await saveUntilAnswered(stack, page)
    expect(sent(stack)).toHaveLength(1)
    expect(sent(stack)).toMatchObject([{ categories: [{ name: 'B', description: 'x'.repeat(40) }] }])

    await name(page).fill('Billing')
    await name(page).press('Enter')
    await expect.poll(() => name(page).inputValue()).toBe('Billing')
    // If Enter had sent the form, its save would be the second one received.
    await name(page).fill('Invoices')
    await save(page)
    await expect.poll(() => sent(stack).length, { message: 'Enter in the name is blocked' }).toBe(2)
    expect(sent(stack).at(-1), 'Enter in the name is blocked').toMatchObject({ categories: [{ name: 'Invoices' }] })
    await close()
  })

  test('a failed save shows Error and Save failed. for 4 s; a save is confirmed for 4 s', async () => {
    const { page, close } = await stack.open('/settings', { own: true })
    await minimum(page).selectOption('10')
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const toast = page.locator('li.toast')
    const lasts4s = async (what: string) => {
      await page.clock.runFor(4_000 - 100)
      await expect.poll(() => toast.count(), { message: `${what} after 3.9 s` }).toBe(1)
      await page.clock.runFor(200)
      await expect.poll(() => toast.count(), { message: `${what} after 4.1 s` }).toBe(0)
    }
    for (const fault of [500, 'drop'] as const) {
      stack.front.fail(SAVE, fault)
      await save(page)
      await toast.getByText('Save failed.', { exact: true }).waitFor()
      await toast.getByText('Error', { exact: true }).waitFor()
      await lasts4s(`a save that fails by ${fault}`)
      await expect.poll(() => minimum(page).inputValue()).toBe('10')
    }
    stack.front.restore()
    await save(page)
    await toast.getByText('Settings saved', { exact: true }).waitFor()
    await lasts4s('a save')
    await close()
  })

  test('a tag is deleted only after confirmation', async () => {
    await withTag(stack)
    const { page, close } = await stack.open('/settings')
    await name(page).waitFor()
    await page.getByRole('button', { name: 'Delete tag' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('Are you sure you want to delete this category?', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await expect.poll(() => name(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Delete tag' }).click()
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => name(page).count()).toBe(0)
    await save(page)
    await expect.poll(() => sent(stack)).toMatchObject([{ categories: [] }])
    await close()
  })
})

onBothStacks('settings', (stack) => {
  test('Save sends method, minimum and tags; the reply replaces what is shown and stored', async () => {
    const { page, faults, close } = await stack.open('/settings')
    await page.getByRole('button', { name: 'Add Tag' }).click()
    await name(page).fill('Billing')
    await description(page).fill(long)
    await minimum(page).selectOption('5')
    await save(page)
    await page.getByText('Settings saved', { exact: true }).first().waitFor()
    const body = { method: 'auto', min_inputs: 5, categories: [{ name: 'Billing', description: long }] }
    expect(sent(stack)).toMatchObject([body])
    await expect.poll(() => stored(page)).toMatchObject(body)
    await page.reload()
    await expect.poll(() => minimum(page).inputValue()).toBe('5')
    await expect.poll(() => name(page).inputValue()).toBe('Billing')

    const other = { method: 'auto', min_inputs: 7, categories: [{ name: 'Costs', description: long }] }
    for (const [answer, message] of [
      [{ message: 'Kept as asked', data: other }, 'Kept as asked'],
      [{ data: { message: 'Kept deeper', data: { ...other, min_inputs: 8 } } }, 'Kept deeper'],
      [{ data: { ...other, min_inputs: 9 } }, 'Settings updated successfully'],
    ] as const) {
      stack.front.answer(SAVE, answer)
      await save(page)
      await page.getByText(message, { exact: true }).first().waitFor()
      const { min_inputs } = 'min_inputs' in answer.data ? answer.data : (answer.data as { data: typeof other }).data
      await expect.poll(() => minimum(page).inputValue()).toBe(String(min_inputs))
      await expect.poll(() => name(page).inputValue()).toBe('Costs')
      await expect.poll(() => stored(page)).toMatchObject({ ...other, min_inputs })
    }
    expect(faults).toEqual([])
    await close()
  })
})
