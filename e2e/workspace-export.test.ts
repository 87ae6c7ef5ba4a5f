import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { untilIdle, visit } from './browser.ts'
import { problemsInLooks } from './looks.ts'
import { logIn } from './sign-in.ts'
import { hold, toast } from './toast.ts'
import { browser, stack, useStack } from './workspace.ts'

const password = 'long enough to pass'

useStack({ config: { authRateLimits: null } })

/** A person with a message in their workspace, signed in. */
async function begin(email: string) {
  const token = await stack.signUp({ email, password, name: 'Ann' })
  await stack.call(
    token,
    'POST',
    '/api/imports?name=tickets.jsonl',
    JSON.stringify({ id: '1', text: 'The export fails' }),
  )
  await stack.grouped()
  const visited = await visit(browser, stack.url)
  await logIn(visited.page, { email, password })
  await visited.page.goto('/settings/workspace')
  await visited.page.getByRole('heading', { name: 'Workspace data' }).waitFor()
  return visited
}

test('the export and the erasure, with their states, in every look', async () => {
  const email = 'ann@example.com'
  const { page, faults, close } = await begin(email)
  const everything = page.getByRole('button', { name: 'Export everything', exact: true })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/workspace/export', async (route) => {
    await held.promise
    await route.fulfill({
      status: 409,
      json: { code: 'conflict', message: 'An export of this workspace is already running' },
    })
  })
  await everything.scrollIntoViewIfNeeded()
  expect(await problemsInLooks(page, 'data')).toEqual([])
  await everything.click()
  await page.getByRole('status').filter({ hasText: 'Preparing' }).waitFor()
  expect(await problemsInLooks(page, 'preparing')).toEqual([])
  held.resolve()
  const failed = toast(page, 'Export failed')
  await hold(failed)
  await failed.getByText('An export of this workspace is already running').waitFor()
  expect(await problemsInLooks(page, 'failed')).toEqual([])
  await failed.getByRole('button', { name: /close|dismiss/i }).click()

  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('button', { name: 'Export everything first' }).waitFor()
  expect(await problemsInLooks(page, 'erase')).toEqual([])
  await dialog.getByLabel(`Type ${email} to confirm`).fill('someone@example.com')
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByText('This is not the email address of your account.').waitFor()
  expect(await problemsInLooks(page, 'unconfirmed')).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('with the keyboard alone, everything is exported and then erased; the person is signed out', async () => {
  const email = 'keys@example.com'
  const { page, faults, close } = await begin(email)
  await untilIdle(page)
  await page.getByRole('button', { name: 'Export everything', exact: true }).focus()
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(file.suggestedFilename()).toMatch(/^groundswell-workspace-\d{4}-\d\d-\d\d\.jsonl\.gz$/)
  const lines = gunzipSync(await buffer(await file.createReadStream()))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toEqual({ end: true, rows: lines.length - 2 })
  expect(lines).toContainEqual({ table: 'feedback_item', row: expect.objectContaining({ text: 'The export fails' }) })
  expect(lines).toContainEqual({ table: 'member', row: expect.objectContaining({ email }) })

  await page.getByRole('link', { name: 'You', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete my account' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('button', { name: 'Export everything first' }).waitFor()
  await untilIdle(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(email.toUpperCase())
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await toast(page, 'Your account is deleted').waitFor()
  await page.getByText('or login with email').waitFor()
  await expect(stack.call('', 'POST', '/api/auth/login', { email, password })).rejects.toThrow('login_refused')
  expect(faults).toEqual([])
  await close()
})

test('what has arrived is shown while the file is being saved, and one that breaks off is not saved', async () => {
  const { page, faults, close } = await begin('cleo@example.com')
  // A reply in pieces can only be made in the page itself.
  await page.evaluate(() => {
    const real = fetch
    const pieces: { push?: (size: number) => void; fail?: () => void } = {}
    Object.assign(globalThis, { pieces })
    globalThis.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : input.toString()
      if (!address.includes('/api/workspace/export')) return real(input, init)
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          pieces.push = (size) => controller.enqueue(new Uint8Array(size))
          pieces.fail = () => controller.error(new TypeError('terminated'))
        },
      })
      return new Response(stream)
    }
  })
  let saved = 0
  page.on('download', () => {
    saved += 1
  })
  await page.getByRole('button', { name: 'Export everything', exact: true }).click()
  // Not `waitForFunction`, whose second look is stopped by the content security policy.
  await expect.poll(() => page.evaluate('Boolean(pieces.push)')).toBe(true)
  await page.evaluate('pieces.push(4_200_000)')
  await page.getByRole('status').filter({ hasText: '4.2 MB' }).waitFor()
  await page.evaluate('pieces.fail()')
  await toast(page, 'Export failed').waitFor()
  expect([saved, faults]).toEqual([0, []])
  await close()
})
