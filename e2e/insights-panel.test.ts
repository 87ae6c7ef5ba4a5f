import { beforeAll, expect, test } from 'vitest'
import { showActivity } from './activity.ts'
import { type Visit, visit } from './browser.ts'
import { connectAsOwner } from './database.ts'
import { seed } from './seed.ts'
import { toast } from './toast.ts'
import { ann, browser, stack, token, useAnn } from './workspace.ts'

const LONG = `${'Before that I waited and waited. '.repeat(150)}${'Nothing else happened. '.repeat(230)}`

useAnn()
beforeAll(async () => {
  await seed(stack, ann.email, { insights: 40, tags: 300, mentions: 6 })
  await sql(`update feedback_item set text = text || ' ' || $1, author = 'د. ليلى' where external_id = '8-1'`, LONG)
  await sql(`update insight set ended_at = now(), merged_into = 8 where issue_number = 9`)
  await sql(`update workspace set revision = revision + 1`)
})

/** Changes the only workspace directly in the database. */
async function sql(text: string, ...values: unknown[]): Promise<void> {
  const client = await connectAsOwner(stack)
  await client.query(
    `select set_config('groundswell.workspace', (select workspace_id::text from session limit 1), false)`,
  )
  await client.query(text, values)
  await client.end()
}

async function open(path: string, look: { width?: 1440 | 390; theme?: 'dark' } = {}): Promise<Visit> {
  const visited = await visit(browser, stack.url, { token, ...look })
  await visited.page.goto(path)
  return visited
}

test('a link opens its insight although the filter leaves it out', async () => {
  const { page, close } = await open('/insights?status=pushed&issue=8')
  const panel = page.getByRole('dialog')
  await panel.getByRole('heading', { name: 'Webhook is slow 8' }).waitFor()
  await page.getByRole('status').filter({ hasText: '8 of 39' }).waitFor()
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Webhook is slow 8' }).count()).toBe(0)
  await close()
})

test.each([1440, 390] as const)('Back closes the panel and Forward reopens it, at %i px', async (width) => {
  const { page, faults, close } = await open('/insights', { width })
  const panel = page.getByRole('dialog')
  const heading = panel.getByRole('heading', { level: 2 }).first()
  const rows = page.getByRole('row').filter({ hasText: / is slow \d/ })
  const steps = () => page.evaluate<number>('history.length')
  await rows.first().waitFor()
  const before = await steps()

  await rows.first().click()
  const first = await heading.textContent()
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?issue=\d+$/)
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await rows.first().waitFor()
  await page.goForward()
  await heading.filter({ hasText: first ?? '-' }).waitFor()

  // Another one in its place, by the keyboard, is no further step.
  await page.keyboard.press('j')
  await heading.filter({ hasNotText: first ?? '-' }).waitFor()
  expect(await steps()).toBe(before + 1)
  await page.goBack()
  await panel.waitFor({ state: 'detached' })

  // One that is closed by its button leaves no step behind for each time that it was open.
  for (const _ of [1, 2, 3]) {
    await rows.first().click()
    await panel.getByRole('button', { name: 'Close panel' }).click()
    await panel.waitFor({ state: 'detached' })
  }
  expect(await steps()).toBe(before + 1)
  await rows.first().click()
  await heading.waitFor()
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('an unknown number is reported, and a merged one redirects', async () => {
  const { page, close, faults } = await open('/insights?issue=777')
  const panel = page.getByRole('dialog')
  await panel.getByText('There is no insight #777').waitFor()
  await page.goto('/insights?issue=9')
  await panel.getByText('Insight #9 was merged into #8').waitFor()
  await panel.getByRole('link', { name: 'Show #8' }).click()
  await panel.getByRole('heading', { name: 'Webhook is slow 8' }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the panel counts people and sources, draws the timeline, shows the history, and marks the quote in its message', async () => {
  const { page, close } = await open('/insights?issue=8')
  const panel = page.getByRole('dialog')
  await panel.getByText('File · #support').waitFor()
  await panel.getByRole('img', { name: /^6 mentions by week/ }).waitFor()
  await expect
    .poll(() => panel.locator('section').filter({ hasText: 'People' }).getByRole('listitem').allTextContents())
    .toContain('Cem Probe2')
  const said = panel.getByRole('listitem').filter({ hasText: 'Hello!' })
  await expect.poll(() => said.count()).toBe(6)
  await expect.poll(() => said.locator('mark').first().textContent()).toBe('The export of our reports fails again')
  await expect.poll(() => said.getByRole('link').first().getAttribute('href')).toMatch(/^https:\/\/example\.com\/8\//)
  await showActivity(panel)
  await panel.getByText('+6 new').waitFor()
  await panel.getByText('Absorbed').waitFor()
  await close()
})

test('a message of ten thousand characters is cut around its quote, and shown in full on demand', async () => {
  const { page, close } = await open('/insights', { width: 390 })
  // What a person has opened stays open when it becomes known that mentions can be corrected.
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/insights/8/detail', async (route) => {
    await asked.promise
    await route.continue()
  })
  await page.goto('/insights?issue=8')
  const panel = page.getByRole('dialog')
  const item = panel.getByRole('listitem').filter({ hasText: 'ليلى' }).filter({ hasText: 'Hello!' })
  await item.getByRole('button', { name: 'Show the whole message' }).click()
  const length = async () => (await item.locator('blockquote').textContent())?.length
  await expect.poll(length).toBeGreaterThan(10_000)
  asked.resolve()
  await item.getByRole('button', { name: /^Correct what/ }).waitFor()
  expect(await length()).toBeGreaterThan(10_000)
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await item.getByRole('button', { name: 'Show less' }).click()
  await expect.poll(length).toBeLessThan(400)
  await close()
})

test('a manually set tag overrides the engine until it is handed back', async () => {
  const { page, close } = await open('/insights?issue=11')
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Edit tags' }).click()
  const area = panel.getByLabel('Area', { exact: true })
  await expect.poll(() => area.inputValue()).toBe('Sign-in')
  await area.fill('Passkeys')
  await area.press('Enter')
  const back = panel.getByRole('button', { name: 'Set Area automatically' })
  await back.waitFor()
  await sql(`update insight_tag set value = '"Search"' where issue_number = 11 and tag = 'Area' and set_by = 'engine'`)
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'Cannot log in after the update 11' })
  await row.getByText('Passkeys').waitFor()
  await showActivity(panel)
  await panel.getByText('Area set to “Passkeys” manually').waitFor()
  await panel.getByRole('tab', { name: 'Insight' }).click()
  await panel.getByRole('button', { name: 'Edit tags' }).click()
  await back.click()
  await row.getByText('Search').waitFor()
  await close()
})

