import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { showActivity } from './activity.ts'
import { visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { hold, toast, undoFromToast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

type Listed = { issue_number: number; issue_name: string; summary: string; status: string; mention_count: number }
type Topic = 'export' | 'login' | 'dark'

const about: Record<Topic, RegExp> = { export: /export/i, login: /log in/i, dark: /dark mode/i }

/** The numbers of the three insights, and everything about them as grouping left it. */
let numbers: Record<Topic, number>
let asGrouped: string

useAnn({ file: csvOf(peopleSaying) })
beforeAll(async () => {
  if ((await counts()).length !== 3) throw new Error('the feedback did not become three insights')
  const all = await list()
  const numberOf = (topic: Topic) => all.find((one) => about[topic].test(one.issue_name))?.issue_number ?? 0
  numbers = { export: numberOf('export'), login: numberOf('login'), dark: numberOf('dark') }
  asGrouped = await everything()
})

async function list(): Promise<Listed[]> {
  return (await stack.call(token, 'GET', '/api/insights/get-all')) as Listed[]
}

/** How many mentions each insight has, fewest first. */
async function counts(): Promise<number[]> {
  return (await list()).map((one) => one.mention_count).sort((a, b) => a - b)
}

async function mentionsOf(number: number): Promise<string[]> {
  const reply = await stack.call(token, 'GET', `/api/insights/${number}/evidence`)
  return (reply as { mentions: { id: string }[] }).mentions.map((one) => one.id).sort()
}

/** Every insight with its name, summary, status and mentions, as a text to compare. */
async function everything(): Promise<string> {
  const all = await list()
  const lines = all.map(async ({ issue_number, issue_name, summary, status }) =>
    JSON.stringify([issue_number, issue_name, summary, status, await mentionsOf(issue_number)]),
  )
  return (await Promise.all(lines)).sort().join('\n')
}

const isAsGrouped = () => expect.poll(everything).toBe(asGrouped)
const countOf = async (topic: Topic) => (await list()).find((one) => one.issue_number === numbers[topic])?.mention_count

async function open(topic: Topic) {
  const visited = await visit(browser, stack.url, { token })
  await visited.page.goto(`/insights?issue=${numbers[topic]}`)
  const panel = visited.page.getByRole('dialog').first()
  await panel.getByRole('button', { name: 'Correct this insight' }).waitFor()
  const choose = async (entry: string) => {
    await panel.getByRole('button', { name: 'Correct this insight' }).click()
    await visited.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  const ofMention = async (text: string, entry: string) => {
    await panel
      .getByRole('listitem')
      .filter({ hasText: text })
      .getByRole('button', { name: /^Correct what/ })
      .click()
    await visited.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  return { ...visited, panel, choose, ofMention }
}

const active = (page: Page) => page.evaluate('document.activeElement?.getAttribute("aria-label")')

test('a merge by keyboard alone: chosen by name, previewed, opened, and undone from the toast', async () => {
  const { page, panel, faults, close } = await open('dark')
  await panel.getByRole('button', { name: 'Correct this insight' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Merge into…' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const box = page.getByRole('combobox', { name: 'Merge into' })
  await box.waitFor()
  await expect.poll(() => active(page)).toBe('Merge into')
  await expect.poll(() => page.getByRole('option').count()).toBe(2)
  await page.keyboard.type('csv export')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByText(`2 mentions of 2 people move to #${numbers.export}; #${numbers.dark} is removed.`).waitFor()
  await page.getByText('4 → 6 mentions').waitFor()
  expect(await everything()).toBe(asGrouped)
  await page.getByRole('button', { name: 'Merge', exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  // Under the pointer it stays until the undo below.
  await hold(toast(page, 'Merged'))
  expect(await countOf('export')).toBe(6)
  await expect.poll(() => page.url()).toContain(`issue=${numbers.export}`)
  await undoFromToast(page, 'Merged')
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('an insight that was merged away can be brought back from its own address', async () => {
  const { page, panel, choose, faults, close } = await open('dark')
  await choose('Merge into…')
  await page.getByRole('option', { name: about.login }).click()
  await page.getByText('3 → 5 mentions').waitFor()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await toast(page, 'Merged').waitFor()
  await page.goto(`/insights?issue=${numbers.dark}`)
  await panel.getByText(`Insight #${numbers.dark} was merged into #${numbers.login}.`).waitFor()
  await panel.getByRole('button', { name: /^Undo/ }).click()
  await panel.getByText('Please add a dark mode to the app').first().waitFor()
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('Escape closes the choice and returns the focus to the menu; the panel stays', async () => {
  const { page, panel, choose, close } = await open('dark')
  for (const [entry, there] of [
    ['Merge into…', page.getByRole('combobox', { name: 'Merge into' })],
    ['Rename', panel.getByLabel('Name', { exact: true })],
    ['Split…', panel.getByRole('button', { name: 'Move to a new insight' })],
  ] as const) {
    await choose(entry)
    await there.waitFor()
    await page.keyboard.press('Escape')
    await there.waitFor({ state: 'detached' })
    await expect.poll(() => active(page)).toBe('Correct this insight')
  }
  await close()
})

test('selected mentions become their own insight; the history shows it and undoes it', async () => {
  const { page, panel, choose, faults, close } = await open('export')
  await choose('Split…')
  const split = panel.getByRole('button', { name: 'Move to a new insight' })
  await expect.poll(() => split.isDisabled()).toBe(true)
  await panel.getByRole('checkbox', { name: /^Ann: The CSV export fails/ }).check()
  await panel.getByRole('checkbox', { name: /^Bob: CSV export fails/ }).check()
  await panel.getByText('2 mentions become a separate insight.').waitFor()
  await panel.getByText('4 → 2 mentions').waitFor()
  await split.click()
  await toast(page, 'Split').waitFor()
  await expect.poll(counts).toEqual([2, 2, 2, 3])
  await showActivity(panel)
  const history = panel.locator('section').filter({ has: page.getByRole('heading', { name: 'History' }) })
  const line = history.getByRole('listitem').filter({ hasText: '2 mentions moved to a new insight' })
  await line.getByRole('button', { name: /^Undo/ }).click()
  await line.getByText('undone by Ann').waitFor()
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('one mention moves to another insight, which shows who moved it', async () => {
  const { page, panel, ofMention, faults, close } = await open('export')
  await ofMention('Our CSV export of a large report', 'Move to…')
  await page.getByRole('combobox', { name: 'Move to' }).waitFor()
  await page.getByRole('option', { name: about.login }).click()
  await page.getByText(`1 mention moves to #${numbers.login}.`).waitFor()
  await page.getByText('3 → 4 mentions').waitFor()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await toast(page, 'Moved').waitFor()
  expect(await countOf('login')).toBe(4)
  await page.goto(`/insights?issue=${numbers.login}`)
  await ofMention('Our CSV export of a large report', 'Why here?')
  const why = panel.getByRole('region', { name: 'Why here?' })
  await why.getByText(/^Ann decided this on/).waitFor()
  await showActivity(panel)
  const history = panel.locator('section').filter({ has: page.getByRole('heading', { name: 'History' }) })
  const line = history.getByRole('listitem').filter({ hasText: `1 mention moved here from #${numbers.export}` })
  await line.getByRole('button', { name: /^Undo/ }).click()
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('“not this” removes a mention immediately, and its undo puts it back', async () => {
  const { page, panel, ofMention, faults, close } = await open('login')
  const gone = panel.getByRole('listitem').filter({ hasText: 'Cannot log in after the update' })
  await ofMention('Cannot log in after the update', 'Not this')
  // Under the pointer it stays until the undo below.
  await hold(toast(page, 'Removed'))
  await gone.waitFor({ state: 'detached' })
  expect(await countOf('login')).toBe(2)
  // The focus is on a mention beside it: the panel does not jump to the heading.
  await expect.poll(() => panel.locator(':focus').getAttribute('aria-label')).toMatch(/^Correct what (Eve|Fay) said$/)
  await undoFromToast(page, 'Removed')
  await gone.waitFor()
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('a name is set manually, kept, and handed back to the engine', async () => {
  const { page, panel, choose, faults, close } = await open('export')
  const box = panel.getByLabel('Name', { exact: true })
  const before = await panel.getByRole('heading', { level: 2 }).textContent()
  await choose('Rename')
  await box.fill('   ')
  await page.keyboard.press('Enter')
  await panel.getByText('An insight needs a name.').waitFor()
  await box.fill('Große Exporte brechen ab')
  await page.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'Große Exporte brechen ab' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Große Exporte brechen ab' }).waitFor()
  await undoFromToast(page, 'Renamed')
  await isAsGrouped()
  await choose('Rename')
  await box.fill('Exports')
  await page.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'Exports', exact: true }).waitFor()
  await choose('Rename')
  await panel.getByRole('button', { name: 'Restore the automatic name' }).click()
  await panel.getByRole('heading', { name: before ?? '' }).waitFor()
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('a lock is visible, explains what it does, and is undone', async () => {
  const { page, panel, choose, faults, close } = await open('login')
  const sign = panel.getByRole('button', { name: 'Locked. Unlock' })
  await choose('Lock')
  await sign.waitFor()
  // At once, while the toast is there.
  await undoFromToast(page, 'Locked')
  await sign.waitFor({ state: 'detached' })
  await choose('Lock')
  // The tooltip is loaded after the icon.
  await expect.poll(() => sign.getAttribute('data-state')).toBe('closed')
  await sign.hover()
  await page.getByRole('tooltip', { name: /^Locked: regrouping does not add or remove/ }).waitFor()
  await sign.click()
  await sign.waitFor({ state: 'detached' })
  await isAsGrouped()
  expect(faults).toEqual([])
  await close()
})

test('why here: who decided, by which words, against what, and that no model was used', async () => {
  const { page, panel, ofMention, close } = await open('export')
  await ofMention('Large reports: the CSV export', 'Why here?')
  const why = panel.getByRole('region', { name: 'Why here?' })
  await why.getByText(/^The engine decided this on/).waitFor()
  await expect
    .poll(() =>
      why
        .getByRole('listitem')
        .filter({ hasText: /^export$/ })
        .count(),
    )
    .toBe(1)
  const chosen = why.locator('[aria-current=true]')
  await expect.poll(() => chosen.getAttribute('href')).toBe(`/insights?issue=${numbers.export}`)
  await why.getByText(/no model was used$/i).waitFor()
  await expect.poll(() => active(page)).toMatch(/^Why here\?/)
  await why.getByRole('button', { name: 'Hide' }).click()
  await expect.poll(() => active(page)).toBe('Correct what Dee said')
  await close()
})

test('failures are shown, and nothing has changed', async () => {
  const { page, panel, ofMention, choose, close } = await open('login')
  await page.route(/\/corrections(\/preview)?$/, async (route) => {
    if (route.request().method() === 'GET') await route.continue()
    else await route.fulfill({ status: 409, json: { code: 'conflict', message: 'The insight has changed meanwhile' } })
  })
  await ofMention('Cannot log in after the update', 'Not this')
  await toast(page, 'Not removed').filter({ hasText: 'The insight has changed meanwhile' }).waitFor()
  await choose('Merge into…')
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.getByRole('alert').filter({ hasText: 'The insight has changed meanwhile' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await panel.getByRole('listitem').filter({ hasText: 'Cannot log in after the update' }).waitFor()
  await close()
})

test('while a correction waits the panel shows it, and then its result automatically', async () => {
  const { page, panel, choose, close } = await open('login')
  let waiting = true
  await page.route(/\/corrections(\/[0-9a-f-]{36})?$/, async (route) => {
    const answer = await route.fetch()
    const text = await answer.text()
    await route.fulfill({ response: answer, body: waiting ? text.replaceAll('"applied"', '"waiting"') : text })
  })
  await choose('Lock')
  await panel.getByText('Locking… It will be applied within seconds.').waitFor()
  await panel.getByRole('progressbar', { name: 'Locking…' }).waitFor()
  await expect.poll(() => toast(page, 'Locked').count()).toBe(0)
  waiting = false
  await panel.getByRole('progressbar').waitFor({ state: 'detached' })
  await undoFromToast(page, 'Locked')
  await isAsGrouped()
  await close()
})

test('a server without these calls shows none of it', async () => {
  const { page, panel, close } = await open('login')
  await page.route(/\/corrections$/, (route) => route.fulfill({ status: 404, json: { detail: 'Not Found' } }))
  const refused = page.waitForResponse(/\/corrections$/)
  await page.reload()
  await refused
  await panel.getByText('Cannot log in after the update').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Correct/ }).count()).toBe(0)
  await showActivity(panel)
  await panel.getByRole('heading', { name: 'History' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^(Correct|Undo)/ }).count()).toBe(0)
  await close()
})
