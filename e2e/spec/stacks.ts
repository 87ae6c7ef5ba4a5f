import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import path from 'node:path'
import { withoutWorkspace } from '@groundswell/server/platform/db/tenant.ts'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { type Look, launchBrowser, openProfile, openTab, type Visit, visit } from '../browser.ts'
import { startStack } from '../stack.ts'
import { BARE_WEB_VARIABLE, ONBOARDING_URL } from './bare-web.ts'
import { evalFiles, runsOf } from './evaluation-files.ts'
import { type Backend, type Front, startFront } from './front.ts'
import { standIn } from './stand-in.ts'

type Person = { email: string; password: string; name: string; token: string }
type People = { ann: Person; bo: Person }

/** One of the two servers that the web app is tested against, behind a proxy that can make its calls fail. */
type Server = {
  /** It is the bare stand-in. */
  bare: boolean
  front: Front
  browser: Browser
  /** What the tabs share. */
  profile: BrowserContext
  /** An address that the webhook of this stack can be set to. */
  hookUrl: string
  /** On Slack's consent page: returns the requested scopes and redirect address, and allows access. */
  consent(page: Page): Promise<{ scopes: string[]; back: string }>
  /** Makes a person an administrator, from the next sign-in: our server has only the first of all, the stand-in every Ann. */
  promote(email: string): Promise<void>
}

/** A server, an administrator and a regular user of it, whom the tests of one file share. */
export type SpecStack = Server &
  People & {
    /**
     * Opens an address as Ann, unless another token or none is given: in a tab of the stack's one profile, or in a window of
     * its own where `look` requires one. Closed after the test, if not before.
     */
    open(address: string, look?: Look | 'signed out'): Promise<Visit>
  }

type Tests = (stack: SpecStack) => void

const password = 'long enough to pass'

/** Each server is started once in a worker, by the first test that needs it; each file has people of its own on it. */
const world = test
  .extend('evaluated', { scope: 'worker' }, { evals: evalFiles, runs: runsOf })
  .extend('bareWeb', { scope: 'worker' }, process.env[BARE_WEB_VARIABLE] ?? '')
  .extend('ours', { scope: 'worker' }, async ({ evaluated }, { onCleanup }) => {
    const stack = await startStack()
    const front = await startFront(passOnTo(stack.url))
    const { config } = stack.services
    config.publicUrl = front.url
    config.onboardingUrl = ONBOARDING_URL
    config.comingSoon = ['zendesk']
    await seed(path.join(config.dataDir, 'evals'), evaluated.evals)
    for (const [name, runs] of Object.entries(evaluated.runs)) {
      await seed(path.join(config.dataDir, 'comparisons', name), { 'runs.json': { runs } })
    }
    const browser = await launchBrowser()
    onCleanup(async () => {
      await browser.close()
      await front.stop()
      await stack.stop()
    })
    const server: Server = {
      bare: false,
      front,
      browser,
      profile: await openProfile(browser, front.url),
      hookUrl: stack.receiver.hookUrl,
      async consent(page) {
        await page.getByRole('heading', { name: 'Groundswell wants to read your Slack' }).waitFor()
        const asked = askedOf(page)
        await page.getByRole('button', { name: 'Allow' }).click()
        return asked
      },
      async promote(email) {
        await withoutWorkspace(stack.services.db.accounts, (tx) =>
          sql`update account set is_admin = true where email = ${email}`.execute(tx),
        )
      },
    }
    return server
  })
  .extend('bare', { scope: 'worker' }, async ({ bareWeb }, { onCleanup }) => {
    if (bareWeb === '') throw new Error('e2e/vitest.config.ts must name spec/bare-web.ts')
    const front = await startFront(standIn(bareWeb))
    const browser = await launchBrowser()
    onCleanup(async () => {
      await browser.close()
      await front.stop()
    })
    const server: Server = {
      bare: true,
      front,
      browser,
      profile: await openProfile(browser, front.url),
      hookUrl: 'https://hooks.example.com/feedback',
      async consent(page) {
        await page.waitForURL('https://slack.com/oauth/v2/authorize**')
        const asked = askedOf(page)
        await page.goto(`${asked.back}?code=good`)
        return asked
      },
      promote: async () => {},
    }
    return server
  })
  .extend('people', { scope: 'file' }, ({ ours }) => join(ours))
  .extend('peopleOfBare', { scope: 'file' }, ({ bare }) => join(bare))

/** Runs tests against our server. Before each test the proxy is reset. */
export function onOurServer(what: string, tests: Tests): void {
  describe(`${what}, on our server`, () => {
    const { stack, prepare } = begin()
    world.beforeAll(({ ours, people }) => prepare(ours, people))
    tests(stack)
  })
}

/**
 * Runs tests against our server and against the bare stand-in: those where the page depends on what a server replies, on calls that it
 * does not have, on configuration at build time, or on Strict Mode.
 */
export function onBothStacks(what: string, tests: Tests): void {
  onOurServer(what, tests)
  describe(`${what}, on the bare stand-in`, () => {
    const { stack, prepare } = begin()
    world.beforeAll(({ bare, peopleOfBare }) => prepare(bare, peopleOfBare))
    tests(stack)
  })
}

/** The stack of the tests that are being described, which is there once `prepare` was called. */
function begin() {
  const stack = {} as SpecStack
  const visits = new Set<Visit>()
  beforeEach(() => stack.front.restore())
  // Where a test failed, its tab is still open: it would share storage, connections and calls with the next one.
  afterEach(async () => {
    stack.front.restore()
    for (const visited of visits) await visited.close()
    visits.clear()
  })
  const open = async (address: string, look: Look | 'signed out' = {}): Promise<Visit> => {
    const { theme, width, motion, own } = look === 'signed out' ? ({} as Look) : look
    const token = look === 'signed out' ? '' : (look.token ?? stack.ann.token)
    const visited =
      theme || width || motion || own
        ? await visit(stack.browser, stack.front.url, { ...(look as Look), token })
        : await openTab(stack.profile, token)
    const close = async () => {
      visits.delete(visited)
      await visited.close()
    }
    visits.add(visited)
    await visited.page.goto(address)
    return { ...visited, close }
  }
  return { stack, prepare: (server: Server, people: People) => void Object.assign(stack, server, people, { open }) }
}

async function join(server: Server): Promise<People> {
  // The file before may have ended with calls that fail.
  server.front.restore()
  const post = async (call: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${server.front.url}/api/auth/${call}`, init)
    if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { token: string }
  }
  const enter = async (name: string): Promise<Person> => {
    const email = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`
    await post('signup', { email, password, name })
    if (name === 'Ann') await server.promote(email)
    // From a later session than the one that created the account: new users are redirected elsewhere.
    const { token } = await post('login', { email, password })
    return { email, password, name, token }
  }
  return { ann: await enter('Ann'), bo: await enter('Bo') }
}

function askedOf(page: Page) {
  const query = new URL(page.url()).searchParams
  return { scopes: (query.get('scope') ?? '').split(','), back: query.get('redirect_uri') ?? '' }
}

function passOnTo(address: string): Backend {
  return ({ method, url, headers }, response, body) =>
    new Promise((resolve) => {
      const passed = ask(`${address}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        answer.on('close', resolve)
      })
      passed.on('error', () => {
        response.destroy()
        resolve()
      })
      passed.end(body)
    })
}

async function seed(folder: string, files: Record<string, unknown>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(content))
  }
}