test('of three hundred tag columns only those in view are in the document', async () => {
  const { page, close, faults } = await open('/insights')
  await page.getByRole('columnheader', { name: 'Tag number 4', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('columnheader').count()).toBe(10)
  const all = Object.fromEntries(Array.from({ length: 300 }, (_, place) => [`tag:Tag number ${place + 1}`, true]))
  await page.evaluate(`localStorage.setItem('insight-columns', ${JSON.stringify(JSON.stringify(all))})`)
  await page.reload()
  for (const [left, tag] of [
    [0, 'Tag number 3'],
    [19_000, 'Tag number 150'],
    [99_000, 'Tag number 300'],
  ] as const) {
    await page.locator('[data-row]').first().waitFor()
    await page.evaluate(`document.querySelector('table').parentElement.scrollLeft = ${left}`)
    await page.getByRole('columnheader', { name: tag, exact: true }).waitFor()
    await expect.poll(() => page.getByRole('columnheader').count()).toBeLessThan(25)
  }
  const apart = async () => {
    const value = await page.getByText('Value 300').boundingBox()
    const head = await page.getByRole('columnheader', { name: 'Tag number 300', exact: true }).boundingBox()
    return Math.abs((value?.x ?? 0) - (head?.x ?? 1_000))
  }
  await expect.poll(apart).toBeLessThan(16)
  await page.locator('button[aria-haspopup=dialog]').filter({ hasText: 'Columns' }).click()
  await page.getByLabel('Search in Columns').fill('number 299')
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(1)
  expect(faults).toEqual([])
  await close()
})

test('a push is tracked until it has arrived', async () => {
  await sql(`update workspace set settings = settings || '{"min_inputs": 10}'`)
  await stack.call(token, 'POST', '/api/webhook/add', { webhook: stack.receiver.hookUrl })
  await stack.call(token, 'GET', '/api/webhook/signing-secret')
  const { page, close } = await open('/insights?issue=10')
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Push' }).click()
  await page
    .getByText(/was delivered\.$/)
    .first()
    .waitFor({ timeout: 60_000 })
  await panel.getByText('Delivered', { exact: true }).waitFor({ timeout: 60_000 })
  await panel.getByText('to Webhook').waitFor()
  await panel.getByRole('button', { name: 'Push' }).waitFor({ state: 'detached' })
  await sql(`update delivery set remote_url = 'https://tracker.example/10' where issue_number = 10`)
  await page.reload()
  await showActivity(panel)
  await expect
    .poll(() => panel.getByRole('link', { name: 'Open in Webhook' }).getAttribute('href'))
    .toBe('https://tracker.example/10')
  await close()
})

test('the ledger is filtered by destination and state, in its address', async () => {
  const { page, close } = await open('/deliveries')
  const rows = page.getByRole('row').filter({ hasText: 'New insight to Webhook' })
  await rows.first().waitFor()
  await page.getByLabel('State').selectOption('Failed')
  await page.getByText('Delivery not found').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?state=failed')
  await page.getByRole('button', { name: 'Show all' }).click()
  await rows.first().waitFor()
  await page.getByLabel('Destination').selectOption('Linear')
  await page.getByText('Delivery not found').waitFor()
  await page.goto('/deliveries?destination=webhook&state=delivered')
  await rows.first().click()
  await page.getByRole('dialog').getByRole('link', { name: 'https://tracker.example/10' }).waitFor()
  await close()
})

test('why an item was closed without being done is told beside the status; of one that was done, nothing', async () => {
  await sql(`
    insert into remote_item (workspace_id, connection_id, issue_number, remote_id, label, state, state_name, declined, created_at)
    select workspace_id, connection_id, issue_number, '10', '#10', 'closed', 'Not planned', true, now()
    from delivery where issue_number = 10 limit 1`)
  await sql(`update delivery set remote_id = '10' where issue_number = 10`)
  const { page, close } = await open('/insights?issue=10')
  const panel = page.getByRole('dialog')
  const reason = panel.getByText('Closed in Webhook: Not planned', { exact: true })
  await reason.waitFor()
  await sql(`update remote_item set state_name = 'Completed', declined = false where issue_number = 10`)
  await page.reload()
  await showActivity(panel)
  await panel.getByText('Closed: Completed').waitFor()
  await expect.poll(() => reason.count()).toBe(0)
  await close()
})

test('with two destinations connected a push asks which, also the first one after the second was connected; left out, one is not pushed to', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token })
  type Listed = { manifest: { id: string }; connection: object | null }
  let connected: 'none known' | 'one' | 'two' = 'none known'
  await page.route('**/api/connectors', async (route) => {
    if (connected === 'none known') return route.fulfill({ status: 500, json: { detail: 'Try again later.' } })
    const answer = await route.fetch()
    const { connectors, ...rest } = (await answer.json()) as { connectors: Listed[] }
    const connection = connectors.find(({ manifest }) => manifest.id === 'webhook')?.connection ?? null
    for (const one of connectors) if (connected === 'two' && one.manifest.id === 'linear') one.connection = connection
    await route.fulfill({ response: answer, json: { ...rest, connectors } })
  })
  const pushes: unknown[] = []
  page.on('request', (request) => {
    if (/\/api\/insights\/\d+\/push$/.test(request.url())) pushes.push(request.postDataJSON())
  })
  await page.goto('/insights?issue=15')
  const before = page.getByRole('dialog').filter({ hasText: '#15' })
  await before.getByRole('button', { name: 'Push', exact: true }).click()
  await toast(page, 'Not pushed').waitFor()
  expect(pushes).toEqual([])
  connected = 'one'
  await before.getByRole('button', { name: 'Push', exact: true }).click()
  await before.getByText('to Webhook').waitFor({ timeout: 60_000 })
  expect(pushes.splice(0)).toEqual([{}])
  connected = 'two'
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('times out 20')
  await page.getByRole('row').filter({ hasText: 'times out 20' }).click()
  const panel = page.getByRole('dialog').filter({ hasText: '#20' })
  const asked = page.getByRole('dialog', { name: 'Push to' })
  await panel.getByRole('button', { name: 'Push', exact: true }).click()
  await expect.poll(() => asked.getByRole('checkbox', { name: 'Webhook' }).isChecked()).toBe(true)
  await asked.getByRole('checkbox', { name: 'Webhook' }).uncheck()
  await asked.getByRole('checkbox', { name: 'Linear' }).uncheck()
  await expect.poll(() => asked.getByRole('button', { name: 'Push', exact: true }).isDisabled()).toBe(true)
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'detached' })
  expect(pushes).toEqual([])
  await panel.getByRole('button', { name: 'Push', exact: true }).click()
  await asked.getByRole('checkbox', { name: 'Linear' }).uncheck()
  await asked.getByRole('button', { name: 'Push', exact: true }).click()
  await panel.getByText('to Webhook').waitFor({ timeout: 60_000 })
  expect(pushes).toEqual([{ destinations: ['webhook'] }])
  expect(faults).toEqual([])
  await close()
})
