import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** As in scripts/setup.mjs, which installs the first of them. */
const KNOWN = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** How long a page may take to show something before the test fails: beside much other work, loading one takes half a minute. */
const PAGE_TIMEOUT_MS = 60_000

const IGNORE_ERRORS = { behavior: 'ignoreErrors' } as const

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  throw new Error('content security policy: ' + event.violatedDirective + ' ' + event.blockedURI)
})`

/** What a page asks for every fifteen seconds, it asks for every second: nothing else in it repeats so slowly. */
const ASK_OFTEN = `{
  const { setInterval } = globalThis
  globalThis.setInterval = (run, ms, ...rest) => setInterval(run, ms === 15000 ? 1000 : ms, ...rest)
}`

/** `motion`: with animations, which are otherwise reduced. `own`: with an empty cache and a clock that can be set. `zone`: the time zone of the reader. */
export type Look = {
  theme?: 'light' | 'dark'
  width?: 1440 | 390
  token?: string
  motion?: boolean
  own?: boolean
  zone?: string
}

/** A page, with its `faults`: uncaught errors and violations of the content security policy. */
export type Visit = { page: Page; context: BrowserContext; faults: string[]; close: () => Promise<void> }

const executable = () =>
  process.env.GROUNDSWELL_BROWSER ?? KNOWN.find((file) => existsSync(file)) ?? chromium.executablePath()

/** Starts a browser. Windows of one share its clipboard, so each test file starts its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executable(), args: FLAGS })
}

/** A browser with its profile in a folder, which others can control through a port too. */
export async function launchWithProfile(folder: string, port: number): Promise<BrowserContext> {
  const args = [...FLAGS, `--remote-debugging-port=${port}`]
  return chromium.launchPersistentContext(folder, { executablePath: executable(), args })
}

/** Opens a separate window in this theme and width, signed in if a token is given. */
export async function visit(browser: Browser, url: string, look: Look = {}): Promise<Visit> {
  const context = await openProfile(browser, url, look)
  return {
    ...(await openTab(context, look.token)),
    close: async () => {
      await ignorePendingRoutes(context)
      await context.close()
    },
  }
}

/** A test may end while a request that it intercepts is pending; without this, its handler's error would fail a test that has passed. */
async function ignorePendingRoutes(context: BrowserContext): Promise<void> {
  await Promise.all([context, ...context.pages()].map((owner) => owner.unrouteAll(IGNORE_ERRORS)))
}

/**
 * Waits until the page has run its deferred work: effects, and listeners that are added a tick later. Needed before a key press or
 * a click outside all elements, which are lost if nothing listens yet; everything else waits for its element. Does not return while the
 * page's clock is stopped.
 */
export async function untilIdle(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestIdleCallback(() => setTimeout(done), { timeout: 1000 }))')
}

/** By page: the requests that are under way, each to an address that has not replied to the page yet. */
const firstRequests = new WeakMap<Page, Set<Request>>()

/**
 * Waits until the page has a reply from every address that it has requested. Unlike Playwright's `networkidle`, it does not wait for half a
 * second of silence, which a page that asks for something every second may never have on a busy machine.
 */
export async function untilLoaded(page: Page): Promise<void> {
  for (;;) {
    await untilIdle(page)
    const pending = [...(firstRequests.get(page) ?? [])]
    if (pending.length === 0) return
    await Promise.all(pending.map((request) => request.response().then((response) => response?.finished())))
  }
}

function noteFirstRequests(page: Page): void {
  const pending = new Set<Request>()
  const answered = new Set<string>()
  const addressOf = (request: Request) => `${request.method()} ${request.url()}`
  const end = (request: Request) => {
    answered.add(addressOf(request))
    pending.delete(request)
  }
  page.on('request', (request) => {
    if (!answered.has(addressOf(request))) pending.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  firstRequests.set(page, pending)
}

/** What windows share: base address, theme, width, storage and cache. */
export async function openProfile(browser: Browser, url: string, look: Look = {}): Promise<BrowserContext> {
  const width = look.width ?? 1440
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: look.theme ?? 'light',
    reducedMotion: look.motion ? 'no-preference' : 'reduce',
    ...(look.zone === undefined ? {} : { timezoneId: look.zone }),
    ...(width === 390 ? { hasTouch: true, isMobile: true } : {}),
  })
  context.setDefaultTimeout(PAGE_TIMEOUT_MS)
  await context.addInitScript({ content: REPORT_VIOLATIONS })
  await context.addInitScript({ content: ASK_OFTEN })
  return context
}

/** Opens a tab with empty storage, except for the token if one is given. Closing it keeps the profile for the next tab. */
export async function openTab(context: BrowserContext, token = ''): Promise<Visit> {
  const page = await context.newPage()
  noteFirstRequests(page)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.addInitScript((kept) => {
    // A blank page has no storage.
    if ((globalThis as unknown as { location: { protocol: string } }).location.protocol === 'about:') return
    // Once only: a test that signs out must stay signed out on the next page.
    if (sessionStorage.getItem('e2e-started')) return
    sessionStorage.setItem('e2e-started', 'yes')
    localStorage.clear()
    if (kept) localStorage.setItem('token', kept)
  }, token)
  return {
    page,
    context,
    faults,
    close: async () => {
      await page.unrouteAll(IGNORE_ERRORS)
      await page.close()
    },
  }
}
