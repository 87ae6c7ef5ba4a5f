import { connectorById } from '@groundswell/connectors/index.ts'
import { type DemoProvider, type DemoProviders, startDemoProviders } from '@groundswell/connectors/sandbox/index.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { toast } from './toast.ts'
import { browser, stack, useStack } from './workspace.ts'

const LONG_WAIT = { timeout: 180_000 }
let providers: DemoProviders

afterAll(async () => {
  for (const provider of [...(providers?.sources ?? []), ...(providers?.trackers ?? [])]) await provider.stop()
})
useStack(async () => {
  providers = await startDemoProviders([])
  const all = [...providers.sources, ...providers.trackers]
  return { config: { baseUrls: Object.fromEntries(all.map(({ id, url }) => [id, url])) } }
})

const DENIED = 'Access was denied on the consent page.'
/** With the reason that a refusal is shown with. Slack, whose tile leads to its consent page with one click, is in `slack.test.ts`. */
const PROVIDERS = [
  ['teams', 'The administrator did not consent'],
  ...['intercom', 'helpscout', 'zendesk', 'azure', 'linear', 'github', 'jira', 'clickup'].map((id) => [id, DENIED]),
] as [id: string, reason: string][]

function providerOf(id: string): DemoProvider & { label: string } {
  const provider = [...providers.sources, ...providers.trackers].find((one) => one.id === id)
  if (!provider) throw new Error(`${id} has no stand-in`)
  return { ...provider, label: connectorById(id)?.manifest.label ?? id }
}

async function fill(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = form.locator(`[name="${name}"]`)
    if ((await field.evaluate((element) => element.nodeName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
}

/** From the dialog of the tile to the provider's page, where `decision` is pressed, and back. */
async function decide(page: Page, { label, url, app }: DemoProvider & { label: string }, decision: 'allow' | 'cancel') {
  const dialog = page.getByRole('dialog', { name: `Connect ${label}` })
  await fill(dialog, app.signIn)
  await dialog.getByRole('button', { name: `Sign in with ${label}` }).click()
  const pressed = page.locator(`button[value=${decision}]`)
  await pressed.waitFor()
  await expect.poll(() => page.url().startsWith(url)).toBe(true)
  await Promise.all([page.waitForURL(`${stack.url}/integrations*`), pressed.click()])
}

test.each(PROVIDERS)('%s is connected on its consent page, after it was refused there once', async (id, reason) => {
  const provider = providerOf(id)
  const { label, app } = provider
  // A separate workspace: a connection without its choices opens a panel.
  const token = await stack.signUp({ email: `${id}@example.com`, password: 'long enough to pass', name: 'Ann' })
  const { page, faults, close } = await visit(browser, stack.url, { token })
  const tile = page.locator(`[data-tile=${id}]`)
  app.registerReturn?.(`${stack.url}/integrations`)
  await page.goto('/integrations')
  await page.getByRole('button', { name: `Set up ${label}` }).click()
  const setUp = page.getByRole('dialog', { name: `Set up ${label}` })
  // The form of a token is below the app's.
  await fill(setUp.locator('form').first(), app.credentials)
  await setUp.getByRole('button', { name: 'Save and connect' }).click()

  await decide(page, provider, 'cancel')
  await toast(page, 'Error')
    .filter({ hasText: `Failed to connect ${label}. Please try again.` })
    .filter({ hasText: reason })
    .waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  // The list of connections is there.
  await page.getByRole('button', { name: `Set up ${label}` }).waitFor()
  await expect.poll(() => tile.getAttribute('data-status')).toBe('na')

  await tile.getByRole('button').first().click()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/${id}/oauth`)) sent.push(request.method())
  })
  await decide(page, provider, 'allow')
  await page.getByText(`Your ${label} integration was successful.`).first().waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await expect.poll(() => tile.getAttribute('data-status'), LONG_WAIT).toBe('connected')
  expect(sent).toEqual(['POST'])
  expect(faults).toEqual([])
  await close()
})
