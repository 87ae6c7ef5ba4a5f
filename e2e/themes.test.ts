import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Visit, visit } from './browser.ts'
import { pictures, problemsOf } from './looks.ts'
import { hold, toast, undoFromToast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

type Theme = { theme_id: number; name: string; issue_numbers: number[]; mention_count: number }

const rows = loadCompany().map(({ id, text, author }) => JSON.stringify({ id, text, author }))
useAnn({ file: rows.join('\n'), fileName: 'company.jsonl' })

async function within(look: { width?: 1440 | 390 }, work: (page: Page) => Promise<void>): Promise<void> {
  const visited: Visit = await visit(browser, stack.url, { token, ...look })
  await work(visited.page)
  if (visited.faults.length > 0) throw new Error(visited.faults.join('\n'))
  await visited.close()
}
const themes = async () => ((await stack.call(token, 'GET', '/api/insights/themes')) as { themes: Theme[] }).themes
/** Those with more insights than one: of the others a word may be part. */
const listed = async () => (await themes()).toSorted((a, b) => b.issue_numbers.length - a.issue_numbers.length)
const toggle = (page: Page) => page.getByRole('button', { name: 'Group by theme' })
const table = (page: Page) => page.getByRole('table', { name: 'Insights by theme' })
const heading = (page: Page, name: string) => table(page).getByRole('button', { name: new RegExp(`^${name}, `) })

test('the table is grouped by theme; a theme opens to its insights, with the keyboard', () =>
  within({}, async (page) => {
    const [largest] = await listed()
    const { name = '', issue_numbers = [], mention_count } = largest ?? {}
    await page.goto('/insights')
    await page.getByRole('table', { name: 'Insights' }).waitFor()
    await expect.poll(() => toggle(page).getAttribute('aria-pressed')).toBe('false')
    await toggle(page).click()
    await heading(page, name).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('group')).toBe('theme')
    await expect
      .poll(() => heading(page, name).getAttribute('aria-label'))
      .toBe(`${name}, ${issue_numbers.length} insights · ${mention_count} mentions`)
    await expect.poll(() => table(page).getByRole('row').last().textContent()).not.toContain('In no theme')
    await table(page)
      .getByRole('button', { name: /^In no theme, / })
      .waitFor()
    expect(await problemsOf(page)).toEqual([])

    const rows = () => table(page).locator('[data-row]').count()
    const closed = await rows()
    await heading(page, name).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(rows).toBe(closed + issue_numbers.length)
    expect(await problemsOf(page)).toEqual([])
    await pictures(page, 'themes')
    await page.keyboard.press('ArrowDown')
    const focused = () =>
      page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`)
    await expect.poll(focused).not.toContain(`${name}, `)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(focused).toContain(`${name}, `)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(rows).toBe(closed)
    await page.keyboard.press('Enter')
    await expect.poll(rows).toBe(closed + issue_numbers.length)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')

    // As it was last chosen, also where the address does not say it.
    await page.goto('/insights')
    await heading(page, name).waitFor()
    await toggle(page).click()
    await page.getByRole('table', { name: 'Insights', exact: true }).waitFor()
  }))

test('a theme is renamed in place and removed, and both are undone', () =>
  within({}, async (page) => {
    const [first] = await listed()
    const name = first?.name ?? ''
    await page.goto('/insights?group=theme')
    const menu = async (action: string) => {
      await table(page)
        .getByRole('button', { name: `Actions for theme ${name}` })
        .click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await menu('Rename')
    await page.getByRole('textbox', { name: `Name of the theme ${name}` }).fill('Better name')
    await page.keyboard.press('Enter')
    await hold(toast(page, 'Theme renamed'))
    await heading(page, 'Better name').waitFor()
    await undoFromToast(page, 'Theme renamed')
    await heading(page, name).waitFor()
    await menu('Remove theme')
    await hold(toast(page, 'Theme removed'))
    await heading(page, name).waitFor({ state: 'detached' })
    await undoFromToast(page, 'Theme removed')
    await heading(page, name).waitFor()
    expect((await themes()).find((theme) => theme.name === name)?.issue_numbers).toEqual(first?.issue_numbers)
  }))

test('an insight is moved to a new theme at 390 px, found with the search, and moved back', () =>
  within({ width: 390 }, async (page) => {
    const [first] = await listed()
    const name = first?.name ?? ''
    await page.goto('/insights?group=theme')
    await heading(page, name).click()
    expect(await problemsOf(page)).toEqual([])
    const row = table(page)
      .getByRole('button', { name: /^Actions for (?!theme)/ })
      .first()
    const insight = ((await row.getAttribute('aria-label')) ?? '').replace('Actions for ', '')
    await row.click()
    await page.getByRole('menuitem', { name: 'Move to theme…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move to theme' })
    await dialog.getByRole('textbox').fill('Something new')
    expect(await problemsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await hold(toast(page, 'Moved to Something new'))
    await heading(page, 'Something new').waitFor()
    await undoFromToast(page, 'Moved to Something new')
    await heading(page, 'Something new').waitFor({ state: 'detached' })

    await page.goto(`/insights?group=theme&q=${encodeURIComponent(insight)}`)
    await table(page).locator('[data-row]').filter({ hasText: insight }).first().waitFor()
    await expect
      .poll(() =>
        table(page)
          .getByRole('button', { name: new RegExp(`^${name}, `) })
          .getAttribute('aria-expanded'),
      )
      .toBe('true')
  }))
