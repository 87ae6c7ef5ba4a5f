import { randomUUID } from 'node:crypto'
import type { Context } from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import type { TrackerSample, TrackerVariants } from '../kit/sample.ts'
import { recordingLog, startServer } from '../kit/testing.ts'
import { type GitHubOptions, type GitHubSandbox, startGitHub } from '../sandbox/github/github.ts'
import type { Repository } from '../sandbox/github/hub.ts'
import type { Installation } from '../sandbox/github/sign-in.ts'
import type { RemoteItem } from '../tracker.ts'
import { mintToken } from './installation.ts'
import { receive } from './receive.ts'
import { tracker as issues } from './tracker.ts'

export const SECRET = 'a webhook secret'
export const REDIRECT = 'https://fb.example/api/oauth'

/** A sandbox that stops automatically at the end of a test. */
export async function openGitHub(options: GitHubOptions = {}): Promise<GitHubSandbox & AsyncDisposable> {
  const sandbox = await startGitHub(options)
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Given = {
  settings?: Record<string, unknown>
  secrets?: Record<string, string>
  now?: () => Date
  maxBytes?: number
}

/** A context that is connected by token, with a repository chosen. */
export function contextFor(
  sandbox: GitHubSandbox,
  { settings, secrets, now, maxBytes = 1024 * 1024 }: Given = {},
): Context & { log: ReturnType<typeof recordingLog> } {
  return {
    settings: { ...settingsFor(sandbox), ...settings },
    secrets: secrets ?? { token: sandbox.signIns.token },
    http: createHttp({ guard: null, maxBytes, timeoutMs: 10_000 }),
    log: recordingLog(),
    signal: new AbortController().signal,
    now: now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
}

function settingsFor({ signIns }: GitHubSandbox): Record<string, unknown> {
  return { name: signIns.login, login: signIns.login, repository: ['acme/support'], labels: ['feedback'] }
}

/** The repository that is chosen. */
export function supportOf({ hub }: GitHubSandbox): Repository {
  const repository = hub.find('acme/support')
  if (!repository) throw new Error('There is no acme/support')
  return repository
}

/** A repository that the sign-in may not see. */
function hiddenRepository({ hub }: GitHubSandbox): Repository {
  return Object.assign(hub.addRepository('acme', `hidden-${hub.repositories.length}`), { hidden: true })
}

/** Nothing answers where a server is connected: its address is the only one that is used. */
const NOWHERE = 'http://127.0.0.1:9'

const sampleOf =
  (options: GitHubOptions = {}): TrackerSample =>
  async () => {
    const sandbox = await startGitHub(options)
    const support = supportOf(sandbox)
    return {
      baseUrl: options.enterprise ? NOWHERE : sandbox.url,
      settings: { ...settingsFor(sandbox), ...(options.enterprise ? { server: sandbox.url } : {}) },
      secrets: { token: sandbox.signIns.token },
      items: () =>
        support.issues.map(({ id, state, title, body, labels, comments }) => ({
          id: String(id),
          open: state === 'open',
          text: [title, body, ...labels].join('\n'),
          comments: comments.map((comment) => comment.body),
        })),
      requests: () => sandbox.calls,
      fault: (kind) => (kind === 'revoked' ? sandbox.signIns.end() : sandbox.faults.arm(kind)),
      lagSearch: (on) => sandbox.hub.lag(on),
      close: (id) => sandbox.setState(id, 'closed', 'completed'),
      reopen: (id) => sandbox.setState(id, 'open', 'reopened'),
      delete: (id) => sandbox.remove(id),
      move: (id) => void sandbox.transfer(id, hiddenRepository(sandbox)),
      [Symbol.asyncDispose]: () => sandbox.stop(),
    }
  }

export const tracker = sampleOf()

/** Servers of one's own, for the conformance suite. */
export const variants: TrackerVariants = { 'GitHub Enterprise Server': sampleOf({ enterprise: '3.14.2' }) }

/** An insight's document with customer text in it. */
export function documentFor(marker: string, given: Partial<InsightDocument> = {}): InsightDocument {
  return {
    title: 'Export stops halfway',
    summary: 'Large exports end without a message.',
    counts: { mentions: 3, people: 2 },
    tags: [{ name: 'Area', value: 'Reports' }],
    quotes: [],
    link: 'https://feedback.example.com/insights?issue=7',
    updated: new Date('2026-03-02T10:00:00Z'),
    ...given,
    marker,
  }
}

/** A sandbox with a context, and an insight to push to it. */
export async function opened({ settings = {}, ...given }: Given = {}) {
  const github = await openGitHub()
  const context = contextFor(github, { settings, ...given })
  const document = documentFor(randomUUID())
  const create = () => issues.create(context, { document, reopen: false })
  const update = (remote: RemoteItem, reopen = false) => issues.update(context, remote, { document, reopen })
  const support = supportOf(github)
  return { ...github, context, document, create, update, support, hide: () => hiddenRepository(github) }
}

/** A sandbox with the app installed, and a context that is connected as this installation. */
export async function installed(given: Given = {}) {
  const github = await openGitHub()
  const installation = github.signIns.install('acme')
  const app = github.signIns.app()
  const settings = settingsOfInstallation(github, installation)
  const start = contextFor(github, { ...given, settings: { ...settings, ...given.settings }, secrets: {} })
  const { secrets, expiresAt } = await mintToken(start, app, String(installation.id))
  return { ...github, installation, app, context: { ...start, secrets }, expiresAt }
}

function settingsOfInstallation({ signIns }: GitHubSandbox, { id }: Installation): Record<string, unknown> {
  return { name: 'acme', login: `${signIns.slug}[bot]`, installation_id: String(id) }
}

/** An installation whose webhook is received as the core does. */
export async function subscribed() {
  const github = await installed()
  const received: ReturnType<typeof receive>['events'][number][] = []
  const refused: string[] = []
  const server = await startServer(({ method, headers, body }, response) => {
    try {
      const request = { method, headers, body: Buffer.from(body) }
      received.push(...receive({ webhook_secret: SECRET }, request, new Date()).events)
      response.writeHead(202).end()
    } catch (error) {
      refused.push((error as Error).message)
      response.writeHead(403).end()
    }
  })
  Object.assign(github.webhooks, { url: `${server.url}/api/github/events`, secret: SECRET })
  const create = () => issues.create(github.context, { document: documentFor(randomUUID()), reopen: false })
  return {
    ...github,
    received,
    refused,
    create,
    async [Symbol.asyncDispose]() {
      await github.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The requests so far, as method and path. */
export const asked = ({ calls }: Pick<GitHubSandbox, 'calls'>) => calls.map(({ method, path }) => `${method} ${path}`)
