import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { keptOf, logIn } from './sign-in.ts'
import { ann, browser, stack, useAnn } from './workspace.ts'

const SECONDS = 1_000
const MINUTES = 60 * SECONDS

useAnn()

/** Requests in progress, and when the last one began or ended. */
type Traffic = { open: Set<Request>; last: number }
const traffic = new Map<BrowserContext, Traffic>()
const QUIET_MS = SECONDS
/** From reading the tabs' time to pausing them there, and to the jump: longer than both take, so that no tab is behind the server. */
const LEAD_MS = 30 * SECONDS

/**
 * Advances time for the server and for every tab, after `before`. The tabs' timers stop first and calls in progress finish, so that
 * no call begins before the jump and is answered after it: its token would expire on the way, which cannot happen with one clock.
 */
async function passTime(context: BrowserContext, ms: number, before = async () => {}): Promise<void> {
  const times = await Promise.all(context.pages().map((page) => page.evaluate(() => Date.now())))
  await context.clock.pauseAt(Math.max(...times) + LEAD_MS)
  // Parts of the screen that are loaded later make their own calls: only a second without traffic shows that all have begun.
  const seen = traffic.get(context) as Traffic
  await expect
    .poll(() => seen.open.size === 0 && performance.now() - seen.last >= QUIET_MS, { timeout: 30 * SECONDS })
    .toBe(true)
  await before()
  stack.passTime(ms)
  await context.clock.fastForward(ms)
  await context.clock.resume()
}

async function signedIn(): Promise<{ page: Page; context: BrowserContext; faults: string[]; renewals: () => number }> {
  const { page, context, faults } = await visit(browser, stack.url)
  let renewals = 0
  const seen: Traffic = { open: new Set(), last: performance.now() }
  traffic.set(context, seen)
  const ended = (request: Request) => {
    seen.open.delete(request)
    seen.last = performance.now()
  }
  context.on('requestfinished', ended)
  context.on('requestfailed', ended)
  context.on('request', (request) => {
    seen.open.add(request)
    seen.last = performance.now()
    if (request.url().includes('grant_type=refresh_token')) renewals += 1
  })
  await context.clock.install({ time: stack.services.now() })
  await logIn(page, ann)
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  return { page, context, faults, renewals: () => renewals }
}

const works = async (page: Page) => {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByText('This one').waitFor()
  await page.getByRole('link', { name: 'Insights' }).click()
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
}

test('a token is renewed 90 s before it expires, not earlier; the other tab follows and both continue', async () => {
  const { page, context, faults, renewals } = await signedIn()
  const other = await context.newPage()
  await other.goto('/insights')
  await other.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  const first = await keptOf(page)
  await passTime(context, 55 * MINUTES)
  await works(page)
  expect(renewals()).toBe(0)

  await passTime(context, 3 * MINUTES + 45 * SECONDS)
  await expect.poll(async () => (await keptOf(page)).token).not.toBe(first.token)
  await expect
    .poll(() => keptOf(other))
    .toSatisfy(
      ({ token, session }: Awaited<ReturnType<typeof keptOf>>) =>
        token !== null && token !== first.token && session?.['access_token'] === token,
    )
  expect(renewals()).toBeLessThanOrEqual(2)

  await passTime(context, 10 * MINUTES)
  await works(other)
  await works(page)
  await expect(stack.call(String(first.token), 'GET', '/api/user/user-data')).rejects.toThrow('401')
  expect(faults).toEqual([])
  await context.close()
})

test('two tabs that slept past the token’s expiry wake up signed in', async () => {
  const { page, context, faults } = await signedIn()
  const other = await context.newPage()
  await other.goto('/insights')
  await other.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  const before = await keptOf(page)
  await passTime(context, 5 * 60 * MINUTES)
  await Promise.all([works(page), works(other)])
  expect((await keptOf(page)).token).not.toBe(before.token)
  await passTime(context, 5 * 60 * MINUTES)
  await Promise.all([page.reload(), other.reload()])
  await Promise.all([works(page), works(other)])
  await expect.poll(() => page.url()).toContain('/insights')
  expect(faults).toEqual([])
  await context.close()
})

test('a session that the server ended ends here at its next renewal', async () => {
  const { page, context, faults } = await signedIn()
  const token = String((await keptOf(page)).token)
  // While the tab is paused: a poll before the jump would already notice that the session ended.
  await passTime(context, 61 * MINUTES, async () => {
    await stack.call(token, 'POST', '/api/account/sessions/end', { scope: 'all' })
  })
  await page.getByText('or login with email').waitFor()
  // The page is reloaded on its way there.
  await expect.poll(() => keptOf(page).catch(() => null)).toEqual({ token: null, session: null })
  expect(faults).toEqual([])
  await context.close()
})
