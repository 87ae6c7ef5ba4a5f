import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks } from './looks.ts'
import { call, page, useWorkspace } from './workspace.ts'

const SAID = { link: null, date: '2026-03-03T09:12:00Z' }
const WHY = {
  rule: 'It agrees with the message that began its conversation.',
  terms: [],
  meant: [],
  replies_to: { ...SAID, id: '1:0', author: 'Bea', text: 'The single sign-on page shows an error and nobody can work' },
  nearest: [
    { ...SAID, id: '2:0', author: 'Cid', text: 'Signing in fails for the whole company', similarity: 0.71 },
    { ...SAID, id: '3:0', author: null, text: 'Locked out since this morning', similarity: 0.638 },
  ],
}

let number: number

useWorkspace({
  file: csvOf(peopleSaying),
  prepare: async () => {
    const [first] = (await call('GET', '/api/insights/get-all')) as { issue_number: number }[]
    number = first?.issue_number ?? 0
  },
  // An engine's name is a guess, and a mention is a reply.
  prepareWindow: async () => {
    await page.route('**/why', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...WHY } })
    })
    await page.route('**/detail', async (route) => {
      const answer = await route.fetch()
      const detail = (await answer.json()) as { name_set_by: string }
      await route.fulfill({ response: answer, json: { ...detail, name_is_guess: detail.name_set_by === 'engine' } })
    })
  },
})

const panel = () => page.getByRole('dialog').first()

test('why here quotes what a mention replies to, and the nearest mentions', async () => {
  await page.goto(`/insights?issue=${number}`)
  await panel()
    .getByRole('button', { name: /^Correct what/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Why here?' }).click()
  const why = panel().getByRole('region', { name: 'Why here?' })
  await why.getByRole('heading', { name: 'Replies to' }).waitFor()
  await why.getByText(WHY.replies_to.text).waitFor()
  await why.getByText('71% similar · Cid').waitFor()
  await why.getByText('Locked out since this morning').waitFor()
  await why.getByText(/^64% similar/).waitFor()
  await expect.poll(() => why.getByText('Shared words').count()).toBe(0)
  await why.scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'why')).toEqual([])
})

test('a name that is a guess is marked as one, until the insight is renamed from there', async () => {
  const mark = () => panel().getByText('Name is a guess')
  await page.goto(`/insights?issue=${number}`)
  await mark().waitFor()
  expect(await problemsInLooks(page, 'guess')).toEqual([])
  // The tooltip is loaded after the mark.
  await panel()
    .locator('[data-state=closed]', { has: page.getByText('Name is a guess') })
    .waitFor()
  // What arrives with the corrections moves the mark.
  await panel().getByRole('button', { name: 'Rename' }).waitFor()
  await mark().hover()
  await page.getByText(/^No short phrase says/).waitFor()
  await panel().getByRole('button', { name: 'Rename' }).click()
  await panel().getByLabel('Name', { exact: true }).fill('Exports stop halfway')
  await page.keyboard.press('Enter')
  await panel().getByRole('heading', { level: 2, name: 'Exports stop halfway' }).waitFor()
  await expect.poll(() => mark().count()).toBe(0)
})
