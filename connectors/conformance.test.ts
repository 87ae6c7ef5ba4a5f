import { existsSync, readdirSync } from 'node:fs'
import type { WebhookPayload } from '@groundswell/contract/webhook-payload.ts'
import { describe, expect, it } from 'vitest'
import { template } from './_template/index.ts'
import { templateSource } from './_template-source/index.ts'
import { templateTracker } from './_template-tracker/index.ts'
import type { Connector, Context } from './connector.ts'
import { connectors } from './index.ts'
import { createCache } from './kit/cache.ts'
import { type ConnectorFailure, isConnectorFailure } from './kit/errors.ts'
import { createHttp } from './kit/http.ts'
import type { Sample } from './kit/sample.ts'
import { failureFrom, type Handler, recordingLog, startServer } from './kit/testing.ts'

const all: readonly Connector[] = [...connectors, template, templateSource, templateTracker]
const pushing = all.filter((connector) => connector.push)

const junk: unknown[] = [
  undefined,
  null,
  0,
  1.5,
  Number.NaN,
  true,
  '',
  'text',
  '[]',
  [],
  [[]],
  [1],
  () => 1,
  Symbol('s'),
  10n,
]

const payload: WebhookPayload = {
  version: 1,
  type: 'insight.test',
  timestamp: '2026-03-01T12:00:00.000Z',
  delivery_id: '6f9b6c57-1c50-4f0e-8f8d-1f3f54a7c001',
  data: {
    insight: {
      id: 'i-1',
      issue_number: 1,
      issue_name: 'Export fails',
      summary: 'The export stops at 90 %.',
      status: 'created',
      url: null,
      mention_count: 3,
      people_count: 3,
      first_seen: null,
      last_seen: null,
      categories: [],
    },
    new_mentions: 3,
    evidence: [{ text: 'customer words', author: 'Ann', date: '2026-03-01T11:00:00.000Z', link: null, source: 'file' }],
  },
}

/** The sample that a connector's own `testing.ts` exports. */
async function sampleOf(connector: Connector): Promise<Sample> {
  const path = new URL(`./${connector.manifest.id}/testing.ts`, import.meta.url).href
  const loaded = (await import(path)) as { sample: Sample }
  return loaded.sample
}

type Split = { settings: Record<string, unknown>; secrets: Record<string, string> }

/** Splits a parsed form as the core does: secrets are sealed, the rest is stored as it is. */
function split({ manifest }: Connector, form: Record<string, unknown>, added: Record<string, string>): Split {
  const entries = Object.entries(manifest.form.parse(form))
  const secret = ([name]: [string, unknown]) => manifest.secretFields.includes(name)
  return {
    settings: Object.fromEntries(entries.filter((entry) => !secret(entry))),
    secrets: { ...(Object.fromEntries(entries.filter(secret)) as Record<string, string>), ...added },
  }
}

