import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { untilLoaded, visit } from './browser.ts'
import { connectAsOwner } from './database.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsOf } from './looks.ts'
import { browser, stack, useStack } from './workspace.ts'

const PASSWORD = 'long enough to pass'

/** What ends the visit, leaves the app or belongs to the account: never clicked. */
const NOT_CLICKED =
  /^(Log out|Leave…|Sign out.*|Delete (my )?account.*|Export.*|Change.*|Set up.*|Collapse.*|Expand.*|Close panel)$/

let viewer: string
let issue: number
let imported: string

useStack()
beforeAll(async () => {
  const ann = await stack.signUp({ email: 'ann@example.com', password: PASSWORD, name: 'Ann' })
  const settings = {
    method: 'auto',
    min_inputs: 3,
    categories: [{ name: 'Area', description: 'Which part of the product a message is about, in one word' }],
  }
  await stack.call(ann, 'POST', '/api/user/update-settings', settings)
  await stack.call(ann, 'POST', '/api/webhook/add', { webhook: stack.receiver.url })
  const made = (await stack.call(ann, 'POST', '/api/imports?name=f.csv', csvOf(peopleSaying))) as { id: string }
  imported = made.id
  await stack.grouped()
  const list = (await stack.call(ann, 'GET', '/api/insights/get-all')) as { issue_number: number }[]
  issue = list[0]?.issue_number ?? 0
  await stack.call(ann, 'POST', '/api/insights/themes', { name: 'Exports' })
  await suggest(list.map((one) => one.issue_number).slice(0, 2))
  viewer = await stack.signUp({ email: 'vera@example.com', password: PASSWORD, name: 'Vera' })
  const { link } = (await stack.call(ann, 'POST', '/api/team/invitations', { role: 'viewer' })) as { link: string }
  await stack.call(viewer, 'POST', '/api/invitations/accept', { token: link.split('#invitation=')[1] })
})

/** Adds what only the sentence encoder finds: an emerging insight, and two insights that look like one issue. */
async function suggest(numbers: number[]): Promise<void> {
  const client = await connectAsOwner(stack)
  try {
    const { rows } = await client.query<{ id: string }>('select workspace_id as id from session limit 1')
    const workspace = rows[0]?.id
    await client.query('begin')
    await client.query(`select set_config('groundswell.workspace', $1, true)`, [workspace])
    await client.query(
      `insert into emerging_insight (workspace_id, number, name, summary, described_hash, hidden, mention_count, people_count)
       values ($1, 1000000001, 'Invoices are late', 'They are late', '', false, 2, 2)`,
      [workspace],
    )
    await client.query(
      `update statement set emerging_number = 1000000001 where workspace_id = $1 and issue_number is null`,
      [workspace],
    )
    await client.query('insert into merge_suggestion (workspace_id, issue_numbers, score) values ($1, $2, 1)', [
      workspace,
      numbers.toSorted((one, other) => one - other),
    ])
    await client.query('update workspace set revision = revision + 1 where workspace_id = $1', [workspace])
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Every control that can be seen and used, by its place in the document. */
const controls = (page: Page) =>
  page.locator(
    'main button:enabled, [role=dialog] button:enabled, main [role=switch]:enabled, main input:enabled, main textarea:enabled, main select:enabled',
  )

/** Uses each control of a screen once: clicks it, types into it, presses the keys that it names. Returns how many. */
async function useAll(page: Page, address: string): Promise<number> {
  const open = async () => {
    await page.goto(address)
    await page.getByRole('main').waitFor()
    await untilLoaded(page)
  }
  await open()
  const count = await controls(page).count()
  for (let place = 0; place < count; place += 1) {
    const found = controls(page).nth(place)
    if (!(await found.isVisible().catch(() => false))) continue
    // This element: closing what the control before it opened may still change what is at this place.
    const control = await found.elementHandle({ timeout: 2_000 }).catch(() => null)
    if (control === null) continue
    const name = (await control.getAttribute('aria-label')) ?? (await control.innerText().catch(() => ''))
    if (NOT_CLICKED.test(name.trim())) continue
    const keys = await control.getAttribute('aria-keyshortcuts')
    await control.click({ timeout: 2_000 }).catch(() => undefined)
    for (const key of keys?.split(' ') ?? []) await page.keyboard.press(key).catch(() => undefined)
    // What a menu offers is a control too.
    const entries = page.getByRole('menuitem')
    if ((await entries.count()) > 0 && !name.startsWith('Account of')) {
      await entries
        .first()
        .click({ timeout: 2_000 })
        .catch(() => undefined)
    }
    await page.keyboard.press('Escape')
    if (new URL(page.url()).pathname !== new URL(address, stack.url).pathname) await open()
  }
  return count
}

test.each([
  '/insights',
  '/insights?issue={issue}',
  '/insights?group=theme',
  '/ungrouped',
  '/integrations',
  '/settings',
  '/settings/you',
  '/settings/workspace',
  '/settings/team',
  '/settings/notifications',
  '/settings/server',
  '/import',
  '/import?import={imported}',
  '/customers',
  '/reports',
  '/deliveries',
])('nothing that a viewer is offered at %s is refused', async (path) => {
  const { page, faults, close } = await visit(browser, stack.url, { token: viewer })
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(`${page.url()}: ${answer.request().method()} ${answer.url()}`)
  })
  page.on('dialog', (dialog) => void dialog.dismiss())
  await useAll(page, path.replace('{issue}', String(issue)).replace('{imported}', imported))
  expect(refused).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('a viewer sees who works on an insight and comments on it, and no control that changes it', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token: viewer })
  await page.goto(`/insights?issue=${issue}&tab=activity`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'Write a comment' }).waitFor()
  const names = await panel
    .getByRole('button')
    .evaluateAll((all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label') ?? one.textContent),
    )
  expect(names).toEqual(['Close panel', 'Comment'])
  expect(await problemsOf(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})
