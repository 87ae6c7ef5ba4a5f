import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { showActivity } from './activity.ts'
import { visit } from './browser.ts'
import { picture, problemsInLooks, problemsOf } from './looks.ts'
import { toast } from './toast.ts'
import { browser, stack, useStack } from './workspace.ts'

const ANN = { email: 'ann@example.com', password: 'long enough to pass', name: 'Acme' }
/** More than the time between two polls of the list. */
const POLL_MS = 16_000
const BO = { email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' }

let token: string
let link: string

useStack()
beforeAll(async () => {
  token = await stack.signUp(ANN)
  const items = Array.from({ length: 4 }, (_, index) => ({
    id: `item-${index}`,
    text: `The export to CSV fails with an error on page ${index + 1}`,
    said_at: new Date().toISOString(),
  }))
  const { token: key } = (await stack.call(token, 'POST', '/api/keys', {
    name: 'feed',
    scopes: ['feedback:write'],
    expires_in_days: 30,
  })) as { token: string }
  await stack.call(key, 'POST', '/api/feedback', { items })
  await stack.grouped()
})

const workspaceOf = async (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user-store') ?? '{}').state?.userData?.workspace?.name as string)
const rows = (page: Page) => page.locator('tbody tr[aria-rowindex], tbody tr').filter({ hasText: /CSV|export/i })

const tokenOf = async ({ email, password }: typeof BO) =>
  ((await stack.call('', 'POST', '/api/auth/login', { email, password })) as { token: string }).token

async function switchTo(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: from }).click()
  const dialog = page.getByRole('dialog', { name: 'Your workspaces' })
  await dialog.getByRole('button', { name: `Switch to ${to}` }).waitFor()
  await picture(page, 'workspaces')
  expect(await problemsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: `Switch to ${to}` }).click()
  await expect.poll(() => workspaceOf(page).catch(() => null)).toBe(to)
}

