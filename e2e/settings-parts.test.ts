import { expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { problemsInLooks } from './looks.ts'
import { page, useWorkspace } from './workspace.ts'

useWorkspace({ file: csvOf(peopleSaying) })

const parts = () => page.getByRole('navigation', { name: 'Settings' })
const open = (part: string) => parts().getByRole('link', { name: part, exact: true }).click()
const headings = async () => (await page.getByRole('heading', { level: 2 }).allTextContents()).join(', ')

test('each part of Settings has an address, and says where one is', async () => {
  await page.goto('/settings')
  // Some come once the account and the server are known, which may be after the last one.
  await expect.poll(() => parts().getByRole('link').count()).toBe(7)
  const seen: string[] = []
  for (const link of await parts().getByRole('link').all()) {
    const label = await link.textContent()
    await link.click()
    await parts()
      .locator('[aria-current=page]')
      .getByText(label ?? '', { exact: true })
      .waitFor()
    seen.push(`${label} ${new URL(page.url()).pathname}`)
  }
  expect(seen).toEqual([
    'Push and tags /settings',
    'You /settings/you',
    'Workspace /settings/workspace',
    'Team /settings/team',
    'Notifications /settings/notifications',
    'Developers /settings/developers',
    'Server /settings/server',
  ])
  await page.goBack()
  await page.waitForURL('**/settings/developers')
  await expect.poll(headings).toBe('API keys, Webhooks')
  await page.goto('/settings/nowhere')
  await page.waitForURL('**/settings')
  await page.getByRole('button', { name: 'Save Settings' }).waitFor()
})

test('what was changed and not saved is there again after another part was shown', async () => {
  await page.goto('/settings')
  const minimum = page.getByLabel('Minimum mentions', { exact: true })
  await minimum.selectOption('7')
  await open('Team')
  await page.getByText('With a link that works once.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Save Settings' }).count()).toBe(0)
  await open('Push and tags')
  await expect.poll(() => minimum.inputValue()).toBe('7')
})

test('every part is calm in every look', async () => {
  const wrong: string[] = []
  for (const [part, ready] of [
    ['', 'Automatic Tags'],
    ['/you', 'Delete your account'],
    ['/workspace', 'Delete this workspace'],
    ['/team', 'With a link that works once.'],
    ['/notifications', 'What happened to your insights.'],
    ['/developers', 'For programs and agents'],
    ['/server', /^Language model$/],
  ] as const) {
    await page.goto(`/settings${part}`)
    await page.getByText(ready).first().waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    wrong.push(...(await problemsInLooks(page, `settings${part.replace('/', '-')}`)))
  }
  expect(wrong).toEqual([])
})
