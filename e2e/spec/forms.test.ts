import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilAnswered } from './held-reply.ts'
import { isRed, styleOf } from './looks.ts'
import { onOurServer } from './stacks.ts'

const SAVE = 'POST /api/user/update-settings'
const LOGIN = 'POST /api/auth/login'
const ADD = 'POST /api/webhook/add'

/** Clicks twice before the page has rendered the effect of the first click. */
const clickTwice = (page: Page, selector: string) =>
  page.locator(selector).evaluate((button: { click(): void }) => {
    button.click()
    button.click()
  })

onOurServer('forms', (stack) => {
  test('a double click saves the settings once, and the next save is sent; the empty name of a new tag is red once it is left', async () => {
    const { page, faults, close } = await stack.open('/settings')
    await page.getByRole('combobox', { name: 'Minimum mentions', exact: true }).waitFor()
    const release = stack.front.hold(SAVE)
    await clickTwice(page, 'button[type=submit]')
    await expect.poll(() => page.locator('button[type=submit]').getAttribute('aria-busy')).toBe('true')
    release()
    await page.locator('li.toast').getByText('Settings saved').waitFor()
    expect(stack.front.seen(SAVE)).toHaveLength(1)
    // Answered after both clicks: the second would save again what the first has saved.
    const saveButton = page.getByRole('button', { name: 'Save Settings' })
    await untilAnswered(stack, SAVE, saveButton, () => saveButton.dblclick())
    expect(stack.front.seen(SAVE)).toHaveLength(2)
    stack.front.fail(SAVE, 500)
    const before = stack.front.seen(SAVE).length
    await clickTwice(page, 'button[type=submit]')
    await page.locator('li.toast').getByText('Save failed.').waitFor()
    expect(stack.front.seen(SAVE)).toHaveLength(before + 1)

    await page.getByRole('button', { name: 'Add Tag' }).click()
    const name = page.getByLabel('Tag name').last()
    await name.focus()
    await expect
      .poll(() => name.getAttribute('aria-invalid'), { message: 'an empty name while it is typed' })
      .toBe('false')
    await page.getByLabel('Tag description').last().focus()
    await expect.poll(() => name.getAttribute('aria-invalid'), { message: 'an empty name that is left' }).toBe('true')
    expect(isRed(await styleOf(name, 'border-top-color')), 'an empty name that is left is red').toBe(true)
    expect(faults).toEqual([])
    await close()
  })

  test('a double click logs in once, and adds one webhook', async () => {
    const signedOut = await stack.open('/auth', 'signed out')
    await signedOut.page.getByLabel('Email').fill(stack.ann.email)
    await signedOut.page.getByLabel('Password', { exact: true }).fill('wrong')
    stack.front.fail(LOGIN, 500)
    await clickTwice(signedOut.page, 'button[type=submit]')
    await signedOut.page.getByText('Wrong email or password', { exact: true }).waitFor()
    expect(stack.front.seen(LOGIN)).toHaveLength(1)
    await signedOut.close()

    const { page, close } = await stack.open('/integrations')
    await page.locator('[data-tile=webhook]').getByRole('button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('https://hooks.example.com/a')
    stack.front.fail(ADD, 500)
    await clickTwice(page, '[role=dialog] button[type=submit]')
    await page.getByText('Failed to add webhook. Please try again.', { exact: true }).first().waitFor()
    expect(stack.front.seen(ADD)).toHaveLength(1)
    await close()
  })
})