test('an owner invites; another person signs up, joins, and views', async () => {
  const ann = await visit(browser, stack.url, { token })
  await ann.page.goto('/settings/team')
  await ann.page.getByRole('button', { name: 'Invite…' }).click()
  const form = ann.page.getByRole('dialog', { name: 'Invite somebody' })
  await form.getByLabel('Role').selectOption({ label: 'Viewer' })
  await form.getByRole('button', { name: 'Create the link' }).click()
  const shown = ann.page.getByRole('dialog', { name: 'Send this link' })
  link = await shown.getByText(/#invitation=/).innerText()
  expect(await problemsOf(ann.page)).toEqual([])
  await shown.getByRole('button', { name: 'Done' }).click()
  await ann.page.getByText(/Viewer · invited by ann@example\.com · expires/).waitFor()

  // Not signed in: the link leads through the sign-up to its acceptance, and the token leaves the address at once.
  const bo = await visit(browser, stack.url)
  const asked: string[] = []
  bo.page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
  await bo.page.goto(link)
  await bo.page.getByText('Log in, or sign up, to see your invitation.').waitFor()
  await expect.poll(() => new URL(bo.page.url()).hash).toBe('')
  await bo.page.getByRole('link', { name: /Sign up/ }).click()
  await bo.page.getByText('Sign up to see your invitation.').waitFor()
  await bo.page.getByLabel('Name').fill(BO.name)
  await bo.page.getByLabel('Email').fill(BO.email)
  await bo.page.getByLabel('Password', { exact: true }).fill(BO.password)
  await bo.page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await bo.page.getByText('ann@example.com invites you to the workspace Acme as a viewer.').waitFor()
  expect(await problemsOf(bo.page)).toEqual([])
  await bo.page.getByRole('button', { name: 'Join the workspace' }).click()
  await bo.page.waitForURL('**/insights')
  const secret = link.split('#invitation=')[1] ?? 'none'
  expect(asked.filter((one) => one.includes(secret))).toEqual([])

  // A viewer sees the insights and is offered no change.
  await bo.page.getByText('You can view this workspace. To change something, ask an owner.').waitFor()
  await rows(bo.page).first().waitFor()
  await expect.poll(() => bo.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  await rows(bo.page).first().click()
  const panel = bo.page.getByRole('dialog')
  await showActivity(panel)
  await panel.getByRole('textbox', { name: 'Write a comment' }).waitFor()
  await expect.poll(() => panel.getByRole('button', { name: /^(Push|Delete|Correct this insight)$/ }).count()).toBe(0)
  await bo.page.goto('/settings/team')
  await bo.page.getByText('you', { exact: true }).waitFor()
  await expect.poll(() => bo.page.getByRole('button', { name: /Invite…|Manage/ }).count()).toBe(0)
  await bo.page.getByRole('link', { name: 'Push and tags' }).click()
  await bo.page.getByText('Automatic Tags').waitFor()
  await expect.poll(() => bo.page.getByRole('button', { name: 'Save Settings' }).count()).toBe(0)

  expect([...ann.faults, ...bo.faults]).toEqual([])
  await bo.close()
  await ann.close()
})

test('a person in two workspaces switches; what another tab still shows of one is loaded again', async () => {
  const { page, context, faults, close } = await visit(browser, stack.url, { token: await tokenOf(BO) })
  await page.goto('/settings/team')
  const other = await context.newPage()
  await other.goto('/insights')
  await rows(other).first().waitFor()
  // Its next poll would notice the switch before the click.
  const clicked = Promise.withResolvers<void>()
  await other.route('**/api/**', async (route) => {
    await clicked.promise
    await route.continue()
  })
  await switchTo(page, 'Acme', 'Bo')
  // The click asks for an insight by its number, which the workspace switched to might have too.
  await rows(other).first().click()
  const reloaded = other.waitForEvent('load')
  clicked.resolve()
  await reloaded
  await expect.poll(() => rows(other).count()).toBe(0)
  await expect.poll(() => workspaceOf(other)).toBe('Bo')
  await other.close()
  await switchTo(page, 'Bo', 'Acme')
  await rows(page).first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('an owner changes a role and removes the person; the link does not let them in again', async () => {
  const ann = await visit(browser, stack.url, { token })
  const bo = await visit(browser, stack.url, { token: await tokenOf(BO) })
  await ann.page.goto('/settings/team')
  await ann.page.getByRole('button', { name: 'Manage Bo' }).click()
  await ann.page.getByRole('menuitemradio', { name: 'Member' }).click()
  await toast(ann.page, 'Role changed').waitFor()
  await bo.page.clock.install()
  await bo.page.goto('/insights')
  await bo.page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .waitFor()
  // The menu is still open, as after any choice.
  await ann.page.getByRole('menuitem', { name: 'Remove…' }).click()
  await ann.page.getByRole('dialog', { name: 'Remove Bo?' }).getByRole('button', { name: 'Remove' }).click()
  await toast(ann.page, 'Removed').waitFor()
  await ann.page.getByText('bo@example.com').waitFor({ state: 'detached' })
  // The next poll of the list is refused.
  await bo.page.clock.fastForward(POLL_MS)
  await bo.page.waitForURL('**/auth')
  await bo.page.goto(link)
  await bo.page.getByLabel('Email').fill(BO.email)
  await bo.page.getByLabel('Password', { exact: true }).fill(BO.password)
  await bo.page.locator('form').getByRole('button', { name: 'Log in' }).click()
  await bo.page.getByText('This invitation was used or revoked, or has expired.').waitFor()
  expect([...ann.faults, ...bo.faults]).toEqual([])
  await bo.close()
  await ann.close()
})

test('the team, the invitation and its acceptance look good everywhere', async () => {
  const body = { role: 'member', email: 'carl@example.com' }
  const made = (await stack.call(token, 'POST', '/api/team/invitations', body)) as { link: string }
  const { page, faults, close } = await visit(browser, stack.url, { token })
  await page.goto('/settings/team')
  await page.getByText(/carl@example\.com/).waitFor()
  const invite = page.getByRole('button', { name: 'Invite…' })
  await invite.scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'team')).toEqual([])
  await invite.click()
  await page.getByRole('dialog', { name: 'Invite somebody' }).waitFor()
  expect(await problemsInLooks(page, 'invite')).toEqual([])
  await page.goto(made.link)
  await page.getByText('ann@example.com invites you to the workspace Acme as a member.').waitFor()
  expect(await problemsInLooks(page, 'join')).toEqual([])
  expect(faults).toEqual([])
  await close()
})
