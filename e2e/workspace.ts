import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Look, launchBrowser, type Visit, visit } from './browser.ts'
import { type Stack, type StackOptions, startStack } from './stack.ts'

/** The product of this test file. */
export let stack: Stack
export let browser: Browser
export const ann = { email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' }
/** Ann's token. */
export let token: string
/** The page of the current test, in which Ann is signed in. */
export let page: Page

let visited: Visit
let prepareWindow: () => Promise<void>

/** Options, or what makes them before the product starts. */
type Made<T> = T | (() => Promise<T>)

type AnnOptions = StackOptions & {
  /** What Ann's workspace contains: an imported file, by default called `f.csv`, all of it grouped. */
  file?: string
  fileName?: string
}

type WorkspaceOptions = AnnOptions & {
  /** Runs once, after the file is grouped. */
  prepare?: () => Promise<void>
  /** Runs in each new window, before the test. */
  prepareWindow?: () => Promise<void>
}

/** Runs the tests of this file on a product of their own, with a browser. What is declared with `beforeAll` after it runs when both have started. */
export function useStack(options: Made<StackOptions> = {}): void {
  start(options, async () => {})
}

/** The same with an account, Ann, and her workspace. */
export function useAnn(options: Made<AnnOptions> = {}): void {
  start(options, signUpAnn)
}

/** The same, each test in a window of its own. An uncaught error in a window, or a violation of its content security policy, fails the test. */
export function useWorkspace({ prepare, ...options }: WorkspaceOptions): void {
  prepareWindow = options.prepareWindow ?? (async () => {})
  start(options, async () => {
    await signUpAnn(options)
    await prepare?.()
  })
  beforeEach(() => open())
  afterEach(close)
}

function start<Options extends StackOptions>(
  options: Made<Options>,
  prepare: (options: Options) => Promise<void>,
): void {
  beforeAll(async () => {
    const made = typeof options === 'function' ? await options() : options
    stack = await startStack(made)
    browser = await launchBrowser()
    await prepare(made)
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })
}

async function signUpAnn({ file, fileName = 'f.csv' }: AnnOptions): Promise<void> {
  token = await stack.signUp(ann)
  if (file === undefined) return
  await call('POST', `/api/imports?name=${fileName}`, file)
  await stack.grouped()
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
