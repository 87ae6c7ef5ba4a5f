import { afterAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { startLanguageModel } from './language-model.ts'
import { picture, problemsInLooks } from './looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

let model: Awaited<ReturnType<typeof startLanguageModel>>

afterAll(() => model.stop())
useAnn(async () => {
  model = await startLanguageModel((text) => [
    {
      kind: 'problem',
      point: /log/i.test(text) ? 'cannot log in since an update' : 'CSV export fails for large reports',
    },
  ])
  return { config: { llm: model.llm }, file: csvOf(peopleSaying) }
})

test('an admin compares generators with a language model after seeing what is sent, and has judges grade them', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/comparisons')
  await page.getByRole('button', { name: 'New run' }).click()
  const dialog = page.getByRole('dialog', { name: 'New run' })
  await dialog.getByLabel('Name', { exact: true }).fill('models')
  await dialog.getByLabel('Length of a window').selectOption({ label: 'All days in one window' })
  await dialog.getByText('11 messages in 1 window: 1 answer. No language model is called.').waitFor()
  const start = dialog.getByRole('button', { name: 'Start run' })
  const add = dialog.getByRole('button', { name: 'Add one with a language model' })
  await add.click()
  await dialog.getByRole('group', { name: 'Generator 1' }).getByLabel('Column name').fill('read first')
  await add.click()
  const second = dialog.getByRole('group', { name: 'Generator 2' })
  await second.getByLabel('Method').selectOption({ label: 'One prompt for each window' })
  await second.getByLabel('System prompt').fill('List what customers want changed.')
  await second.getByLabel('Column name').fill('prompted')
  await second.getByLabel('Temperature').fill('0.3')
  await second.getByLabel('Reasoning').selectOption('low')
  await second.getByLabel('Response').selectOption({ label: 'Name and summary' })
  const sending = dialog.getByRole('region', { name: 'Language model' })
  await sending.getByText(/The texts of these messages go to 127\.0\.0\.1/).waitFor()
  await sending.getByText(/About [0-9,]+ calls and [0-9,]+ tokens/).waitFor()
  await sending.getByText(/Today’s budget has [0-9,]+ left for evaluation/).waitFor()
  await expect.poll(() => start.isDisabled()).toBe(true)
  expect(await problemsInLooks(page, 'new-run-models')).toEqual([])
  const agree = sending.getByRole('checkbox', { name: /^Send these messages to 127\.0\.0\.1/ })
  await agree.check()
  await expect.poll(() => start.isEnabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: /more times/ }).check()
  await expect.poll(() => agree.isChecked().catch(() => true)).toBe(false)
  await dialog.getByRole('checkbox', { name: /more times/ }).uncheck()
  await agree.check()
  await start.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Finished', { exact: true }).waitFor()
  await page.getByText('3 of 3 answers').waitFor()

  await page.getByRole('button', { name: 'Compare models' }).click()
  await page.getByText('Choose an input source.').waitFor()
  await page.getByLabel('Input source').selectOption({ index: 1 })
  await page.getByRole('columnheader', { name: 'prompted' }).waitFor()
  await page.getByText('Exports fail', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show analysis' }).click()
  const cost = page.getByRole('region', { name: 'Cost and time' })
  const row = cost.getByRole('row', { name: /^prompted/ })
  await row.waitFor()
  await expect
    .poll(() => row.getByRole('cell').allInnerTexts())
    .toEqual(['1', '1', '1,200', '1,200', expect.stringMatching(/^\d+\.\d\d$/)])
  await cost.getByRole('row', { name: /^words/ }).waitFor()
  expect(await problemsInLooks(page, 'comparisons-cost')).toEqual([])
  await picture(cost, 'comparisons-cost-part')

  await page.goto('/eval')
  await page.getByRole('button', { name: 'Grade a run' }).click()
  const grading = page.getByRole('dialog', { name: 'Grade a run' })
  await grading.getByLabel('Judges').selectOption({ label: 'Two judges' })
  await grading.getByText('Name the models.').waitFor()
  await grading.getByLabel('Model of judge 2').fill('small')
  await grading.getByText('Choose two different models.').waitFor()
  await grading.getByLabel('Model of judge 2').fill('strict')
  await grading.getByText(/The texts of these messages go to/).waitFor()
  expect(await problemsInLooks(page, 'grade-run-models')).toEqual([])
  const startGrading = grading.getByRole('button', { name: 'Start grading' })
  await expect.poll(() => startGrading.isDisabled()).toBe(true)
  await grading.getByRole('checkbox', { name: /^Send these messages/ }).check()
  await startGrading.click()
  await grading.waitFor({ state: 'detached' })
  await page.getByText('Graded', { exact: true }).waitFor()
  await page.getByText(/judged by small and strict/).waitFor()
  await page.getByRole('button', { name: 'Open prompted of models' }).click()
  await page.getByRole('columnheader', { name: 'Judge: strict' }).waitFor()
  await page
    .getByRole('button', { name: /1\.00|0\.\d\d/ })
    .last()
    .click()
  const rubrics = page.getByRole('dialog', { name: 'Judge: strict' })
  await rubrics.getByText('The messages say so').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show analysis' }).click()
  await page
    .getByText(/The judges small and strict: Cohen’s kappa .+, 95% interval .+ to .+, over 3 grades\./)
    .waitFor()
  expect(await problemsInLooks(page, 'eval-judges')).toEqual([])
  expect(faults).toEqual([])
  await close()
})
