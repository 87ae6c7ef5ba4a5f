import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Look, launchBrowser, type Visit, visit } from './browser.ts'
import { csvOf, peopleSaying } from './feedback-file.ts'
import { eachLook, problemsOf } from './looks.ts'
import { type Stack, startStack } from './stack.ts'
import { toast } from './toast.ts'

let stack: Stack
let browser: Browser
let token: string
let visited: Visit
let page: Page

beforeAll(async () => {
  stack = await startStack()
  browser = await launchBrowser()
  token = await stack.signUp({ email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
  await stack.call(token, 'POST', '/api/imports?name=f.csv', csvOf(peopleSaying))
  await stack.grouped()
})
afterAll(async () => {
  await browser.close()
  await stack.stop()
})
beforeEach(() => look({}))
afterEach(async () => {
  if (visited.faults.length > 0) throw new Error(visited.faults.join('\n'))
  await visited.close()
})

async function look(options: Look): Promise<void> {
  visited = await visit(browser, stack.url, { token, ...options })
  page = visited.page
}

async function reopen(options: Look): Promise<Page> {
  await visited.close()
  await look(options)
  return page
}

type Listed = { issue_number: number; issue_name: string }
const first = async () => ((await stack.call(token, 'GET', '/api/insights/get-all')) as Listed[])[0] as Listed
const status = async (address: string) => (await fetch(address)).status

test('a link to an insight is made, opened without a sign-in, and revoked', async () => {
  const { issue_number, issue_name } = await first()
  const dialog = () => page.getByRole('dialog', { name: `Share #${issue_number}` })
  const share = async () => {
    await page.goto(`/insights?issue=${issue_number}`)
    await page.getByRole('button', { name: 'Correct this insight' }).click()
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    await dialog().getByRole('button', { name: 'Create link' }).waitFor()
  }
  await share()
  expect(await dialog().getByLabel('Names').isChecked()).toBe(true)
  await dialog().getByLabel('Expires after').selectOption({ label: '7 days' })
  await dialog().getByRole('button', { name: 'Create link' }).click()
  const address =
    (await dialog()
      .getByText(/\/api\/shared\/[\w-]{43}$/)
      .textContent()) ?? ''
  await dialog()
    .getByText(/by ann@example\.com · expires .* · without names/)
    .waitFor()
  expect(await problemsOf(page)).toEqual([])
  const reader = async (options: Look) => {
    await visited.close()
    visited = await visit(browser, stack.url, { ...options })
    page = visited.page
    return page
  }
  await eachLook('shared', reader, async () => {
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: issue_name }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).toBe('720px')
  })
  await eachLook('share', reopen, share)
  await dialog()
    .getByRole('button', { name: /^Revoke the link/ })
    .click()
  await page.getByRole('dialog', { name: 'Revoke this link?' }).getByRole('button', { name: 'Revoke' }).click()
  await toast(page, 'Link revoked').waitFor()
  await dialog().getByRole('button', { name: 'Create link' }).waitFor()
  expect([
    await status(address),
    await dialog()
      .getByRole('button', { name: /^Revoke/ })
      .count(),
  ]).toEqual([404, 0])
})
