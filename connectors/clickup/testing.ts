import { randomUUID } from 'node:crypto'
import type { Context } from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import type { TrackerSample } from '../kit/sample.ts'
import { recordingLog, startServer } from '../kit/testing.ts'
import { type ClickUpSandbox, startClickUp } from '../sandbox/clickup/clickup.ts'
import type { RemoteItem } from '../tracker.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { isClosed } from './task.ts'
import { tracker as tasks } from './tracker.ts'

/** A sandbox that stops automatically at the end of a test. */
export async function openClickUp(): Promise<ClickUpSandbox & AsyncDisposable> {
  const sandbox = await startClickUp()
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Given = {
  settings?: Record<string, unknown>
  secrets?: Record<string, string>
  now?: () => Date
  maxBytes?: number
}

/** A context that is connected by an API token, with the first list chosen. */
export function contextFor(
  sandbox: ClickUpSandbox,
  given: Given = {},
): Context & { log: ReturnType<typeof recordingLog> } {
  return {
    settings: { ...settingsFor(sandbox), ...given.settings },
    secrets: given.secrets ?? { token: sandbox.signIns.apiToken },
    http: createHttp({ guard: null, maxBytes: given.maxBytes ?? 1024 * 1024, timeoutMs: 10_000 }),
    log: recordingLog(),
    signal: new AbortController().signal,
    now: given.now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
}

function settingsFor({ account }: ClickUpSandbox): Record<string, unknown> {
  return {
    name: 'Fernweh',
    workspace: [account.team(0).id],
    space: [account.space.id],
    folder: [],
    list: [account.list.id],
  }
}

export const tracker: TrackerSample = async () => {
  const sandbox = await startClickUp()
  const { account } = sandbox
  return {
    baseUrl: sandbox.url,
    settings: settingsFor(sandbox),
    secrets: { token: sandbox.signIns.apiToken },
    items: () =>
      account.tasks
        .filter(({ deleted, visible }) => visible && !deleted)
        .map(({ id, status, name, markdown, tags, comments }) => ({
          id,
          open: !isClosed(status),
          text: [name, markdown, ...tags].join('\n'),
          comments: comments.map(({ text }) => text),
        })),
    requests: () => sandbox.calls,
    fault: (kind) => (kind === 'revoked' ? sandbox.signIns.end() : sandbox.faults.arm(kind)),
    lagSearch: (on) => account.lag(on),
    close: (id) => sandbox.setStatus(id, 'closed'),
    reopen: (id) => sandbox.setStatus(id, 'custom'),
    delete: (id) => sandbox.remove(id),
    move: (id) => sandbox.move(id),
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

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}) {
  const clickup = await openClickUp()
  const context = contextFor(clickup, { settings })
  const document = documentFor(randomUUID())
  const create = () => tasks.create(context, { document, reopen: false })
  const update = (remote: RemoteItem, reopen = false) => tasks.update(context, remote, { document, reopen })
  return { ...clickup, context, document, create, update }
}

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const run = await opened()
  const received: ReturnType<typeof receive>['events'][number][] = []
  const refused: string[] = []
  let secrets: Record<string, string> = {}
  const server = await startServer(({ method, headers, body }, response) => {
    try {
      received.push(...receive(secrets, { method, headers, body: Buffer.from(body) }, new Date()).events)
      response.end()
    } catch (error) {
      refused.push((error as Error).message)
      response.writeHead(403).end()
    }
  })
  const ensure = async (previous: Record<string, unknown> | null = null) => {
    const made = await subscriptions.ensure(run.context, {
      url: `${server.url}/events/key`,
      secret: 'unused',
      previous,
    })
    secrets = made.secrets ?? secrets
    return made
  }
  const { state } = await ensure()
  return {
    ...run,
    received,
    refused,
    state,
    ensure,
    secrets: () => secrets,
    async [Symbol.asyncDispose]() {
      await run.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The requests that were sent, each as its method and path in the description. */
export const requests = (calls: ClickUpSandbox['calls']) => calls.map(({ method, template }) => `${method} ${template}`)
