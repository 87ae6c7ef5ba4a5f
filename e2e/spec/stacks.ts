import { mkdir, writeFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { type Look, launchBrowser, openProfile, openTab, type Visit, visit } from '../browser.ts'
import { startStack } from '../stack.ts'
import { BARE_WEB_VARIABLE, ONBOARDING_URL } from './bare-web.ts'
import { evalFiles, runsOf } from './evaluation-files.ts'
import { type Backend, type Front, startFront } from './front.ts'
import { standIn } from './stand-in.ts'

type Person = { email: string; password: string; name: string; token: string }

/** One of the two servers that the web app is tested against, behind a proxy that can make its calls fail. */
export type SpecStack = {
  /** It is the bare stand-in. */
  bare: boolean
  front: Front
  browser: Browser
  /** An administrator and a regular user. */
  ann: Person
  bo: Person
  /** An address that the webhook of this stack can be set to. */
  hookUrl: string
  /**
   * Opens an address as Ann, unless another token or none is given: in a tab of the stack's one profile, or in a window of
   * its own where `look` requires one.
   */
  open(address: string, look?: Look | 'signed out'): Promise<Visit>
  /** On Slack's consent page: returns the requested scopes and redirect address, and allows access. */
  consent(page: Page): Promise<{ scopes: string[]; back: string }>
}

const password = 'long enough to pass'

/** Runs the same tests against our server and against the bare stand-in. Before each test the proxy is reset. */
export function onBothStacks(what: string, tests: (stack: SpecStack) => void): void {
  describe.each([
    [`${what}, on our server`, ours],
    [`${what}, on the bare stand-in`, bare],
  ])('%s', (_, start) => {
    const stack = {} as SpecStack
    let stop: () => Promise<void>
    beforeAll(async () => {
      const started = await start()
      const { front } = started
      stop = started.stop
      const browser = await launchBrowser()
      const profile = await openProfile(browser, front.url)
      const join = async (name: string): Promise<Person> => {
        const email = `${name.toLowerCase()}@example.com`
        const post = async (path: string, body: object) => {
          const headers = { 'content-type': 'application/json' }
          const response = await fetch(`${front.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
          return (await response.json()) as { token: string }
        }
        await post('/api/auth/signup', { email, password, name })
        // From a later session than the one that created the account: new users are redirected elsewhere.
        const { token } = await post('/api/auth/login', { email, password })
        return { email, password, name, token }
      }
      Object.assign(stack, { ...started, browser, ann: await join('Ann'), bo: await join('Bo') })
      stack.open = async (address, look = {}) => {
        const { theme, width, motion, own } = look === 'signed out' ? ({} as Look) : look
        const token = look === 'signed out' ? '' : (look.token ?? stack.ann.token)
        const visited =
          theme || width || motion || own
            ? await visit(browser, front.url, { ...(look as Look), token })
            : await openTab(profile, token)
        await visited.page.goto(address)
        return visited
      }
    })
    beforeEach(() => stack.front.restore())
    afterAll(async () => {
      await stack.browser?.close()
      await stop?.()
    })
    tests(stack)
  })
}

type Started = Pick<SpecStack, 'bare' | 'front' | 'hookUrl' | 'consent'> & { stop: () => Promise<void> }

async function ours(): Promise<Started> {
  const stack = await startStack()
  const front = await startFront(passOnTo(stack.url))
  const { config } = stack.services
  config.publicUrl = front.url
  config.onboardingUrl = ONBOARDING_URL
  config.comingSoon = ['zendesk']
  await seed(path.join(config.dataDir, 'evals'), evalFiles)
  for (const [name, runs] of Object.entries(runsOf)) {
    await seed(path.join(config.dataDir, 'comparisons', name), { 'runs.json': { runs } })
  }
  return {
    bare: false,
    front,
    hookUrl: stack.receiver.hookUrl,
    async consent(page) {
      await page.getByRole('heading', { name: 'Groundswell wants to read your Slack' }).waitFor()
      const asked = askedOf(page)
      await page.getByRole('button', { name: 'Allow' }).click()
      return asked
    },
    async stop() {
      await front.stop()
      await stack.stop()
    },
  }
}

async function bare(): Promise<Started> {
  const folder = process.env[BARE_WEB_VARIABLE]
  if (!folder) throw new Error('e2e/vitest.config.ts must name spec/bare-web.ts')
  const front = await startFront(standIn(folder))
  return {
    bare: true,
    front,
    hookUrl: 'https://hooks.example.com/feedback',
    async consent(page) {
      await page.waitForURL('https://slack.com/oauth/v2/authorize**')
      const asked = askedOf(page)
      await page.goto(`${asked.back}?code=good`)
      return asked
    },
    stop: () => front.stop(),
  }
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
