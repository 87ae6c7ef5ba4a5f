import { DemoClient } from '@groundswell/server/demo/client.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Look, launchBrowser, type Visit, visit } from './browser.ts'
import { eachLook, problemsOf } from './looks.ts'
import { type Stack, startStack } from './stack.ts'
import { sweepTomorrow } from './sweep-tomorrow.ts'
import { toast } from './toast.ts'

const LONG_WAIT = { timeout: 60_000 }

let stack: Stack
let browser: Browser
let token: string
let visited: Visit
let page: Page
/** An insight that people in the chat asked for, and the channel of one of them. */
let issue = 0
let channel = ''

beforeAll(async () => {
  stack = await startStack()
  browser = await launchBrowser()
  token = await stack.signUp({ email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
  await new DemoClient(stack.url, token).signInAt('slack')
  await vi.waitFor(async () => {
    const { connectors } = (await stack.call(token, 'GET', '/api/connectors')) as Connectors
    if (connectors[0]?.connection.last_sync === null) throw new Error('not synced yet')
  }, LONG_WAIT)
  await stack.grouped()
  const [first] = (await stack.call(token, 'GET', '/api/insights/get-all')) as { issue_number: number }[]
  issue = first?.issue_number ?? 0
  await stack.call(token, 'PUT', '/api/insights/team-status', {
    changes: [{ issue_number: issue, team_status: 'shipped' }],
  })
  channel = (await replies()).conversations[0]?.place ?? ''
}, 120_000)
afterAll(async () => {
  await browser.close()
  await stack.stop()
})
beforeEach(() => look({}))
afterEach(async () => {
  if (visited.faults.length > 0) throw new Error(visited.faults.join('\n'))
  await visited.close()
})

type Connectors = { connectors: { connection: { last_sync: string | null } }[] }
type Replies = { conversations: { place: string; reply: { state: string } | null }[] }

async function look(options: Look): Promise<void> {
  visited = await visit(browser, stack.url, { token, ...options })
  page = visited.page
}

async function reopen(options: Look): Promise<Page> {
  await visited.close()
  await look(options)
  return page
}

const replies = async () => (await stack.call(token, 'GET', `/api/insights/${issue}/replies`)) as Replies
const section = () =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Post to Slack', exact: true }) })
const replyDialog = () => page.getByRole('dialog', { name: 'Reply in thread' })
const asked = () => page.getByRole('region', { name: 'Who asked' })

test('posting is allowed with a second consent, and a digest is previewed and then posted to a channel', async () => {
  await page.goto('/settings')
  await section().getByRole('button', { name: 'Allow posting…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Allow posting to Slack' })
  await dialog.getByText('It cannot read messages').waitFor()
  await dialog.getByLabel('Client ID').fill(stack.slack.postingApp.clientId)
  await dialog.getByLabel('Client secret').fill(stack.slack.postingApp.clientSecret)
  expect(await problemsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save and continue to Slack' }).click()
  await page.getByRole('heading', { name: 'Groundswell wants to post to your Slack' }).waitFor()
  expect(new URL(page.url()).searchParams.get('scope')).toBe('chat:write,channels:read,groups:read')
  await page.getByRole('button', { name: 'Allow' }).click()
  await toast(page, 'Posting is allowed').waitFor()
  await section().getByText('Signed in to Tallybrook').waitFor()
  stack.slack.invitePoster(channel.slice(1))
  await section().getByRole('button', { name: 'Add a channel…' }).click()
  const add = page.getByRole('dialog', { name: 'Add a channel' })
  const preview = await add.locator('pre').innerText()
  expect(preview).toContain('Waiting for review')
  expect(await problemsOf(page)).toEqual([])
  await add.getByRole('button', { name: 'Turn on' }).click()
  await section().getByText(`Set by Ann`).waitFor()
  expect(await page.locator('button[type=submit]').count()).toBe(1)
  await sweepTomorrow(stack, 'post-sweep')
  const [digest] = stack.slack.posted()
  expect(digest?.text).toContain(preview.split('\n')[0])
  await eachLook(
    'posting-settings',
    async (options) => {
      await reopen(options)
      await page.goto('/settings')
      return page
    },
    async () => {
      await section().getByText('Sent', { exact: true }).waitFor()
      await section().getByRole('button', { name: 'More…' }).click()
      await section().scrollIntoViewIfNeeded()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )
})

test('who asked gets a reply in the thread after a look at its text, and is marked as told', async () => {
  await page.goto(`/insights?issue=${issue}`)
  await asked().getByRole('button', { name: 'Reply in thread…' }).click()
  const text = replyDialog().getByLabel('Text')
  expect(await text.inputValue()).toContain('The change is available now')
  await text.fill('It is there <!channel>')
  const rows = replyDialog().getByRole('listitem')
  await rows.first().waitFor()
  for (const row of (await rows.all()).slice(1)) await row.getByRole('checkbox').uncheck()
  await replyDialog().getByRole('button', { name: 'Post the reply' }).click()
  await replyDialog().getByText('Replied by Ann').waitFor(LONG_WAIT)
  expect(stack.slack.posted().at(-1)).toMatchObject({ text: 'It is there &lt;!channel&gt;' })
  expect(stack.slack.posted().at(-1)?.root).not.toBeNull()
  await replyDialog().getByRole('listitem').first().getByRole('checkbox').check()
  await replyDialog().getByText('It gets another one').waitFor()
  await page.keyboard.press('Escape')
  await asked()
    .getByText(/Told by Ann/)
    .first()
    .waitFor()
  await eachLook(
    'reply-in-thread',
    async (options) => {
      await reopen(options)
      await page.goto(`/insights?issue=${issue}`)
      return page
    },
    async () => {
      await asked().getByRole('button', { name: 'Reply in thread…' }).click()
      await replyDialog().getByText('Replied by Ann').waitFor()
    },
  )
})
