import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { problemsInLooks } from './looks.ts'
import { logIn } from './sign-in.ts'
import { browser, stack, useStack } from './workspace.ts'

const ANN = { email: 'ann@example.com', password: 'long enough to pass', name: 'Acme' }
const BO = { email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' }

let ann: string
let bo: string

useStack({ config: { authRateLimits: null } })
beforeAll(async () => {
  ann = await stack.signUp(ANN)
  bo = await stack.signUp(BO)
  await stack.call(ann, 'POST', '/api/imports?name=a.jsonl', JSON.stringify({ id: '1', text: 'The export fails' }))
  await stack.grouped()
  const { link } = (await stack.call(ann, 'POST', '/api/team/invitations', { role: 'member' })) as { link: string }
  await stack.call(bo, 'POST', '/api/invitations/accept', { token: link.split('#invitation=')[1] })
})

const workspaceOf = async (token: string) =>
  ((await stack.call(token, 'GET', '/api/user/user-data')) as { workspace: { id: string; name: string } }).workspace

async function openDialog(page: Page) {
  await page.goto('/settings/workspace')
  await page.getByRole('button', { name: 'Delete workspace…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this workspace?' })
  await dialog.getByLabel('Type Acme to confirm').waitFor()
  return dialog
}

test('the dialog says what is deleted, and what is not, in every look', async () => {
  const { page, faults, close } = await visit(browser, stack.url, { token: ann })
  const dialog = await openDialog(page)
  for (const said of [
    'is deleted for everyone, with all its messages, insights, comments, settings and API keys.',
    'Connections to sources and destinations end. Nothing is deleted at those providers.',
    'One other person loses access at once.',
    'Backups keep a copy',
    'Your account stays. You continue in a new, empty workspace.',
  ]) {
    await dialog.getByText(said).waitFor()
  }
  await dialog.getByRole('button', { name: 'Export everything first' }).waitFor()
  await dialog.getByLabel('Your password').waitFor()
  expect(await problemsInLooks(page, 'delete-workspace')).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('only an owner deletes it, with its name and the password, and continues in an empty one; others are signed out', async () => {
  const before = await workspaceOf(ann)
  const member = await visit(browser, stack.url, { token: bo })
  await member.page.goto('/settings/workspace')
  await member.page.getByRole('heading', { name: 'Customers' }).waitFor()
  await expect.poll(() => member.page.getByRole('button', { name: 'Delete workspace…' }).count()).toBe(0)
  const { page, faults, close } = await visit(browser, stack.url, { token: ann })
  const dialog = await openDialog(page)
  const remove = dialog.getByRole('button', { name: 'Delete the workspace' })
  await dialog.getByLabel('Type Acme to confirm').fill('acme')
  await dialog.getByLabel('Your password').fill(ANN.password)
  await remove.click()
  await dialog.getByText('This is not the name of the workspace.').waitFor()
  await dialog.getByLabel('Type Acme to confirm').fill('Acme')
  await dialog.getByLabel('Your password').fill('another password')
  await remove.click()
  await dialog.getByText('The password is wrong').waitFor()
  expect(await workspaceOf(ann)).toEqual(before)
  await dialog.getByLabel('Your password').fill(ANN.password)
  await Promise.all([page.waitForEvent('load'), remove.click()])
  await expect.poll(async () => (await workspaceOf(ann)).id).not.toBe(before.id)
  expect(await stack.call(ann, 'GET', '/api/insights/get-all')).toEqual([])

  await member.page.goto('/insights')
  await member.page.getByText('or login with email').waitFor()
  await logIn(member.page, BO)
  const token = (await stack.call('', 'POST', '/api/auth/login', BO)) as { token: string }
  expect(await workspaceOf(token.token)).toMatchObject({ name: 'Bo' })
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await member.close()
  await close()
})
