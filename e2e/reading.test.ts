import { afterAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { startLanguageModel } from './language-model.ts'
import { problemsInLooks } from './looks.ts'
import { sweepNow } from './sweeps.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

/** Feedback in no insight, and what it is read as. */
const ALONE = 'Parking in front of your office is too expensive'
const READ = 'Parking costs too much'

let model: Awaited<ReturnType<typeof startLanguageModel>>

const POINTS = {
  export: { kind: 'problem', point: 'CSV export fails for large reports' },
  login: { kind: 'problem', point: 'cannot log in since an update' },
  dark: { kind: 'request', point: 'dark mode for the app' },
}

afterAll(() => model.stop())
useAnn(async () => {
  model = await startLanguageModel((text) => {
    if (text.includes(ALONE)) return [{ kind: 'problem', point: READ }]
    const about = peopleSaying.find((one) => one.text === text.replace(/(?<=\s)\[\d+\] /g, ''))?.about
    return about ? [POINTS[about]] : []
  })
  return { config: { llm: model.llm, encoder: {} }, file: csvOf(peopleSaying) }
})

const state = () => stack.call(token, 'GET', '/api/reading')

test('an owner switches reading on after seeing what it means, and each mention shows what it was read as', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/settings/server')
  const choice = page.getByRole('combobox', { name: 'Which messages the language model reads' })
  await page.getByText('Off. Messages are grouped by their own words.').waitFor()
  await choice.selectOption('all')
  const dialog = page.getByRole('dialog', { name: 'Read new and stored messages?' })
  await dialog.getByText(/About [0-9,]+ tokens for the 11 stored messages/).waitFor()
  await dialog.getByText(/127\.0\.0\.1/).waitFor()
  expect(await problemsInLooks(page, 'reading')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await state()).toMatchObject({ scope: 'off' })
  await choice.selectOption('all')
  await dialog.getByRole('button', { name: 'Read messages' }).click()
  await page.getByText('11 messages to read, the newest first.').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused.').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await sweepNow(stack, 'describe-sweep')
  await page.getByText('Up to date. So far: 9 messages read, 2 in which nothing was found.').waitFor()
  expect(await problemsInLooks(page, 'reading')).toEqual([])

  await stack.grouped()
  const list = (await stack.call(token, 'GET', '/api/insights/get-all')) as {
    issue_number: number
    issue_name: string
  }[]
  const found = list.find(({ issue_name: name }) => /export/i.test(name))
  await page.goto(`/insights?issue=${found?.issue_number}`)
  const panel = page.getByRole('dialog').first()
  await panel.getByText('Read as “CSV export fails for large reports” (in English)').first().waitFor()
  await panel.getByText('Our CSV export of a large report fails every time').first().waitFor()
  const mention = panel.getByRole('listitem').filter({ hasText: 'Our CSV export of a large report fails every time' })
  const button = mention.getByRole('button', { name: /^Correct what it is/ })
  await button.click()
  const field = mention.getByRole('textbox', { name: 'Read as (in English)' })
  await field.waitFor()
  expect(await problemsInLooks(page, 'correct-point')).toEqual([])
  await field.press('Escape')
  await field.waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.textContent'))
    .toBe('Correct what it is read as')
  await button.click()
  await field.fill('Export of large reports fails each time')
  await field.press('Enter')
  await mention.getByText('Read as “Export of large reports fails each time” (corrected)').waitFor()
  await field.waitFor({ state: 'detached' })
  await expect.poll(() => mention.getByRole('button', { name: 'Read again' }).count()).toBe(0)
  const entry = panel
    .getByRole('listitem')
    .filter({ hasText: '1 mention read as “Export of large reports fails each time” by Ann' })
  expect(await problemsInLooks(page, 'corrected-point')).toEqual([])
  await stack.grouped()
  await panel.getByRole('tab', { name: 'Activity' }).click()
  await entry.getByRole('button', { name: /^Undo/ }).click()
  await panel.getByRole('tab', { name: 'Insight' }).click()
  await mention.getByText('Read as “CSV export fails for large reports” (in English)').waitFor()
  await panel.getByRole('button', { name: 'Read again' }).first().click()
  await panel.getByRole('button', { name: 'Waits to be read' }).waitFor()
  expect(await problemsInLooks(page, 'reading')).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('what feedback in no insight is read as is corrected in both lists, at the width of a phone too', async () => {
  await stack.call(token, 'POST', '/api/imports?name=alone.csv', `text\n${ALONE}\n`)
  await stack.grouped()
  await sweepNow(stack, 'describe-sweep')
  await expect.poll(state).toMatchObject({ read: 10, left: 0 })
  await stack.grouped()
  for (const [path, list, was, next] of [
    ['/ungrouped', 'Mentions not in an insight', READ, 'Parking is dear at night'],
    ['/ungrouped?in=all&q=parking', 'All feedback', 'Parking is dear at night', 'Parking has no weekly ticket'],
  ] as const) {
    const { page, faults, close } = await visit(browser, stack.url, { token, width: 390 })
    await page.goto(path)
    const mention = page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: ALONE })
    await mention.getByText(`Read as “${was}”`).waitFor()
    await mention.getByRole('button', { name: /^Correct what it is/ }).click()
    const field = mention.getByRole('textbox', { name: 'Read as (in English)' })
    await field.waitFor()
    expect(await problemsInLooks(page, 'correct-point-alone')).toEqual([])
    await field.fill(next)
    await field.press('Enter')
    await mention.getByText(`Read as “${next}” (corrected)`).waitFor()
    await field.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await close()
  }
  const { page, close } = await visit(browser, stack.url, { token })
  await page.goto('/ungrouped')
  const mention = page.getByRole('listitem').filter({ hasText: ALONE })
  await mention.getByRole('button', { name: /^Correct what it is/ }).click()
  await mention.getByRole('button', { name: 'Restore what the model read' }).click()
  await mention.getByText(`Read as “${READ}” (in English)`).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await mention.getByText('Read as “Parking has no weekly ticket” (corrected)').waitFor()
  await close()
})
