import { DemoClient } from '@groundswell/server/demo/client.ts'
import { expect, test, vi } from 'vitest'
import { problemsInLooks, problemsOf } from './looks.ts'
import { sweepTomorrow } from './sweeps.ts'
import { toast } from './toast.ts'
import { call, page, stack, token, useWorkspace } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }

/** An insight that people in the chat asked for, and the channel of one of them. */
let issue = 0
let channel = ''

useWorkspace({
  prepare: async () => {
    await new DemoClient(stack.url, token).signInAt('slack')
    await vi.waitFor(async () => {
      const { connectors } = (await call('GET', '/api/connectors')) as Connectors
      if (connectors[0]?.connection.last_sync === null) throw new Error('not synced yet')
    }, LONG_WAIT)
    await stack.grouped()
    const [first] = (await call('GET', '/api/insights/get-all')) as { issue_number: number }[]
    issue = first?.issue_number ?? 0
    await call('PUT', '/api/insights/team-status', {
      changes: [{ issue_number: issue, team_status: 'shipped' }],
    })
    channel = (await replies()).conversations[0]?.place ?? ''
  },
})

type Connectors = { connectors: { connection: { last_sync: string | null } }[] }
type Replies = { conversations: { place: string; reply: { state: string } | null }[] }

const replies = async () => (await call('GET', `/api/insights/${issue}/replies`)) as Replies
const section = () =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Post to Slack', exact: true }) })
const replyDialog = () => page.getByRole('dialog', { name: 'Reply in thread' })
const asked = () => page.getByRole('region', { name: 'Who asked' })

test('posting is allowed with a second consent, and a digest is previewed and then posted to a channel', async () => {
  await page.goto('/settings/notifications')
  await section().getByRole('button', { name: 'Allow posting…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Allow posting to Slack' })
  await dialog.getByText('It cannot read messages').waitFor()
  await dialog.getByLabel('Client ID').fill(stack.slack.postingApp.clientId)
  await dialog.getByLabel('Client secret').fill(stack.slack.postingApp.clientSecret)
  expect(await problemsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save and continue to Slack' }).click()
  await page.getByRole('heading', { name: 'Groundswell wants to post to your Slack' }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('scope')).toBe('chat:write,channels:read,groups:read')
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
  await expect.poll(() => page.locator('button[type=submit]').count()).toBe(1)
  await sweepTomorrow(stack, 'post-sweep')
  const [digest] = stack.slack.posted()
  expect(digest?.text).toContain(preview.split('\n')[0])
  await page.goto('/settings/notifications')
  await section().getByText('Sent', { exact: true }).waitFor()
  await section().getByRole('button', { name: 'More…' }).click()
  await section().scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'posting-settings')).toEqual([])
})

test('who asked gets a reply in the thread after a look at its text, and is marked as told', async () => {
  await page.goto(`/insights?issue=${issue}`)
  await asked().getByRole('button', { name: 'Reply in thread…' }).click()
  const text = replyDialog().getByLabel('Text')
  await expect.poll(() => text.inputValue()).toContain('The change is available now')
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
  await page.goto(`/insights?issue=${issue}`)
  await asked().getByRole('button', { name: 'Reply in thread…' }).click()
  await replyDialog().getByText('Replied by Ann').waitFor()
  expect(await problemsInLooks(page, 'reply-in-thread')).toEqual([])
})
