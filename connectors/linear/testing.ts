import { randomUUID } from 'node:crypto'
import type { Context } from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import type { TrackerSample } from '../kit/sample.ts'
import { recordingLog, startServer } from '../kit/testing.ts'
import { officialSchema } from '../sandbox/linear/description.ts'
import { type LinearOptions, type LinearSandbox, startLinear } from '../sandbox/linear/linear.ts'
import type { RemoteItem } from '../tracker.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as issues } from './tracker.ts'

export const SECRET = 'a signing secret'

/** A sandbox that stops automatically at the end of a test. */
export async function openLinear(options: LinearOptions = {}): Promise<LinearSandbox & AsyncDisposable> {
  const sandbox = await startLinear(options)
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Given = { settings?: Record<string, unknown>; secrets?: Record<string, string>; now?: () => Date }

/** A context that is connected by API key, with the first team chosen. */
export function contextFor(
  sandbox: LinearSandbox,
  given: Given = {},
): Context & { log: ReturnType<typeof recordingLog> } {
  return {
    settings: { ...settingsFor(sandbox), ...given.settings },
    secrets: given.secrets ?? { api_key: sandbox.signIns.apiKey },
    http: createHttp({ guard: null, maxBytes: 1024 * 1024, timeoutMs: 10_000 }),
    log: recordingLog(),
    signal: new AbortController().signal,
    now: given.now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
}

function settingsFor({ workspace }: LinearSandbox): Record<string, unknown> {
  const { id, name } = workspace.organization
  return { name, organization_id: id, team: [workspace.team(0).id] }
}

/** Where the official schema is present, the sandbox answers by it. */
export const tracker: TrackerSample = async () => {
  const sandbox = await startLinear({ schema: officialSchema })
  const { workspace } = sandbox
  return {
    baseUrl: sandbox.url,
    settings: settingsFor(sandbox),
    secrets: { api_key: sandbox.signIns.apiKey },
    items: () =>
      workspace.issues
        .filter(({ trashed, visible }) => visible && !trashed)
        .map(({ id, state, title, description, comments }) => ({
          id,
          open: !['completed', 'canceled', 'duplicate'].includes(state.type),
          text: `${title}\n${description}`,
          comments: comments.map(({ body }) => body),
        })),
    requests: () => sandbox.calls,
    fault: (kind) => (kind === 'revoked' ? sandbox.signIns.end() : sandbox.faults.arm(kind)),
    lagSearch: (on) => workspace.lag(on),
    close: (id) => sandbox.setState(id, 'completed'),
    reopen: (id) => sandbox.setState(id, 'started'),
    delete: (id) => sandbox.trash(id),
    move: (id) => sandbox.hide(id),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

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

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const linear = await openLinear()
  const context = contextFor(linear)
  const received: ReturnType<typeof receive>['events'][number][] = []
  const refused: string[] = []
  const server = await startServer(({ method, headers, body }, response) => {
    try {
      const request = { method, headers, body: Buffer.from(body) }
      received.push(...receive({ webhook_secret: SECRET }, request, new Date()).events)
      response.end()
    } catch (error) {
      refused.push((error as Error).message)
      response.writeHead(403).end()
    }
  })
  const ensure = (previous: Record<string, unknown> | null = null) =>
    subscriptions.ensure(context, { url: `${server.url}/events/key`, secret: SECRET, previous })
  const { state, secrets } = await ensure()
  const create = () => issues.create(context, { document: documentFor(randomUUID()), reopen: false })
  return {
    ...linear,
    context,
    received,
    refused,
    state,
    secrets,
    ensure,
    create,
    async [Symbol.asyncDispose]() {
      await linear.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The names of the operations that were sent. */
export const operations = (calls: readonly { query: string }[]) =>
  calls.map(({ query }) => /^(?:query|mutation) (\w+)/.exec(query)?.[1])

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}) {
  const linear = await openLinear()
  const context = contextFor(linear, { settings })
  const document = documentFor(randomUUID())
  const create = () => issues.create(context, { document, reopen: false })
  const update = (remote: RemoteItem, reopen = false) => issues.update(context, remote, { document, reopen })
  return { ...linear, context, document, create, update }
}
