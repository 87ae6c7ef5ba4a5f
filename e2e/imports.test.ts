import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { peopleSaying } from './feedback-file.ts'
import { picture, pictures } from './looks.ts'
import { browser, stack, useStack } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }
let token: string

useStack()
beforeAll(async () => {
  token = await stack.signUp({ email: 'ada@example.com', password: 'an analytical engine', name: 'Ada' })
})

const row = (id: number, text: string) => `${id},"Subject of ticket ${id}","${text}"`
const csvOf = (texts: readonly string[]) =>
  ['id,subject,body', ...texts.map((text, at) => row(at + 1, text))].join('\n')
const said = peopleSaying.map(({ text }) => text)

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.goto('/import')
  await page.getByLabel('File of feedback').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Start import' }).waitFor()
}
const start = (page: Page) => page.getByRole('button', { name: 'Start import' }).click()
const done = (page: Page) => page.getByText('Done. Everything is imported and grouped.').waitFor(LONG_WAIT)
const figures = (page: Page) => page.locator('dl').textContent()

test('files as sources: choose one, correct a mapping, restore what was replaced, undo with a preview', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })

  await page.goto('/import')
  await page.getByText('None yet.').waitFor()
  await pictures(page, 'empty')

  await choose(page, 'tickets.csv', csvOf(said))
  await expect.poll(() => page.getByLabel('Name of the source').inputValue()).toBe('tickets')
  await page.getByLabel('Message', { exact: true }).selectOption('subject')
  await pictures(page, 'choice-new')
  await start(page)
  await done(page)
  await expect.poll(() => figures(page)).toBe(`Added${said.length}Already known0Bad rows0`)

  await choose(page, 'tickets.csv', csvOf(said))
  await page.getByText(/This file was imported on .* into “tickets”/).waitFor()
  await page.getByLabel('Message', { exact: true }).selectOption('body')
  await pictures(page, 'choice-same')
  await start(page)
  await page.getByText(`${said.length} rows will replace stored text in “tickets”.`).waitFor(LONG_WAIT)
  await pictures(page, 'question')
  await page.getByRole('button', { name: 'Replace the text' }).click()
  await done(page)
  await expect.poll(() => figures(page)).toBe(`Added0Text replaced${said.length}Already known0Bad rows0`)
  await page.getByRole('heading', { name: /insights? created/ }).waitFor(LONG_WAIT)

  const other = [...said.slice(0, 2).map((text) => `${text} again`), 'The CSV export fails, and reports are large']
  await choose(page, 'survey.csv', `${csvOf(other)}\n${row(1, 'A dark mode in our app would be nice')}`)
  // A file with this header went into that source before; this one has ids of its own.
  await page.getByText('As last time', { exact: true }).waitFor()
  const source = page.getByLabel('Source', { exact: true })
  await expect.poll(() => source.locator('option:checked').textContent()).toBe(`tickets (${said.length} messages)`)
  await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('body')
  await source.selectOption({ label: 'New source' })
  await page.getByLabel('Message', { exact: true }).selectOption('body')
  await start(page)
  await done(page)
  await expect.poll(() => figures(page)).toBe('Added3Already known0Repeated1Bad rows0')
  await page.getByText('Row 5 repeats row 2: it has the same id. The last one counts.').waitFor()
  await page.getByRole('heading', { name: /insights? grew/ }).waitFor(LONG_WAIT)
  await pictures(page, 'done')
  // The result follows what becomes of the insights while somebody looks at it.
  const href = await page.locator('main a[href*="issue="]').first().getAttribute('href')
  const issue = href?.split('=').at(-1)
  await stack.call(token, 'POST', `/api/insights/${issue}/corrections`, { kind: 'rename', name: 'Renamed meanwhile' })
  await page.getByRole('link', { name: 'Renamed meanwhile' }).waitFor()
  await page
    .getByRole('link', { name: /dark mode|csv export|renamed meanwhile/i })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => page.url()).toMatch(/issue=\d+/)

  await page.goto('/import')
  await page.getByRole('button', { name: 'Undo the import of survey.csv' }).click()
  await page.getByText('into survey').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

  await page
    .getByRole('button', { name: /with a new text/ })
    .first()
    .click()
  await page.getByText(`The earlier text of ${said.length} messages is kept.`).waitFor()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).first().click()
  await page.getByText(`The earlier text of ${said.length - 1} messages is kept.`).waitFor()
  await pictures(page, 'replaced')
  expect(faults).toEqual([])
  await close()
})

test('lists that do not load show an error and can be retried', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  // Until somebody retries: a list also reloads automatically.
  const isBroken = () => page.evaluate('!globalThis.retried')
  const loading = Promise.withResolvers<void>()
  await page.route('**/api/imports', async (route) => {
    await loading.promise
    if (!(await isBroken())) return route.fallback()
    await route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: '{"code":"internal","message":"It broke","fields":{}}',
    })
  })
  await page.goto('/import')
  await page.getByRole('status', { name: 'Loading the imports' }).waitFor()
  await pictures(page, 'loading')
  loading.resolve()
  await page.getByText('The imports could not be loaded.').waitFor(LONG_WAIT)
  await pictures(page, 'error')
  await page.evaluate("addEventListener('click', () => (globalThis.retried = true), { capture: true })")
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('tickets.csv').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('replies of the own side are context: the report says whose they are, and Settings what a model would take', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  const lines = said.flatMap((text, at) => [`${at}a,t${at},Bo,"${text} here",user`, `${at}b,t${at},Ines,On it,agent`])
  await choose(page, 'chats.csv', ['id,thread,author,text,role', ...lines].join('\n'))
  await expect.poll(() => page.getByLabel('Role', { exact: true }).inputValue()).toBe('role')
  await expect.poll(() => page.getByLabel('Replies by your own people').inputValue()).toBe('context')
  await picture(page, 'own-choice')
  await start(page)
  await done(page)
  await page.getByText(`${said.length} replies by 1 person of your own were read as context.`).waitFor()
  await picture(page, 'own-report')
  await page.goto('/settings/server')
  await page.getByText('About 190,000 to 350,000 tokens per 1,000 messages.').waitFor()
  await page.getByRole('heading', { name: 'Language model' }).scrollIntoViewIfNeeded()
  await picture(page, 'own-settings')
  expect(faults).toEqual([])
  await close()
})
