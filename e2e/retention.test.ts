import { expect, test } from 'vitest'
import { problemsOf } from './looks.ts'
import { toast } from './toast.ts'
import { call, page, stack, useWorkspace } from './workspace.ts'

const messages = ['The export fails', 'Export fails again', 'The export of reports fails', 'I like the new colours']

useWorkspace({
  file: messages
    .map((text, n) => JSON.stringify({ id: `${n}`, text, author: n < 2 ? 'Zelda Zimmer' : 'Max' }))
    .join('\n'),
  fileName: 'tickets.jsonl',
})

const retention = () => call('GET', '/api/retention')
const problems = () => problemsOf(page)

test('keeping messages for a shorter time asks first, keeping them longer does not', async () => {
  await page.goto('/settings/workspace')
  const all = page.getByLabel('How long messages are kept')
  await all.selectOption({ label: '1 year' })
  const dialog = page.getByRole('dialog', { name: 'Delete messages older than 1 year?' })
  await dialog.waitFor()
  expect(await problems()).toEqual([])
  await dialog.getByRole('button', { name: 'Keep' }).click()
  expect([await all.inputValue(), await retention()]).toEqual(['', expect.objectContaining({ days: null })])
  await all.selectOption({ label: '1 year' })
  await dialog.getByRole('button', { name: 'Delete older messages' }).click()
  await toast(page, 'Settings saved').waitFor()
  await page.getByLabel('How long messages of tickets are kept').selectOption({ label: '2 years' })
  await expect.poll(retention).toMatchObject({ days: 365, sources: [{ name: 'tickets', messages: 4, days: 730 }] })
  await page.reload()
  await expect.poll(() => page.getByLabel('How long messages of tickets are kept').inputValue()).toBe('730')
})

test('a person is erased after the effects were shown', async () => {
  await page.goto('/settings/workspace')
  const name = page.getByLabel('Name of the person, as shown with their messages')
  await name.fill('zelda zimmer')
  await name.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Erase all messages of zelda zimmer?' })
  await dialog.getByText('2 messages will be deleted.').waitFor()
  expect(await problems()).toEqual([])
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await toast(page, 'Erased').waitFor()
  await page.getByText('2 messages', { exact: true }).waitFor()
  expect(await retention()).toMatchObject({ sources: [{ messages: 2 }] })
})

test('of many sources some are shown, and the others on request', async () => {
  for (let file = 0; file < 7; file += 1) {
    await call('POST', `/api/imports?name=file${file}.jsonl`, JSON.stringify({ id: '1', text: `Said ${file}` }))
  }
  await stack.grouped()
  await page.goto('/settings/workspace')
  await page.getByText('3 more sources').waitFor()
  const choices = page.getByLabel(/^How long messages of /)
  await expect.poll(() => choices.count()).toBe(5)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => choices.count()).toBe(8)
})
