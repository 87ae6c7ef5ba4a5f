import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf } from './authenticator.ts'
import { launchBrowser, visit } from './browser.ts'
import { type HostedStack, PUBLIC_KEY, startHostedStack } from './hosted-stack.ts'
import { fillLogin, keptOf, logIn } from './sign-in.ts'

let stack: HostedStack
let browser: Browser
const ann = { email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' }
/** Just after the renewal is due, 90 s before the end: it may take as long as possible. */
const NEAR_END_MS = (58 * 60 + 35) * 1_000

beforeAll(async () => {
  stack = await startHostedStack()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await stack.stop()
})

/** The calls of the auth protocol that a context makes, by the origin they are sent to. */
function authCalls(context: BrowserContext): { origin: string; call: string; key: string | null }[] {
  const seen: { origin: string; call: string; key: string | null }[] = []
  context.on('request', (request: Request) => {
    const url = new URL(request.url())
    if (!url.pathname.startsWith('/auth/v1/') || request.isNavigationRequest()) return
    const call = `${request.method()} ${url.pathname.slice('/auth/v1'.length)}${url.search}`
    seen.push({ origin: url.origin, call, key: request.headers()['apikey'] ?? null })
  })
  return seen
}

async function logOut(page: Page, email: string): Promise<void> {
  await page.getByText(email).first().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/auth')
}

const refusal = (token: unknown) => stack.app.call(String(token), 'GET', '/api/user/user-data')
const code = (page: Page) => page.getByLabel('Code', { exact: false }).and(page.locator('input[name=code]'))

test('the form signs up at the hosted project, through our server; log-out ends it on both sides', async () => {
  const { page, context, faults, close } = await visit(browser, stack.app.url)
  const calls = authCalls(context)
  await page.goto('/auth?step=signup')
  await page.getByLabel('Name').fill(ann.name)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.locator('form').getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL('**/signup/welcome')
  await page.getByRole('link', { name: 'Connect a source' }).click()
  await page.getByText(ann.email).first().waitFor()
  expect(calls).toEqual([])
  const { token, session } = await keptOf(page)
  expect(session).toMatchObject({ access_token: token, refresh_token: expect.any(String) })
  expect(await stack.project.call(String(token), 'GET', '/api/user/user-data')).toMatchObject({ email: ann.email })

  await logOut(page, ann.email)
  await expect.poll(() => refusal(token).catch(String)).toContain('401')
  await expect
    .poll(() => stack.project.call(String(token), 'GET', '/api/user/user-data').catch(String))
    .toContain('401')
  expect(await keptOf(page)).toEqual({ token: null, session: null })
  expect(faults).toEqual([])
  await close()
})

test('the form logs in; a wrong password gets the catalogue’s message; the page may call the project and nothing else', async () => {
  const { page, faults, close } = await visit(browser, stack.app.url)
  await fillLogin(page, { ...ann, password: 'not the password' })
  await page.getByText('Wrong email or password').waitFor()
  const answer = page.waitForResponse((response) => response.url().endsWith('/auth'))
  await logIn(page, ann)
  const policy = (await (await answer).allHeaders())['content-security-policy'] ?? ''
  expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' ${stack.project.url}`)
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('near its end the session is renewed at the project, with its public key', async () => {
  const { page, context, faults, close } = await visit(browser, stack.app.url, { own: true })
  const calls = authCalls(context)
  await context.clock.install({ time: stack.app.services.now() })
  await logIn(page, ann)
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  const before = await keptOf(page)
  stack.passTime(NEAR_END_MS)
  await context.clock.fastForward(NEAR_END_MS)
  await expect.poll(async () => (await keptOf(page)).token).not.toBe(before.token)
  const renewals = calls.filter(({ call }) => call.includes('grant_type=refresh_token'))
  expect(renewals.length).toBeGreaterThan(0)
  for (const { origin, key } of calls) expect([origin, key]).toEqual([stack.project.url, PUBLIC_KEY])
  const { token } = await keptOf(page)
  expect(await refusal(token)).toMatchObject({ email: ann.email })
  await page.reload()
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a forgotten password is recovered by the project’s mail', async () => {
  const { page, faults, close } = await visit(browser, stack.app.url)
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  const { link } = await stack.mail.newest(ann.email, 'Choose a new password')
  expect(String(link)).toContain(stack.project.url)
  await page.goto(String(link))
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await expect.poll(() => page.url()).toBe(`${stack.app.url}/auth?step=new-password`)
  ann.password = 'another one that is long'
  await page.getByLabel('New password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.waitForURL('**/insights')
  const other = await visit(browser, stack.app.url)
  await logIn(other.page, ann)
  await other.close()
  expect(faults).toEqual([])
  await close()
})

test('Google is the project’s: the first sign-in creates an account here, the next finds it', async () => {
  const { page, faults, close } = await visit(browser, stack.app.url)
  const chooseGrace = async () => {
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
    await page.getByRole('button', { name: /Grace Nordin/ }).click()
  }
  await chooseGrace()
  await page.waitForURL('**/signup/welcome')
  await expect.poll(() => page.url().startsWith(stack.app.url)).toBe(true)
  await page.getByRole('link', { name: 'Connect a source' }).click()
  await page.getByText('grace@tallybrook.example').first().waitFor()
  await logOut(page, 'grace@tallybrook.example')
  await chooseGrace()
  await page.waitForURL('**/insights')

  await logOut(page, 'grace@tallybrook.example')
  stack.app.services.config.signup = 'closed'
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('button', { name: /Theo Abara/ }).click()
  await page.waitForURL('**/auth/auth-code-error')
  await page.getByText('New accounts are not admitted here').waitFor()
  expect(await keptOf(page)).toEqual({ token: null, session: null })
  stack.app.services.config.signup = 'open'
  expect(faults).toEqual([])
  await close()
})

test('a project without Google, and an unreachable one, show a message', async () => {
  const { page, context, faults, close } = await visit(browser, stack.app.url)
  const { google } = stack.project.services.config
  const settings = `${stack.project.url}/auth/v1/settings`
  await context.route(settings, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { external: object }
    await route.fulfill({ response: answer, json: { ...body, external: { ...body.external, google: false } } })
  })
  expect(google).toBeDefined()
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByText('Google sign-in is not set up on this server').waitFor()
  await context.unroute(settings)
  await context.route(settings, (route) => route.abort())
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByText('The sign-in service cannot be reached').waitFor()
  await expect.poll(() => page.url()).toBe(`${stack.app.url}/auth`)
  expect(faults).toEqual([])
  await close()
})

test('Settings changes at the project what the project manages: name, second factor, other sessions', async () => {
  const { page, context, faults, close } = await visit(browser, stack.app.url)
  const calls = authCalls(context)
  await logIn(page, ann)
  await page.goto('/settings/you')
  await page.getByText(`Sign-in is managed by ${new URL(stack.project.url).host}`).waitFor()
  await expect.poll(() => page.getByText('This one').count()).toBe(0)
  await page.getByRole('button', { name: 'Change name' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Ann B.')
  await page.getByRole('dialog').getByRole('button', { name: 'Change name' }).click()
  await page.getByText('Name changed').first().waitFor()
  const { token } = await keptOf(page)
  await expect.poll(() => refusal(token)).toMatchObject({ name: 'Ann B.' })

  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await code(page).fill(codeOf(secret, stack.project.services.now()))
  await page.getByText('Two-factor authentication set up').first().waitFor()
  await page.getByText('A code from your authenticator app, since').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New recovery codes' }).count()).toBe(0)

  const other = await visit(browser, stack.app.url)
  await fillLogin(other.page, ann)
  await other.page.getByRole('heading', { name: 'Two-factor authentication', exact: true }).waitFor()
  const held = await keptOf(other.page)
  await expect(refusal(held.token)).rejects.toThrow('mfa_required')
  await expect.poll(() => other.page.getByRole('button', { name: 'Use a recovery code' }).count()).toBe(0)
  stack.passTime(30_000)
  await code(other.page).fill(codeOf(secret, stack.project.services.now()))
  await other.page.waitForURL('**/insights')
  await other.page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('Signed out everywhere else').first().waitFor()
  const session = (await keptOf(other.page)).session
  const renewal = { refresh_token: session?.['refresh_token'] }
  await expect(stack.project.call('', 'POST', '/auth/v1/token?grant_type=refresh_token', renewal)).rejects.toThrow(
    '400',
  )
  await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.waitForURL('**/auth')
  expect(await keptOf(page)).toEqual({ token: null, session: null })
  expect(new Set(calls.map(({ origin }) => origin))).toEqual(new Set([stack.project.url]))
  expect([...faults, ...other.faults]).toEqual([])
  await other.close()
  await close()
})

test('an unreachable project signs nobody out', async () => {
  const bo = { email: 'bo@example.com', password: 'long enough to pass', name: 'Bo' }
  await stack.app.signUp(bo)
  const { page, faults, close } = await visit(browser, stack.app.url)
  await logIn(page, bo)
  await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
  const { hostedAuth } = stack.app.services.config
  if (!hostedAuth) throw new Error('there is no project')
  hostedAuth.url = 'http://127.0.0.1:1'
  try {
    await page.reload()
    await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
    // A token that the server has not seen before: it cannot be judged now.
    const login = await stack.project.call('', 'POST', '/api/auth/login', { email: bo.email, password: bo.password })
    const { token } = login as { token: string }
    await expect(refusal(token)).rejects.toThrow('503')
    await page.evaluate((fresh) => {
      localStorage.setItem('token', fresh)
      localStorage.removeItem('auth-session')
    }, token)
    await page.reload()
    await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
    expect((await keptOf(page)).token).toBe(token)
  } finally {
    hostedAuth.url = stack.project.url
  }
  expect(faults).toEqual([])
  await close()
})
