import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { HOSTED_AUTH_URL, ONBOARDING_URL } from './bare-web.ts'
import { untilAnswered } from './held-reply.ts'
import { isFieldInvalid } from './looks.ts'
import { onBothStacks, onOurServer, type SpecStack } from './stacks.ts'

const LOGIN = 'POST /api/auth/login'
const SIGNUP = 'POST /api/auth/signup'
const USER_DATA = 'GET /api/user/user-data'
const CONFIG = 'GET /api/public-config'

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)
const userStore = async (page: Page): Promise<unknown> => JSON.parse((await stored(page, 'user-store')) ?? 'null')
const send = (page: Page) => page.locator('form button[type=submit]').click()

type Filled = { email: string; password: string; name?: string }

async function fillIn(page: Page, { email, password, name = '' }: Filled) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  if (await page.getByLabel('Name').isVisible()) await page.getByLabel('Name').fill(name)
}

/** The previous form has fields of the same names: it has disappeared once a name is asked for. */
async function toSignUp(page: Page) {
  await page.getByText("Don't have an account? Sign up").click()
  await page.getByLabel('Name').waitFor()
}

const isInvalid = (page: Page, label: string) => isFieldInvalid(page.getByLabel(label, { exact: true }))

/** Presses the button of the form, lets something happen, and only then releases it. */
async function clickWhile(page: Page, happens: () => Promise<void>) {
  const button = page.locator('form button[type=submit]')
  const before = await button.boundingBox()
  await button.hover()
  await page.mouse.down()
  await happens()
  expect(await button.boundingBox()).toEqual(before)
  await page.mouse.up()
}

const refusals = async (stack: SpecStack, page: Page, call: string, words: string) => {
  for (const fault of [401, 400, 500, 'drop'] as const) {
    stack.front.restore()
    stack.front.fail(call, fault)
    await untilAnswered(stack, call, page.locator('form button[type=submit]'), () => send(page))
    expect(stack.front.seen(call).length).toBeGreaterThan(0)
    await page.getByText(words, { exact: true }).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/auth')
  }
  stack.front.restore()
}

onBothStacks('signing in', (stack) => {
  test('the card has its button, divider, fields and the link between its two modes', async () => {
    const { page, faults, close } = await stack.open('/auth', 'signed out')
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
    await page.getByText('or login with email').waitFor()
    await expect.poll(() => page.getByLabel('Email').getAttribute('type')).toBe('email')
    await expect.poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password')
    await expect.poll(() => page.getByLabel('Name').count()).toBe(0)
    await expect.poll(() => page.locator('form button[type=submit]').textContent()).toBe('Log in')
    await toSignUp(page)
    await page.getByText('Already have an account? Log in').waitFor()
    await page.getByLabel('Name').waitFor()
    await expect.poll(() => page.locator('form button[type=submit]').textContent()).toBe('Sign up')
    await page.getByText('Already have an account? Log in').click()
    await page.getByText("Don't have an account? Sign up").waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('a login stores the token, fetches the user data with it and goes to the insights', async () => {
    const { page, faults, close } = await stack.open('/auth', 'signed out')
    await fillIn(page, stack.ann)
    await send(page)
    await page.waitForURL('**/insights')
    expect(stack.front.seen(LOGIN).map(({ body }) => body)).toEqual([
      { email: stack.ann.email, password: stack.ann.password },
    ])
    const token = await stored(page, 'token')
    const authorization = `Bearer ${token}`
    expect(stack.front.seen(USER_DATA).at(-1)?.headers['authorization']).toBe(authorization)
    const whose = await page.request.get('/api/user/user-data', { headers: { authorization } })
    expect(await whose.json()).toMatchObject({ email: stack.ann.email })
    expect(faults).toEqual([])
    await close()
  })

  test('a login of a new user saves the token and goes to the onboarding page', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    await page.route(`${ONBOARDING_URL}**`, (route) => route.fulfill({ body: 'Welcome' }))
    stack.front.answer(LOGIN, { token: stack.ann.token, is_new_user: true })
    await fillIn(page, stack.ann)
    await send(page)
    await page.waitForURL(`${ONBOARDING_URL}**`)
    await page.goto('/')
    await expect.poll(() => stored(page, 'token')).toBe(stack.ann.token)
    await close()
  })

  test('a sign-up sends email, password and name, and always goes to the onboarding page', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    await page.route(`${ONBOARDING_URL}**`, (route) => route.fulfill({ body: 'Welcome' }))
    await toSignUp(page)
    const cleo = { email: 'cleo@example.com', password: 'long enough to pass', name: 'Cleo' }
    await fillIn(page, cleo)
    await send(page)
    await page.waitForURL(`${ONBOARDING_URL}**`)
    expect(stack.front.seen(SIGNUP).map(({ body }) => body)).toMatchObject([cleo])
    await page.goto('/auth')
    await page.waitForURL('**/insights')
    await close()
    const again = await stack.open('/auth', 'signed out')
    await again.page.route(`${ONBOARDING_URL}**`, (route) => route.fulfill({ body: 'Welcome' }))
    stack.front.answer(SIGNUP, { token: stack.ann.token, is_new_user: false })
    await toSignUp(again.page)
    await fillIn(again.page, { ...cleo, email: 'known@example.com' })
    await send(again.page)
    await again.page.waitForURL(`${ONBOARDING_URL}**`)
    await again.close()
  })

  test('a 401 to the user data after a login signs out again', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    stack.front.fail(USER_DATA, 401)
    await fillIn(page, stack.ann)
    await send(page)
    // The page is reloaded on its way from one /auth to the other.
    await expect.poll(() => stack.front.seen('GET /login').length).toBe(1)
    await page.waitForURL('**/auth')
    await page.getByText('or login with email').waitFor()
    await expect.poll(() => stored(page, 'token')).toBeNull()
    expect(stack.front.seen(USER_DATA), 'the user data are asked for once').toHaveLength(1)
    await close()
  })

  test('Log out removes the token and the user data and goes to /auth', async () => {
    const { page, faults, close } = await stack.open('/auth', 'signed out')
    await fillIn(page, stack.bo)
    await send(page)
    await page.waitForURL('**/insights')
    await page.getByText(stack.bo.email).first().click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/auth')
    await expect.poll(() => stored(page, 'token')).toBeNull()
    expect(JSON.stringify(await userStore(page))).not.toContain(stack.bo.email)
    await page.goto('/insights')
    await page.waitForURL('**/auth')
    expect(faults).toEqual([])
    await close()
  })

  test('Google returns to our callback, or a message explains that it is not set up', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    let asked: URL | undefined
    await page.route(`${HOSTED_AUTH_URL}/**`, (route) => {
      asked = new URL(route.request().url())
      return route.fulfill({ body: 'Consent' })
    })
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    const outcome = stack.bare
      ? page.waitForURL(`${HOSTED_AUTH_URL}/**`)
      : page.getByText('Google sign-in is not set up on this server').waitFor()
    await outcome
    const { provider, redirect_to: back } = Object.fromEntries(asked?.searchParams ?? [])
    const callback = `${stack.front.url}/api/auth/oauth-callback`
    expect([provider, back]).toEqual(stack.bare ? ['google', callback] : [undefined, undefined])
    await close()
  })
})

