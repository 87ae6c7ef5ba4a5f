import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { startWithTwelfthConnector, type TwelfthConnector } from './twelfth-connector.ts'

let product: TwelfthConnector
let browser: Browser
let token: string

beforeAll(async () => {
  product = await startWithTwelfthConnector()
  browser = await launchBrowser()
  const account = { email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' }
  token = ((await post('/api/auth/signup', JSON.stringify(account))) as { token: string }).token
})
afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

async function post(path: string, body: string): Promise<unknown> {
  const type = path.startsWith('/api/imports') ? 'application/octet-stream' : 'application/json'
  const response = await fetch(`${product.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body,
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const acme = (page: Page) => page.locator('[data-tile=acme]')
/** The width at which the browser decoded the logo of the tile; 0 while it has none. */
const logoWidth = async (page: Page): Promise<number> => {
  const [width = 0] = await acme(page)
    .locator('img')
    .evaluateAll((all) => all.map((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
  return width
}

/** Replaces parts of Acme's manifest in the catalogue that the server sends, and its connection where one is given. */
async function withManifest(page: Page, parts: Record<string, unknown>, connection?: null): Promise<void> {
  type Listed = { manifest: Record<string, unknown>; connection: unknown }
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${product.url}/api/connectors`, { headers })
  const reply = (await response.json()) as { connectors: Listed[] }
  const entry = reply.connectors.find(({ manifest }) => manifest['id'] === 'acme')
  if (!entry) throw new Error('the catalogue has no acme')
  Object.assign(entry.manifest, parts)
  if (connection === null) entry.connection = null
  await page.unroute('**/api/connectors')
  await page.route('**/api/connectors', (route) => route.fulfill({ json: reply }))
}

test('a connector that is one folder and its entry in the list has a tile with its logo, name and text after the eleven', async () => {
  const { page, faults, close } = await visit(browser, product.url, { token })
  await page.goto('/integrations')
  await acme(page).waitFor()
  const tiles = await page.locator('[data-tile]').evaluateAll((all) => all.map((one) => one.getAttribute('data-tile')))
  expect(tiles).toHaveLength(12)
  expect(tiles.at(-1)).toBe('acme')
  await expect.poll(() => logoWidth(page)).toBeGreaterThan(0)
  expect((await acme(page).innerText()).split('\n')).toEqual([
    'Acme',
    'Insights as items of a tracker',
    'Not Connected',
  ])
  expect(faults).toEqual([])
  await close()
})

test('it is connected by its own form, which marks a bad value at its field, and its Test reaches the provider', async () => {
  const { page, faults, close } = await visit(browser, product.url, { token })
  await page.goto('/integrations')
  await acme(page).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Connect Acme' })
  await dialog.getByLabel('Server').fill('ftp://tracker')
  await dialog.getByLabel('API token').fill('acme-token-7f3a')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Failed to add Acme. Please try again.').first().waitFor()
  await expect.poll(() => dialog.getByLabel('Server').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByText('Enter a URL that starts with https:// or http://').waitFor()
  await dialog.getByLabel('Server').fill(product.tracker.url)
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: 'Confirm' }).click()])
  await expect.poll(() => acme(page).getAttribute('data-status')).toBe('connected')
  await acme(page).getByText(new URL(product.tracker.url).host).waitFor()
  await page.getByRole('button', { name: 'Actions for Acme' }).click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await page.getByText('Example data pushed successfully.').first().waitFor()
  expect(product.tracker.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /items'])
  expect(product.tracker.seen[0]?.headers.authorization).toBe('Bearer acme-token-7f3a')
  expect(faults).toEqual([])
  await close()
})

test('an insight with enough mentions is delivered to it, and the ledger and the panel name it', async () => {
  await post('/api/imports?name=f.csv', csvOf(peopleSaying))
  const pushed = () => product.tracker.seen.filter(({ body }) => /export/i.test(body) && !/1,000 rows/.test(body))
  await expect.poll(() => pushed().length, { timeout: 120_000 }).toBe(1)
  const { page, faults, close } = await visit(browser, product.url, { token })
  await page.goto('/deliveries?destination=acme')
  await page.getByText('New insight to Acme').first().waitFor()
  await expect.poll(() => page.getByLabel('Destination').locator('option:checked').innerText()).toBe('Acme')
  await page.goto('/insights')
  await page.getByRole('row', { name: /export/i }).click()
  const panel = page.getByRole('dialog')
  const link = panel.getByRole('link', { name: 'Open in Acme' })
  await expect.poll(() => link.getAttribute('href')).toMatch(`${product.tracker.url}/items/`)
  await panel.getByText('to Acme').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"'

test('a malformed logo gives way to a plain sign; one with a script is only an image', async () => {
  const { page, faults, close } = await visit(browser, product.url, { token })
  const bad = [
    'no image',
    '<svg',
    `<svg ${XMLNS}><path d="`,
    '<svg viewBox="0 0 1 1"></svg>',
    '\ud800',
    'x'.repeat(20_000),
    7,
    null,
  ]
  for (const logo of bad) {
    await withManifest(page, { logo })
    await page.goto('/integrations')
    await acme(page).waitFor()
    await expect.poll(() => acme(page).locator('svg[data-plain-logo]').count()).toBe(1)
    await expect.poll(() => acme(page).locator('img').count()).toBe(0)
  }
  const logo = `<svg ${XMLNS} viewBox="0 0 9 9" onload="top.ran=1"><script>top.ran=1</script><rect width="9" height="9"/></svg>`
  await withManifest(page, { logo })
  await page.goto('/integrations')
  await expect.poll(() => logoWidth(page)).toBeGreaterThan(0)
  await expect.poll(() => page.evaluate('typeof ran')).toBe('undefined')
  expect(faults).toEqual([])
  await close()
})

test.each([
  ['and has no form opens that page with one click', { fields: [] }],
  ['and has a form too offers both', {}],
])('one that signs in on its provider’s page %s, and its code is sent for it', async (_, parts) => {
  const { page, faults, close } = await visit(browser, product.url, { token })
  await withManifest(page, { signs_in: true, ...parts }, null)
  const consent = `${product.url}/integrations?code=abc&state=acme.4f3a`
  await page.route('**/api/acme/authorize', (route) => route.fulfill({ json: { url: consent } }))
  const sent: unknown[] = []
  await page.route('**/api/acme/oauth', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill({ json: { message: 'Acme is connected' } })
  })
  await page.goto('/integrations')
  await acme(page).getByRole('button').first().click()
  if (!('fields' in parts)) {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Use a token' }).click()
    await dialog.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Sign in with Acme' }).click()
    await dialog.getByRole('button', { name: 'Sign in with Acme' }).click()
  }
  await page.getByText('Your Acme integration was successful.').first().waitFor()
  await expect.poll(() => page.url()).toBe(`${product.url}/integrations`)
  expect(sent).toEqual([{ code: 'abc', state: 'acme.4f3a' }])
  expect(faults).toEqual([])
  await close()
})
