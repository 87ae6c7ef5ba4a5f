import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { expect, test } from 'vitest'
import { problemsInLooks } from './looks.ts'
import { call, page, stack, useWorkspace } from './workspace.ts'

useWorkspace({ config: { authAutoconfirm: true } })

const nameField = () => page.getByLabel('Name of the workspace')
const workspaceName = async () =>
  ((await call('GET', '/api/user/user-data')) as { workspace: { name: string } }).workspace.name

test('a new owner names the workspace and chooses how to begin: a file, a source, or sample feedback', async () => {
  await page.goto('/signup/welcome')
  await page.getByText('How do you want to begin?').waitFor()
  await nameField().fill('  Tallybrook product ')
  expect(await problemsInLooks(page, 'welcome')).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await expect.poll(() => nameField().inputValue()).toBe('Tallybrook product')
  expect(await workspaceName()).toBe('Tallybrook product')

  await page.getByRole('link', { name: 'Import a file' }).click()
  await page.waitForURL('**/import')
  await page.goBack()
  await page.getByRole('link', { name: 'Connect a source' }).click()
  await page.waitForURL('**/integrations')
  await page.goto('/signup/welcome')
  await page.getByRole('link', { name: 'Skip for now' }).click()
  await page.waitForURL('**/insights')
})

test('sample feedback is imported as a file is, and becomes insights', async () => {
  await page.goto('/signup/welcome')
  await page.getByRole('link', { name: 'Look at sample feedback' }).click()
  await page.getByText('sample-feedback.csv').first().waitFor()
  expect(await problemsInLooks(page, 'sample')).toEqual([])
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.waitForURL(/import=/)
  await stack.grouped()
  const insights = (await call('GET', '/api/insights/get-all')) as { issue_name: string }[]
  expect(insights.length).toBeGreaterThan(10)
})

test('the sample is what customers of the demo company wrote in English about something', async () => {
  const sample = (await (await fetch(`${stack.url}/sample-feedback.json`)).json()) as [
    string,
    string,
    string,
    number,
    string,
  ][]
  const all = loadCompany()
  const end = Math.max(...all.map(({ at }) => at))
  expect(sample).toEqual(
    all
      .filter(({ lang, label }) => lang === 'en' && label !== null)
      .map(({ id, author, company, at, text }) => [id, author, company, end - at, text]),
  )
})

test('an owner renames the workspace in the settings', async () => {
  await page.goto('/settings/workspace')
  await nameField().fill('Research')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  expect(await workspaceName()).toBe('Research')
})
