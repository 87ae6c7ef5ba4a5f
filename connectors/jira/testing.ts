import { randomUUID } from 'node:crypto'
import type { Context } from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import type { TrackerSample } from '../kit/sample.ts'
import { recordingLog, startServer } from '../kit/testing.ts'
import { type JiraSandbox, startJira } from '../sandbox/jira/jira.ts'
import type { Site } from '../sandbox/jira/site.ts'
import type { RemoteItem } from '../tracker.ts'
import { oauth } from './oauth.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as issues } from './tracker.ts'

const REDIRECT_URL = 'https://feedback.example.com/api/jira/callback'

/** A sandbox that stops automatically at the end of a test. */
export async function openJira(): Promise<JiraSandbox & AsyncDisposable> {
  const sandbox = await startJira()
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

/** What is chosen: tasks of the first project. */
export const CHOSEN = { project: ['10000'], issue_type: ['10001'] }

type Given = { settings?: Record<string, unknown>; secrets?: Record<string, string>; now?: () => Date }
type TestContext = Context & { log: ReturnType<typeof recordingLog> }

/** A context that is connected by API token, with a project and a type chosen. */
export function contextFor(sandbox: JiraSandbox, given: Given = {}): TestContext {
  const { signIns, sites } = sandbox
  return {
    settings: { host: sites[0].host, email: signIns.email, ...CHOSEN, ...given.settings },
    secrets: given.secrets ?? { api_token: signIns.apiToken },
    http: createHttp({ guard: null, maxBytes: 1024 * 1024, timeoutMs: 10_000 }),
    log: recordingLog(),
    signal: new AbortController().signal,
    now: given.now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
}

export const appOf = ({ signIns }: JiraSandbox) => ({
  client_id: signIns.clientId,
  client_secret: signIns.clientSecret,
})

/** Decides on the consent page as a person does, and returns where the browser is sent. */
export async function consent(sandbox: JiraSandbox, context: Context, decision = 'allow'): Promise<URL> {
  const url = oauth.authorizeUrl(context, appOf(sandbox), { redirectUrl: REDIRECT_URL, state: 'the state' })
  const body = new URLSearchParams([...new URL(url).searchParams, ['decision', decision]])
  const reply = await fetch(`${sandbox.url}/authorize`, { method: 'POST', body, redirect: 'manual' })
  return new URL(reply.headers.get('location') ?? '')
}

/** A sign-in with OAuth, as the core does it. */
export async function signIn(sandbox: JiraSandbox, now: () => Date = () => new Date()) {
  const context = { ...contextFor(sandbox, { secrets: {}, now }), settings: {} }
  const code = (await consent(sandbox, context)).searchParams.get('code') ?? ''
  return oauth.exchange(context, appOf(sandbox), { redirectUrl: REDIRECT_URL, code })
}

/** A context that is connected with OAuth, with a project and a type chosen. */
export async function signedIn(sandbox: JiraSandbox, settings: Record<string, unknown> = {}): Promise<TestContext> {
  const { secrets, settings: own } = await signIn(sandbox)
  return { ...contextFor(sandbox, { secrets }), settings: { ...own, ...CHOSEN, ...settings } }
}

export const tracker: TrackerSample = async () => {
  const sandbox = await startJira()
  const [site] = sandbox.sites
  return {
    baseUrl: sandbox.url,
    settings: { host: site.host, email: sandbox.signIns.email, ...CHOSEN },
    secrets: { api_token: sandbox.signIns.apiToken },
    items: () => itemsOf(site),
    requests: () => sandbox.calls,
    fault: (kind) => (kind === 'revoked' ? sandbox.signIns.end() : sandbox.faults.arm(kind)),
    lagSearch: (on) => site.lag(on),
    close: (id) => sandbox.close(id),
    reopen: (id) => sandbox.reopen(id),
    delete: (id) => sandbox.remove(id),
    move: (id) => sandbox.hide(id),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

const itemsOf = (site: Site) =>
  site.issues
    .filter(({ visible }) => visible)
    .map(({ id, status, fields, comments }) => ({
      id,
      open: status.category !== 'done',
      text: [fields.summary, JSON.stringify(fields.description), JSON.stringify(fields.labels)].join('\n'),
      comments: comments.map(({ body }) => JSON.stringify(body)),
    }))

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
export async function opened(settings: Record<string, unknown> = {}) {
  const jira = await openJira()
  const context = contextFor(jira, { settings })
  const document = documentFor(randomUUID())
  const create = () => issues.create(context, { document, reopen: false })
  const update = (remote: RemoteItem, reopen = false) => issues.update(context, remote, { document, reopen })
  return { ...jira, site: jira.sites[0], context, document, create, update }
}

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const jira = await openJira()
  const context = await signedIn(jira)
  const received: ReturnType<typeof receive>['events'][number][] = []
  const refused: string[] = []
  const server = await startServer(({ method, url, headers, body }, response) => {
    try {
      const key = /^\/events\/(.+)$/.exec(url)?.[1] ?? null
      received.push(...receive(appOf(jira), { method, key, headers, body: Buffer.from(body) }, new Date()).events)
      response.end()
    } catch (error) {
      refused.push((error as Error).message)
      response.writeHead(403).end()
    }
  })
  const address = `${server.url}/events/a-key`
  const ensure = (previous: Record<string, unknown> | null = null, url = address) =>
    subscriptions.ensure(context, { url, secret: 'not used', previous })
  const made = await ensure()
  const create = () => issues.create(context, { document: documentFor(randomUUID()), reopen: false })
  return {
    ...jira,
    site: jira.sites[0],
    context,
    received,
    refused,
    address,
    made,
    ensure,
    create,
    async [Symbol.asyncDispose]() {
      await jira.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The requests to Jira's API, as method and path without the site. */
export const requestsOf = ({ calls }: Pick<JiraSandbox, 'calls'>) =>
  calls
    .filter(({ template }) => template !== null)
    .map(({ method, template }) => `${method} ${template?.slice(11) ?? ''}`)
