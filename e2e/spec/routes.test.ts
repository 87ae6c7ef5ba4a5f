import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ONBOARDING_URL } from './bare-web.ts'
import { untilAnswered } from './held-reply.ts'
import { onBothStacks, onOurServer } from './stacks.ts'

const USER_DATA = 'GET /api/user/user-data'

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)
const pathOf = (page: Page) => new URL(page.url()).pathname

onBothStacks('routes', (stack) => {
  test('signed-in users have the sidebar on every screen, unknown addresses included', async () => {
    const { page, faults, close } = await stack.open('/insights')
    for (const [address, title] of [
      ['/insights', 'Insights'],
      ['/integrations', 'Integrations'],
      ['/settings', 'Settings'],
      ['/eval', 'Eval'],
      ['/comparisons', 'Comparisons'],
      ['/nowhere', 'Page not found'],
    ] as const) {
      await page.goto(address)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      await expect.poll(() => pathOf(page)).toBe(address)
    }
    expect(faults).toEqual([])
    await close()
  })

  test('Eval and Comparisons are for administrators only, in the sidebar and by address', async () => {
    const asBo = await stack.open('/eval', { token: stack.bo.token })
    await asBo.page.waitForURL('**/insights')
    await asBo.page.goto('/comparisons')
    await asBo.page.waitForURL('**/insights')
    const entries = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()
    // Below the entries of the spec, and after the first view.
    const ofOurs = stack.bare ? [] : ['Feedback', 'Customers', 'Reports']
    await expect.poll(() => entries(asBo.page)).toEqual(['Insights', 'Integrations', 'Settings', ...ofOurs])
    await asBo.close()
    const asAnn = await stack.open('/insights')
    await expect
      .poll(() => entries(asAnn.page))
      .toEqual(['Insights', 'Integrations', 'Settings', 'Eval', 'Comparisons', ...ofOurs])
    await asAnn.page.getByRole('link', { name: 'Eval', exact: true }).click()
    await asAnn.page.getByRole('heading', { name: 'Eval', exact: true }).waitFor()
    await asAnn.page.getByRole('link', { name: 'Comparisons', exact: true }).click()
    await asAnn.page.getByRole('heading', { name: 'Comparisons', exact: true }).waitFor()
    await expect.poll(() => pathOf(asAnn.page)).toBe('/comparisons')
    await asAnn.close()
  })

  test('the callback clears the fragment before anything else, then logs in and goes to the insights', async () => {
    const { page, close } = await stack.open('/robots.txt', 'signed out')
    const release = stack.front.hold(USER_DATA)
    await page.goto(`/api/auth/oauth-callback#access_token=${stack.ann.token}&token_type=bearer`)
    await expect.poll(() => page.url()).toBe(`${stack.front.url}/api/auth/oauth-callback`)
    release()
    await page.waitForURL('**/insights')
    await expect.poll(() => stored(page, 'token')).toBe(stack.ann.token)
    expect(stack.front.seen(USER_DATA).at(-1)?.headers['authorization']).toBe(`Bearer ${stack.ann.token}`)
    await close()
  })

  test('the callback leads a new user to the onboarding page', async () => {
    const { page, close } = await stack.open('/robots.txt', 'signed out')
    await page.route(`${ONBOARDING_URL}**`, (route) => route.fulfill({ body: 'Welcome' }))
    await page.goto(`/api/auth/oauth-callback#access_token=${stack.ann.token}&is_new_user=true`)
    await page.waitForURL(`${ONBOARDING_URL}**`)
    await expect.poll(() => page.url()).toBe(ONBOARDING_URL)
    await close()
  })
})

