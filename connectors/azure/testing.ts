import { randomUUID } from 'node:crypto'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import type { TrackerSample, TrackerVariants } from '../kit/sample.ts'
import { recordingLog, startServer } from '../kit/testing.ts'
import { type Item, isClosed } from '../sandbox/azure/account.ts'
import { type AzureOptions, type AzureSandbox, startAzure } from '../sandbox/azure/azure.ts'
import type { RemoteItem } from '../tracker.ts'
import { organisationOf, remoteIdOf } from './place.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as workItems } from './tracker.ts'

export const SECRET = 'a password of ours'

/** A sandbox that stops automatically at the end of a test. */
export async function openAzure(options: AzureOptions = {}): Promise<AzureSandbox & AsyncDisposable> {
  const sandbox = await startAzure(options)
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Given = { settings?: Record<string, unknown>; secrets?: Record<string, string>; now?: () => Date }

/** Pauses in memory, as the server keeps them for a connection. */
function pausesIn(now: () => Date) {
  let until = 0
  const left = () => Math.max(0, Math.ceil((until - now().getTime()) / 1000))
  return {
    left: async () => left(),
    set: async (_: string, seconds: number) => {
      until = Math.max(until, now().getTime() + seconds * 1000)
    },
  }
}

/** A context that is connected by token, with the first project and the type without required fields. */
export function contextFor(sandbox: AzureSandbox, given: Given = {}) {
  const now = given.now ?? (() => new Date())
  return {
    pauses: pausesIn(now),
    settings: { ...settingsFor(sandbox), ...given.settings },
    secrets: given.secrets ?? { pat: sandbox.signIns.pat },
    http: createHttp({ guard: null, maxBytes: 1024 * 1024, timeoutMs: 10_000 }),
    log: recordingLog(),
    signal: new AbortController().signal,
    now,
    cache: createCache(),
    baseUrl: baseUrlFor(sandbox),
  }
}

/** Nothing answers where a server is connected: its address is the only one that is used. */
const NOWHERE = 'http://127.0.0.1:9'
const baseUrlFor = ({ url, collectionUrl }: AzureSandbox) => (collectionUrl === null ? url : NOWHERE)

function settingsFor({ account, collectionUrl, version }: AzureSandbox): Record<string, unknown> {
  const { organisation } = account
  const chosen = { project: [account.project(0).id], type: ['Issue'] }
  if (collectionUrl !== null) return { name: organisation, server: collectionUrl, api_version: version, ...chosen }
  return {
    name: organisation,
    organization: organisation,
    organizations: [organisation],
    ...chosen,
  }
}

const numberOf = (remoteId: string) => Number(remoteId.split('/').at(-1))

function idOf(sandbox: AzureSandbox, { id }: Item): string {
  const context = { settings: settingsFor(sandbox) }
  return remoteIdOf(context, organisationOf(context), id)
}

const sampleOf =
  (options: AzureOptions = {}): TrackerSample =>
  async () => {
    const sandbox = await startAzure(options)
    const { account, signIns, faults } = sandbox
    return {
      baseUrl: baseUrlFor(sandbox),
      settings: settingsFor(sandbox),
      secrets: { pat: signIns.pat },
      items: () =>
        account.items
          .filter(({ deleted, visible }) => visible && !deleted)
          .map((item) => ({
            id: idOf(sandbox, item),
            open: !isClosed(item),
            text: [...Object.values(item.fields).map(String), ...item.relations.map(({ url }) => url)].join('\n'),
            comments: item.comments.map(({ text }) => text),
          })),
      requests: () => sandbox.calls,
      fault: (kind) => (kind === 'revoked' ? signIns.end() : faults.arm(kind)),
      lagSearch: (on) => account.lag(on),
      close: (id) => sandbox.setState(numberOf(id), 'Done'),
      reopen: (id) => sandbox.setState(numberOf(id), 'Doing'),
      delete: (id) => sandbox.remove(numberOf(id)),
      move: (id) => sandbox.hide(numberOf(id)),
      [Symbol.asyncDispose]: () => sandbox.stop(),
    }
  }

export const tracker = sampleOf()

/** Servers of one's own, for the conformance suite. */
export const variants: TrackerVariants = {
  'Azure DevOps Server 2020': sampleOf({ server: { collection: 'Default Collection', version: '6.0' } }),
  'Azure DevOps Server 2022': sampleOf({ server: { collection: 'DefaultCollection', version: '7.0' } }),
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
export async function opened(settings: Record<string, unknown> = {}, options: AzureOptions = {}) {
  const azure = await openAzure(options)
  const context = contextFor(azure, { settings })
  const document = documentFor(randomUUID())
  const create = () => workItems.create(context, { document, reopen: false })
  const update = (remote: RemoteItem, reopen = false) => workItems.update(context, remote, { document, reopen })
  return { ...azure, context, document, create, update, requests: () => requestsOf(azure) }
}

/** A sandbox with subscribed events, which are received as the core does. */
export async function subscribed(options: AzureOptions = {}) {
  const run = await opened({}, options)
  const received: ReturnType<typeof receive>['events'][number][] = []
  const refused: string[] = []
  const server = await startServer(({ method, headers, body }, response) => {
    try {
      received.push(...receive({ hook_password: SECRET }, { method, headers, body: Buffer.from(body) }).events)
      response.end()
    } catch (error) {
      refused.push((error as Error).message)
      response.writeHead(403).end()
    }
  })
  const url = `${server.url}/events/key`
  const ensure = (previous: Record<string, unknown> | null = null) =>
    subscriptions.ensure(run.context, { url, secret: SECRET, previous })
  const { state, secrets } = await ensure()
  return {
    ...run,
    url,
    received,
    refused,
    state,
    secrets,
    ensure,
    async [Symbol.asyncDispose]() {
      await run.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The API's requests as method and last part of the path's template. */
export const requestsOf = ({ calls }: Pick<AzureSandbox, 'calls'>) =>
  calls.map(({ method, template }) => `${method} ${template?.split('/_apis/').at(-1) ?? 'none'}`)
