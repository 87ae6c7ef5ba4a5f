import { afterAll, beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { startLanguageModel } from './language-model.ts'
import { problemsInLooks } from './looks.ts'
import { sweepNow } from './sweeps.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

const EXPORTS = [
  'CSV export fails for large reports',
  'the csv export fails when the report is large',
  'Export of a large report to CSV fails again',
  'large reports: CSV export fails with an error',
  'my CSV export fails, the report has 40 thousand rows',
  'the CSV export of our large report fails every time',
]
const STRANGER = 'CSV export: please let us choose the separator of the file'
const LOGINS = [
  'I cannot log in with single sign-on',
  'single sign-on login does not work, I cannot log in',
  'cannot log in by single sign-on since this morning',
  'our people cannot log in with single sign-on',
  'log in with single sign-on is broken, we cannot get in',
]

/** Three more insights. */
const MORE = [
  'Please add a dark mode to the mobile app',
  'a dark mode for the mobile app please',
  'the mobile app needs a dark mode',
  'dark mode in the mobile app would be great',
  'I want a dark mode in your mobile app',
  'The invoice shows the wrong tax number',
  'wrong tax number on the invoice again',
  'the tax number on my invoice is wrong',
  'our invoice has the wrong tax number',
  'Tax number on the invoice is wrong',
  'Search finds no archived projects',
  'archived projects are missing in search',
  'search does not find archived projects',
  'I cannot find archived projects by search',
  'archived projects do not appear in search results',
]

let exports: number
/** The model finds neither strangers nor controls. */
let isBlind = false
let model: Awaited<ReturnType<typeof startLanguageModel>>

afterAll(() => model.stop())
useAnn(async () => {
  model = await startLanguageModel(
    () => [],
    // The controls of a review are about something else too.
    (text, name) => !isBlind && (text === STRANGER || /export/i.test(text) !== /export/i.test(name)),
  )
  return { config: { llm: model.llm } }
})
beforeAll(async () => {
  await upload([...EXPORTS, ...LOGINS])
  await upload([STRANGER])
  const list = (await stack.call(token, 'GET', '/api/insights/get-all')) as Listed[]
  exports = list.find(({ issue_name: name }) => /export/i.test(name))?.issue_number ?? 0
})

async function upload(texts: readonly string[]) {
  const rows = texts.map((text) => `"${text}",${text.length}`)
  await stack.call(token, 'POST', '/api/imports?name=f.csv', `message,customer\n${rows.join('\n')}`)
  await stack.grouped()
}

type Listed = { issue_number: number; issue_name: string }

/** Whether a message is in an insight. */
async function isIn(issue: number, text: string): Promise<boolean> {
  const { mentions } = (await stack.call(token, 'GET', `/api/insights/${issue}/evidence?limit=50`)) as {
    mentions: { text: string }[]
  }
  return mentions.some((one) => one.text === text)
}

const state = () => stack.call(token, 'GET', '/api/reading')

test('an owner switches reviews on and off, and undoes a review in the history of the insight', async () => {
  expect(await isIn(exports, STRANGER)).toBe(true)
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/settings/server')
  const choice = page.getByRole('combobox', { name: 'Which messages the language model reads' })
  await page.getByText(/^The server may use 200,000 tokens a day/).waitFor()
  await page.getByText('Off. Messages are grouped by their own words.').waitFor()
  await expect.poll(() => page.getByText('Review insights', { exact: true }).count()).toBe(0)
  await choice.selectOption('all')
  const before = page.getByRole('dialog', { name: 'Read new and stored messages?' })
  await before.getByText(/2 of 2 insights may grow, be merged or split, or end\./).waitFor()
  expect(await problemsInLooks(page, 'reading-consent')).toEqual([])
  await before.getByRole('button', { name: 'Cancel' }).click()
  await choice.selectOption('new')
  const dialog = page.getByRole('dialog', { name: 'Read new messages?' })
  await dialog.getByText(/Stored messages are not read\./).waitFor()
  await dialog.getByRole('button', { name: 'Read messages' }).click()
  await page.getByText('Up to date. Switched on by Ann.').waitFor()

  const row = page.getByText('Review insights', { exact: true }).locator('xpath=../..')
  await row.getByText(/Off\. 2 insights to review now, for about [0-9,]+ to [0-9,]+ tokens\./).waitFor()
  await row.getByRole('button', { name: 'Switch on' }).click()
  await row.getByText(/On\. 2 insights to review now/).waitFor()
  expect(await state()).toMatchObject({ scope: 'new', reviews: true })
  expect(await problemsInLooks(page, 'reviews')).toEqual([])

  // Each sweep starts one task.
  const reviewed = async () => {
    await sweepNow(stack, 'describe-sweep')
    return isIn(exports, STRANGER)
  }
  await expect.poll(reviewed).toBe(false)
  await page.goto(`/insights?issue=${exports}&tab=activity`)
  const panel = page.getByRole('dialog').first()
  const entry = panel.getByRole('listitem').filter({ hasText: /the language model moved/i })
  await entry.waitFor()
  expect(await problemsInLooks(page, 'reviewed')).toEqual([])
  await entry.getByRole('button', { name: /^Undo/ }).click()
  await panel.getByRole('listitem').filter({ hasText: '1 mention added by Ann' }).waitFor()
  await expect.poll(() => isIn(exports, STRANGER)).toBe(true)
  await entry.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' })

  await page.goto('/settings/server')
  await row.getByRole('button', { name: 'Switch off' }).click()
  await row.getByText(/Off\. No insight is to be reviewed now\./).waitFor()
  expect(await state()).toMatchObject({ scope: 'new', reviews: false })
  await choice.selectOption('off')
  await page.getByText('Off. Messages are grouped by their own words.').waitFor()
  expect(await state()).toMatchObject({ scope: 'off', reviews: false })
  await expect.poll(() => page.getByText('Review insights', { exact: true }).count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('a viewer sees what is switched on, and cannot change it', async () => {
  const viewer = await stack.signUp({ email: 'vera@example.com', password: 'long enough to pass', name: 'Vera' })
  const { link } = (await stack.call(token, 'POST', '/api/team/invitations', { role: 'viewer' })) as { link: string }
  await stack.call(viewer, 'POST', '/api/invitations/accept', { token: link.split('#invitation=')[1] })
  await stack.call(token, 'PUT', '/api/reading', { scope: 'new', reviews: true })
  const { page, faults, close } = await visit(browser, stack.url, { token: viewer })
  await page.goto('/settings/server')
  await page.getByText('Up to date. Switched on by Ann.').waitFor()
  await page.getByText(/^On\. /).waitFor()
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Which messages the language model reads' }).count())
    .toBe(0)
  await expect.poll(() => page.getByRole('button', { name: /^Switch (on|off)$/ }).count()).toBe(0)
  await expect(stack.call(viewer, 'PUT', '/api/reading', { scope: 'off' })).rejects.toThrow('403')
  expect(faults).toEqual([])
  await close()
})

test('an owner sees that reviews have stopped because the model is too often wrong, and starts them again', async () => {
  isBlind = true
  await stack.call(token, 'PUT', '/api/reading', { scope: 'off' })
  await upload(MORE)
  await stack.call(token, 'PUT', '/api/reading', { scope: 'new', reviews: true })
  const isStopped = async () => {
    await sweepNow(stack, 'describe-sweep')
    return ((await state()) as { reviews_stopped: boolean }).reviews_stopped
  }
  await expect.poll(isStopped).toBe(true)
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/settings/server')
  const row = page.getByText('Review insights', { exact: true }).locator('xpath=../..')
  await row.getByText(/^Stopped\. /).waitFor()
  await row
    .getByText(/^Of \d+ reviews with control questions, \d+ were wrong: an estimated error rate of \d+%\./)
    .waitFor()
  expect(await problemsInLooks(page, 'reviews-stopped')).toEqual([])
  await row.getByRole('button', { name: 'Start again' }).click()
  await row.getByText(/^On\. /).waitFor()
  await expect.poll(() => row.getByRole('button', { name: 'Start again' }).count()).toBe(0)
  expect(await state()).toMatchObject({ reviews: true, reviews_stopped: false, review_errors: { asked: 0, wrong: 0 } })
  expect(faults).toEqual([])
  await close()
})
