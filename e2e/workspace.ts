import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Look, launchBrowser, type Visit, visit } from './browser.ts'
import { type Stack, type StackOptions, startStack } from './stack.ts'

/** The product of this test file. */
export let stack: Stack
/** The page of the current test, in which Ann is signed in. */
export let page: Page
/** Her token. */
export let token: string

let browser: Browser
let visited: Visit
let prepareWindow: () => Promise<void>

type Options = StackOptions & {
  /** What Ann's workspace contains: an imported file, by default called `f.csv`. */
  file?: string
  fileName?: string
  /** Runs once, after the file is grouped. */
  prepare?: () => Promise<void>
  /** Runs in each new window, before the test. */
  prepareWindow?: () => Promise<void>
}

/**
 * Runs the tests of this file on one workspace, owned by Ann (ann@example.com), each in a window of its own. An uncaught error in a window, or a
 * violation of its content security policy, fails the test.
 */
export function useWorkspace({ file, fileName = 'f.csv', prepare, ...options }: Options): void {
  prepareWindow = options.prepareWindow ?? (async () => {})
  beforeAll(async () => {
    stack = await startStack(options)
    browser = await launchBrowser()
    token = await stack.signUp({ email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' })
    if (file !== undefined) await call('POST', `/api/imports?name=${fileName}`, file)
    await stack.grouped()
    await prepare?.()
  })
  afterAll(async () => {
    await browser.close()
    await stack.stop()
  })
  beforeEach(() => open())
  afterEach(close)
}

/** Makes a call as Ann and returns the parsed reply; a refusal is an error with its body. */
export function call(method: string, path: string, body?: unknown): Promise<unknown> {
  return stack.call(token, method, path, body)
}

/** Continues the test in a new window. */
export async function reopen(look: Look): Promise<Page> {
  await close()
  await open(look)
  return page
}

async function open(look: Look = {}): Promise<void> {
  visited = await visit(browser, stack.url, { token, ...look })
  page = visited.page
  await prepareWindow()
}

async function close(): Promise<void> {
  const { faults } = visited
  await visited.close()
  if (faults.length > 0) throw new Error(faults.join('\n'))
}