onOurServer('who reaches which screen', (stack) => {
  test('without a sign-in every page leads to /auth', async () => {
    const { page, faults, close } = await stack.open('/', 'signed out')
    await page.waitForURL('**/auth')
    for (const address of [
      '/insights',
      '/integrations',
      '/settings',
      '/eval',
      '/comparisons',
      '/login',
      '/signup/welcome',
      '/nowhere',
    ]) {
      await page.goto(address)
      await page.waitForURL('**/auth')
      await page.getByText('or login with email').waitFor()
    }
    expect(stack.front.seen(USER_DATA)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })

  test('/ leads to the integrations after a sign-up, otherwise to the insights', async () => {
    const { page, close } = await stack.open('/')
    await page.waitForURL('**/insights')
    await page.goto('/', { referer: `${stack.front.url}/signup/welcome` })
    await page.waitForURL('**/integrations')
    await page.goto('/', { referer: 'https://onboarding.example/signup?done' })
    await page.waitForURL('**/integrations')
    await page.goto('/', { referer: 'https://onboarding.example/elsewhere' })
    await page.waitForURL('**/insights')
    await expect.poll(() => pathOf(page)).toBe('/insights')
    await close()
  })

  test('Loading… is shown until the sign-in state is known; then /auth leads to the insights', async () => {
    const release = stack.front.hold(USER_DATA)
    const { page, close } = await stack.open('/auth')
    await page.getByText('Loading…', { exact: true }).waitFor()
    await expect.poll(() => stack.front.seen(USER_DATA)[0]?.headers['authorization']).toBe(`Bearer ${stack.ann.token}`)
    await expect.poll(() => page.getByText('or login with email').count()).toBe(0)
    release()
    await page.waitForURL('**/insights')
    await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
    await close()
  })

  test('without a token /auth shows its card immediately', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    await page.getByText('or login with email').waitFor()
    expect(stack.front.seen(USER_DATA)).toEqual([])
    await close()
  })

  test('user data that cannot be loaded is reported on an admin screen with a retry; nobody is logged out', async () => {
    for (const fault of [500, 403, 'drop'] as const) {
      for (const [address, title] of [
        ['/eval', 'Eval'],
        ['/comparisons', 'Comparisons'],
      ] as const) {
        const { page, faults, close } = await stack.open('/robots.txt')
        stack.front.fail(USER_DATA, fault)
        await page.goto(address)
        await page.getByRole('heading', { name: 'Your account could not be loaded' }).waitFor()
        await expect.poll(() => stored(page, 'token')).toBe(stack.ann.token)
        await expect.poll(() => pathOf(page)).toBe(address)
        const retry = page.getByRole('button', { name: 'Try again' })
        // The fault must last until the reply is there.
        await untilAnswered(stack, USER_DATA, retry, () => retry.click())
        expect(stack.front.seen(USER_DATA).length).toBeGreaterThan(1)
        await page.getByRole('alert').waitFor()
        stack.front.restore()
        await retry.click()
        await page.getByRole('heading', { name: title, exact: true }).waitFor()
        expect(faults).toEqual([])
        await close()
        stack.front.restore()
      }
    }
  })

  test('a callback without a fragment or a token goes to /auth/auth-code-error', async () => {
    const { page, close } = await stack.open('/robots.txt', 'signed out')
    for (const fragment of ['', '#', '#access_token=', '#expires_in=60']) {
      await page.goto('/robots.txt')
      await page.goto(`/api/auth/oauth-callback${fragment}`)
      await page.waitForURL('**/auth/auth-code-error')
      await expect.poll(() => stored(page, 'token')).toBeNull()
    }
    await close()
  })

  test('a 401 to any call removes the token, then leads to /login', async () => {
    for (const [address, call] of [
      ['/insights', 'GET /api/insights/get-all'],
      ['/eval', 'GET /eval/list_evals'],
      ['/comparisons', 'GET /comparison/get_dir_options'],
    ] as const) {
      stack.front.fail(call, 401)
      const { page, close } = await stack.open(address)
      await page.waitForURL('**/auth')
      await page.getByText('or login with email').waitFor()
      // The page is reloaded on its way there.
      await expect.poll(() => stack.front.seen('GET /login').length).toBeGreaterThan(0)
      await expect.poll(() => stored(page, 'token')).toBeNull()
      await close()
      stack.front.restore()
    }
  })
})