describe.each(all.map((connector) => [connector.manifest.id, connector] as const))('%s', (id, connector) => {
  const { manifest } = connector

  it('has a consistent manifest', () => {
    expect(existsSync(new URL(`./${id}/index.ts`, import.meta.url))).toBe(true)
    expect(manifest.label.trim()).not.toBe('')
    expect(manifest.info.length).toBeGreaterThan(10)
    expect(manifest.info.length).toBeLessThanOrEqual(60)
    const names = manifest.fields.map((field) => field.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining([...manifest.secretFields]))
    const sealed = manifest.fields.filter((field) => field.kind === 'secret').map((field) => field.name)
    expect([...manifest.secretFields]).toEqual(expect.arrayContaining(sealed))
    expect(manifest.fields.every((field) => field.label !== '')).toBe(true)
  })

  it('has a small, self-contained SVG for a logo, or none', () => {
    const { logo } = manifest
    if (logo === null) return
    expect(logo).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[\d .]+"[^>]*>[^]+<\/svg>$/)
    expect(logo.length).toBeLessThanOrEqual(4096)
    expect(logo).not.toMatch(/<(script|style|foreignObject|image)|\son\w+=|href|url\((?!#)|<!/i)
    expect(logo.match(/<[a-z]/gi)?.length).toBe(logo.match(/\/>|<\//g)?.length)
  })

  it('has the parts of its side, or is coming soon', () => {
    const { pull, file, push, tracker } = connector
    const sends = [push, tracker].filter(Boolean)
    expect([pull, file, ...sends].some(Boolean)).toBe(!manifest.comingSoon)
    expect(sends).toHaveLength(manifest.side === 'destination' && !manifest.comingSoon ? 1 : 0)
    expect(connector.retrySchedule !== undefined).toBe(sends.length > 0)
    const delays = [...(connector.retrySchedule ?? [])]
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
    expect(delays.every((delay) => Number.isInteger(delay) && delay > 0)).toBe(true)
  })

  it('knows the account that its choices belong to', () => {
    const { choices, oauth, check } = connector
    expect(choices === undefined || oauth !== undefined || check !== undefined).toBe(true)
  })

  it('refuses junk as a form', () => {
    for (const value of junk) expect(manifest.form.safeParse(value).success).toBe(false)
    expect(manifest.form.safeParse(Object.fromEntries(junk.entries())).success).toBe(false)
    for (const value of [...junk, {}, new Date()]) {
      const form = Object.fromEntries(
        [...manifest.fields.map((field) => field.name), 'other'].map((name) => [name, value]),
      )
      expect(manifest.form.safeParse(form).success).toBe(false)
    }
  })
})

describe.each(pushing.map((connector) => [connector.manifest.id, connector] as const))('%s pushes', (_, connector) => {
  /** One push to a server with these responses: the outcome, and everything that could leak a secret. */
  async function pushTo(handler: Handler | null, timeoutMs = 5000) {
    const sampled = await sampleOf(connector)
    let answer = ''
    await using server = await startServer(handler ?? ((__, response) => response.end(answer)))
    const { form, secrets: added, answer: good } = sampled(server.url)
    answer = good
    const { settings, secrets } = split(connector, form, added)
    const log = recordingLog()
    const context: Context = {
      settings,
      secrets,
      http: createHttp({ guard: null, timeoutMs }),
      log,
      signal: new AbortController().signal,
      now: () => new Date(),
      cache: createCache(),
      baseUrl: null,
    }
    const before = JSON.stringify({ settings, payload })
    const pushed = connector.push?.(context, { deliveryId: payload.delivery_id, payload }) ?? Promise.reject()
    const result = await pushed.then(
      (outcome) => ({ outcome, error: undefined }),
      (error: unknown) => ({ outcome: undefined, error }),
    )
    expect(JSON.stringify({ settings, payload })).toBe(before)
    expect(server.seen.filter((request) => request.method !== 'GET').length).toBeLessThanOrEqual(1)
    return { ...result, settings, secrets, log, seen: server.seen }
  }

  /** The failure of a push, of one of the four kinds, recorded for the ledger. */
  async function failureOn(handler: Handler, timeoutMs?: number): Promise<ConnectorFailure> {
    const { error } = await pushTo(handler, timeoutMs)
    expect(isConnectorFailure(error)).toBe(true)
    const failure = error as ConnectorFailure
    expect(failure.ledger?.error).toBe(failure.message)
    return failure
  }

  it('has no secrets in the stored settings of its sample', async () => {
    const { settings, secrets } = await pushTo(null)
    expect(connector.manifest.secretFields.filter((name) => name in settings)).toEqual([])
    for (const secret of Object.values(secrets)) expect(JSON.stringify(settings)).not.toContain(secret)
    expect(connector.manifest.describe(settings, secrets).name).not.toBe('')
  })

  it('in one request with the delivery id', async () => {
    const { outcome, seen } = await pushTo(null)
    expect(outcome).toMatchObject({ status: 200 })
    expect(seen).toHaveLength(1)
    expect(JSON.stringify(seen[0])).toContain(payload.delivery_id)
  })

  it.each([301, 302, 307, 308, 400, 401, 403, 404, 409, 410, 422, 429, 500, 501, 502, 503, 504])(
    'and reports %i as a failure, without a second request',
    async (status) => {
      const failure = await failureOn((__, response) => response.writeHead(status, { location: '/b' }).end('no'))
      expect(failure.ledger).toMatchObject({ status, answer: 'no' })
      const kinds =
        status === 429 ? ['rate-limited'] : status >= 500 ? ['unavailable'] : ['auth', 'rejected', 'unavailable']
      expect(kinds).toContain(failure.kind)
    },
  )

  it('and passes on how long a 429 asks to wait', async () => {
    const failure = await failureOn((__, response) => response.writeHead(429, { 'retry-after': '21' }).end())
    expect(failure.retryAfter).toBe(21)
  })

  it('and reports a hang, a reset and a truncated response as failures to retry', async () => {
    const handlers: Handler[] = [
      () => {},
      (__, ___, socket) => socket.resetAndDestroy(),
      (__, response) => void response.writeHead(200).write('{"half'),
    ]
    for (const handler of handlers) expect((await failureOn(handler, 600)).kind).toBe('unavailable')
  })

  it('and puts no secret and no customer text into messages, logs and the ledger', async () => {
    const echo: Handler = ({ headers }, response) => response.writeHead(400).end(JSON.stringify(headers))
    const handlers: Handler[] = [echo, (__, ___, socket) => socket.resetAndDestroy()]
    for (const handler of handlers) {
      const { error, secrets, log } = await pushTo(handler)
      const failure = error as ConnectorFailure
      const output = [failure.message, failure.stack, JSON.stringify(failure.ledger), ...log.lines].join('\n')
      for (const secret of Object.values(secrets)) expect(output).not.toContain(secret)
      expect(output).not.toContain('path-secret')
      expect(output).not.toContain('customer words')
    }
  })

  it('and stops when the signal is aborted', async () => {
    const stop = new AbortController()
    const sampled = await sampleOf(connector)
    await using server = await startServer(() => stop.abort())
    const { form, secrets: added } = sampled(server.url)
    const { settings, secrets } = split(connector, form, added)
    const http = createHttp({ guard: null })
    const context: Context = {
      settings,
      secrets,
      http,
      log: recordingLog(),
      signal: stop.signal,
      now: () => new Date(),
      cache: createCache(),
      baseUrl: null,
    }
    const error = await failureFrom(
      connector.push?.(context, { deliveryId: payload.delivery_id, payload }) ?? Promise.resolve(),
    )
    expect(isConnectorFailure(error) && error.kind).toBe('unavailable')
  })
})

it('every built connector with a form has a sample for this suite', () => {
  const missing = readdirSync(import.meta.dirname).filter(
    (folder) =>
      all.some(({ manifest, push, pull, tracker }) => manifest.id === folder && (push || pull || tracker)) &&
      !existsSync(new URL(`./${folder}/testing.ts`, import.meta.url)),
  )
  expect(missing).toEqual([])
})
