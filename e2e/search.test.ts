import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { startLanguageModel } from './language-model.ts'
import { bothThemes, problemsInLooks, problemsOf } from './looks.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

let model: Awaited<ReturnType<typeof startLanguageModel>>

const alone = [
  { about: null, author: 'Lea', text: 'The export of quokkas to the zoo is missing' },
  { about: null, author: 'Ken', text: '領収書をダウンロードしたら中身が空白でした' },
  { about: null, author: 'Max', text: 'The samples for C++ (C++17) do not compile with C or C#' },
]

afterAll(() => model.stop())
useAnn(async () => {
  model = await startLanguageModel()
  return { config: { llm: model.llm, encoder: {} }, file: csvOf([...peopleSaying, ...alone]) }
})

const found = (page: Page) => page.getByRole('list', { name: 'All feedback' }).getByRole('listitem')
const box = (page: Page) => page.getByRole('searchbox', { name: 'Search all feedback' })

test('a search of the insights continues in all feedback, whose messages lead to their insights', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/insights')
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('export')
  await page.getByRole('link', { name: 'Search all feedback for “export”' }).click()
  await page.getByRole('heading', { name: 'All feedback' }).waitFor()
  await found(page).filter({ hasText: 'quokkas' }).waitFor()
  await expect.poll(() => found(page).count()).toBeGreaterThan(1)
  await box(page).fill('export quok')
  await page.getByRole('status').filter({ hasText: '1 found' }).waitFor()
  await expect.poll(() => found(page).locator('mark').allTextContents()).toEqual(['export', 'quokkas'])
  await page.getByRole('link', { name: 'Not in an insight' }).click()
  await page.getByRole('heading', { name: 'Feedback not in an insight' }).waitFor()
  await expect.poll(() => page.url()).toContain('q=export+quok')
  await page.getByRole('link', { name: 'All feedback' }).click()
  await box(page).fill('export')
  await found(page).getByRole('link', { name: /^#\d/ }).first().click()
  await page.getByRole('dialog').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('words inside text without spaces and terms with punctuation are found and marked', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  const marked = () => found(page).locator('mark').allTextContents()
  await page.goto('/ungrouped?in=all')
  await box(page).fill('ダウンロード 空白')
  await page.getByRole('status').filter({ hasText: '1 found' }).waitFor()
  expect(await marked()).toEqual(['ダウンロード', '空白'])
  await box(page).fill('C++')
  await found(page).filter({ hasText: 'samples' }).waitFor()
  await page.getByRole('status').filter({ hasText: '1 found' }).waitFor()
  expect(await marked()).toEqual(['C++', 'C++'])
  await page.getByRole('link', { name: 'Not in an insight' }).click()
  await page.getByRole('heading', { name: 'Feedback not in an insight' }).waitFor()
  await page.getByText('The samples for C++').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('filters by source, kind and time are in the address, and are cleared together', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/ungrouped?in=all&q=quokkas')
  await found(page).first().waitFor()
  await page.getByRole('combobox', { name: 'Source' }).selectOption('file')
  await page.getByRole('combobox', { name: 'Time' }).selectOption('1')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('praise')
  await page.getByText('Nothing found', { exact: true }).waitFor()
  await expect.poll(() => page.url()).toMatch(/q=quokkas&source=file&days=1&kind=praise/)
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByRole('status').filter({ hasText: 'messages' }).waitFor()
  await expect.poll(() => page.url()).toMatch(/\?in=all$/)
  expect(faults).toEqual([])
  await close()
})

test('its states are accessible in both themes', async () => {
  const { page, close } = await visit(browser, stack.url, { token })
  const check = async (what: string) =>
    expect([what, await problemsInLooks(page, what, { looks: bothThemes(390) })]).toEqual([what, []])
  await page.goto('/ungrouped?in=all&q=export')
  await found(page).first().waitFor()
  expect(await problemsInLooks(page, 'found')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/insights?q=export')
  await page.getByRole('link', { name: 'Search all feedback for “export”' }).waitFor()
  await check('the link from the insights')
  await page.goto('/ungrouped?in=all&q=nowhere')
  await page.getByText('Nothing found', { exact: true }).waitFor()
  await check('nothing found')
  let status = 500
  await page.route(/\/api\/feedback\/search/, (route) =>
    route.fulfill({ status, json: { code: 'internal', message: 'Something went wrong' } }),
  )
  await page.goto('/ungrouped?in=all')
  await page.getByText('The list could not be loaded').waitFor()
  await check('a failure')
  status = 404
  await page.reload()
  await page.getByText('This list is not available').waitFor()
  await close()
})

test('a search that no message has the words of continues by meaning', async () => {
  const search = 'words=saving+huge+spreadsheets&by=meaning'
  const meaning = async () => {
    const reply = await stack.call(token, 'GET', `/api/feedback/search?${search}`)
    return (reply as { meaning: string }).meaning
  }
  // An encoder that was idle starts again, and a page that it did not answer in time does not ask again.
  await expect.poll(meaning, { timeout: 300_000, interval: 500 }).toBe('used')
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/ungrouped?in=all&q=saving+huge+spreadsheets')
  await page.getByRole('button', { name: 'Search by meaning too' }).click()
  await found(page).filter({ hasText: 'CSV export' }).filter({ hasText: 'By meaning' }).first().waitFor()
  await page.getByText('Insights closest in meaning').getByRole('link').first().waitFor()
  await expect.poll(() => page.url()).toContain('by=meaning')
  expect(await problemsOf(page)).toEqual([])
  await page.getByLabel('Search by').selectOption({ label: 'By words' })
  await page.getByText('Nothing found', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a question is answered with quotes that lead to their messages; a failure lists the messages', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  const answer = page.getByRole('region', { name: 'Answer' })
  await page.goto('/ungrouped?in=all')
  await page.getByRole('button', { name: 'Ask a question' }).click()
  const question = page.getByRole('textbox', { name: 'Question' })
  await page.getByRole('button', { name: 'What do customers like?' }).click()
  await answer.waitFor()
  await expect.poll(() => question.inputValue()).toBe('What do customers like?')
  await question.fill('What fails when a large report is exported?')
  await page.keyboard.press('Enter')
  await answer.getByText('The export of large reports fails.').waitFor()
  await answer.getByText(/By small · 1,200 tokens · [\d,]+ of 200,000 used today/).waitFor()
  await answer.getByRole('link', { name: 'message 1' }).click()
  const quote = await answer.locator('q').textContent()
  await expect.poll(() => page.locator('#feedback-1').textContent()).toContain(quote)
  await page.getByRole('list', { name: 'Feedback found' }).getByRole('link', { name: /^#\d/ }).first().waitFor()
  model.failWith(400)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await answer.getByText('The language model did not answer').waitFor()
  model.failWith(200)
  await page.getByRole('button', { name: 'Back to search' }).click()
  await box(page).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('an answer looks right', async () => {
  const { page, close } = await visit(browser, stack.url, { token })
  await page.goto('/ungrouped?in=all&ask=1&q=What+fails+in+exports')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('The export of large reports fails.').waitFor()
  expect(await problemsInLooks(page, 'ask')).toEqual([])
  await close()
})