onOurServer('the form of the sign-in, and the start', (stack) => {
  test('email, password and, to sign up, the name are required, and an email must be one', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    await page.getByLabel('Email').waitFor()
    await expect.poll(() => page.getByLabel('Name').count()).toBe(0)
    await send(page)
    await expect.poll(() => isInvalid(page, 'Email')).toBe(true)
    await fillIn(page, { email: 'ann', password: 'x' })
    await send(page)
    await expect.poll(() => isInvalid(page, 'Email')).toBe(true)
    await fillIn(page, { email: 'ann@example.com', password: '' })
    await send(page)
    await expect.poll(() => isInvalid(page, 'Password')).toBe(true)
    await toSignUp(page)
    await fillIn(page, { email: 'new@example.com', password: 'long enough to pass', name: '' })
    await send(page)
    await expect.poll(() => isInvalid(page, 'Name')).toBe(true)
    expect([...stack.front.seen(LOGIN), ...stack.front.seen(SIGNUP)]).toEqual([])
    await close()
  })

  test('any failed login shows Wrong email or password and reloads nothing', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    await fillIn(page, { email: stack.ann.email, password: 'wrong' })
    await send(page)
    await page.getByText('Wrong email or password', { exact: true }).waitFor()
    await refusals(stack, page, LOGIN, 'Wrong email or password')
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(stack.ann.email)
    await expect.poll(() => stored(page, 'token')).toBeNull()
    await close()
  })

  test('any failed sign-up shows Error creating account', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    await toSignUp(page)
    await fillIn(page, stack.ann)
    await send(page)
    await page.getByText('Error creating account', { exact: true }).waitFor()
    await refusals(stack, page, SIGNUP, 'Error creating account')
    await expect.poll(() => stored(page, 'token')).toBeNull()
    await close()
  })

  test('a sign-up that precedes the configuration goes to the onboarding page too', async () => {
    const release = stack.front.hold(CONFIG)
    const { page, close } = await stack.open('/auth', 'signed out')
    await page.route(`${ONBOARDING_URL}**`, (route) => route.fulfill({ body: 'Welcome' }))
    stack.front.answer(SIGNUP, { token: stack.ann.token, is_new_user: true })
    await toSignUp(page)
    await fillIn(page, { email: 'dora@example.com', password: 'long enough to pass', name: 'Dora' })
    await send(page)
    await expect.poll(() => stored(page, 'token')).toBe(stack.ann.token)
    release()
    await page.waitForURL(`${ONBOARDING_URL}**`)
    await close()
  })

  test('the button stays in place when the configuration arrives, so that a click on it is not lost', async () => {
    const release = stack.front.hold(CONFIG)
    const { page, close } = await stack.open('/auth', 'signed out')
    await fillIn(page, stack.bo)
    await clickWhile(page, async () => {
      release()
      await page.getByText('Forgot your password?').waitFor()
    })
    await page.waitForURL('**/insights')
    await expect.poll(() => stored(page, 'user-store')).not.toBeNull()
    await close()
  })

  test('the button stays in place when the password is rated, so that a click on it is not lost', async () => {
    const { page, close } = await stack.open('/auth', 'signed out')
    const arrived = Promise.withResolvers<void>()
    await page.route('**/*password-strength*', async (route) => {
      await arrived.promise
      await route.continue()
    })
    await toSignUp(page)
    await fillIn(page, { name: 'Cy', email: 'cy@example.com', password: 'seven small lanterns by the quiet river' })
    await clickWhile(page, async () => {
      arrived.resolve()
      await page.getByText('Strong.').waitFor()
    })
    await expect.poll(() => stack.front.seen(SIGNUP).length).toBe(1)
    await close()
  })

  test('the user data is stored whole under user-store, version 0, and nothing else', async () => {
    const { page, close } = await stack.open('/insights')
    const userData = {
      name: 'Ann',
      email: stack.ann.email,
      is_admin: true,
      settings: { method: 'auto', min_inputs: 4, categories: [] },
      azure_data: { name: 'Fabrikam' },
      something_else: { of: ['another', 'server'] },
    }
    stack.front.answer(USER_DATA, userData)
    await page.reload()
    await expect.poll(() => userStore(page)).toEqual({ state: { userData }, version: 0 })
    await close()
  })

  test('at start a 401 to the user data signs out; any other failure is only logged', async () => {
    for (const fault of [500, 404, 'drop'] as const) {
      stack.front.fail(USER_DATA, fault)
      const { page, close } = await stack.open('/robots.txt')
      const logged: string[] = []
      page.on('console', (message) => void logged.push(message.text()))
      await page.goto('/insights')
      await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
      await expect.poll(() => stored(page, 'token')).toBe(stack.ann.token)
      await expect.poll(() => logged.join()).toContain('User data could not be loaded')
      await close()
    }
    stack.front.fail(USER_DATA, 401)
    const { page, close } = await stack.open('/insights')
    await page.waitForURL('**/auth')
    await page.getByText('or login with email').waitFor()
    await expect.poll(() => stored(page, 'token')).toBeNull()
    await close()
  })
})

onOurServer('the shared client', (stack) => {
  test('every call carries bearer, tunnel header and the XSRF cookie; a body is JSON', async () => {
    const { page, context, close } = await stack.open('/auth', { own: true, token: '' })
    await context.addCookies([{ name: 'XSRF-TOKEN', value: 'x%20y', url: stack.front.url }])
    await fillIn(page, stack.ann)
    await send(page)
    await page.waitForURL('**/insights')
    await expect.poll(() => stack.front.seen('GET /api/insights/get-all').length).toBeGreaterThan(0)
    const token = await stored(page, 'token')
    const [login] = stack.front.seen(LOGIN)
    expect(login?.headers).toMatchObject({
      'content-type': 'application/json',
      'ngrok-skip-browser-warning': 'true',
      'x-xsrf-token': 'x y',
    })
    expect(login?.headers['authorization']).toBeUndefined()
    for (const { headers } of [...stack.front.seen(USER_DATA), ...stack.front.seen('GET /api/insights/get-all')]) {
      expect(headers).toMatchObject({
        authorization: `Bearer ${token}`,
        'ngrok-skip-browser-warning': 'true',
        'x-xsrf-token': 'x y',
      })
    }
    await close()
  })

  test('a reply of 200 or 299 is a success and 300 is not; a slow one has no time limit', async () => {
    const { page, close } = await stack.open('/auth', { own: true, token: '' })
    stack.front.answer(LOGIN, { token: stack.ann.token, is_new_user: false }, 300)
    await fillIn(page, stack.ann)
    await send(page)
    await page.getByText('Wrong email or password', { exact: true }).waitFor()
    stack.front.answer(LOGIN, { token: stack.ann.token, is_new_user: false }, 299)
    await page.clock.install()
    const release = stack.front.hold(LOGIN)
    await send(page)
    await expect.poll(() => stack.front.seen(LOGIN).length).toBe(2)
    await page.clock.fastForward(3_600_000)
    await expect.poll(() => page.locator('form button[type=submit]').isDisabled()).toBe(true)
    await expect.poll(() => page.getByText('Wrong email or password').count()).toBe(0)
    release()
    await page.waitForURL('**/insights')
    await close()
    const again = await stack.open('/auth', 'signed out')
    stack.front.answer(LOGIN, { token: stack.ann.token, is_new_user: false }, 200)
    await fillIn(again.page, stack.ann)
    await send(again.page)
    await again.page.waitForURL('**/insights')
    await again.close()
  })
})
