import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { AuthExpired, Unavailable } from '../kit/errors.ts'
import { failureFrom, type Handler, startServer, testContext } from '../kit/testing.ts'
import { call, JiraRefusal, SiteMissing } from './client.ts'
import { contextFor, opened, openJira, signedIn } from './testing.ts'
import { tracker } from './tracker.ts'

/** The failure of a call that gets this response. */
async function failureOf(handler: Handler) {
  await using server = await startServer(handler)
  const context = testContext({
    baseUrl: server.url,
    settings: { host: 'acme.atlassian.net', email: 'ann@acme.example' },
    secrets: { api_token: 'the-token-of-ann' },
    now: () => new Date('2026-11-23T10:00:00Z'),
    maxBytes: 2048,
  })
  const site = { id: null, api: server.url, browse: null }
  const error = await failureFrom(call(context, site, { name: 'issue', path: '/issue/1', schema: z.unknown() }))
  expect(server.seen).toHaveLength(1)
  expect(server.seen[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from('ann@acme.example:the-token-of-ann').toString('base64')}`,
  )
  return error
}

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

describe('a refusal', () => {
  it('has its status and the ids of the fields, and repeats nothing of the rest', async () => {
    const errors = { customfield_10001: 'customer words', 'a customer wrote this': 'x', summary: 'too long' }
    const error = await failureOf(says(400, { errorMessages: ['customer words'], errors }))
    expect(error).toBeInstanceOf(JiraRefusal)
    expect(error).toMatchObject({ status: 400, fields: ['customfield_10001', 'summary'] })
    expect((error as Error).message).toBe('Jira answered 400 to issue: it refused the request')
  })

  it('with 403 says that a permission is missing', async () => {
    expect(await failureOf(says(403, { errorMessages: ['No'] }))).toMatchObject({
      kind: 'rejected',
      status: 403,
      message: 'Jira does not let this sign-in do this (issue). Check its permissions',
    })
  })

  it('with 409 is one that may succeed later', async () => {
    expect(await failureOf(says(409, {}))).toBeInstanceOf(Unavailable)
  })

  it.each(['not JSON', '[]', '{"errors":[]}', '{"errors":null}'])('with the body %s has no fields', async (body) => {
    expect(await failureOf((_, response) => response.writeHead(400).end(body))).toMatchObject({
      status: 400,
      fields: [],
    })
  })

  it('with 404 is one of Jira only in Jira’s own words', async () => {
    expect(await failureOf(says(404, { errorMessages: ['Issue does not exist'], errors: {} }))).toMatchObject({
      kind: 'rejected',
      status: 404,
    })
    for (const body of ['<html>Unavailable</html>', '{"code":404,"message":"Not Found"}', '']) {
      const error = await failureOf((_, response) => response.writeHead(404).end(body))
      expect(error).toBeInstanceOf(SiteMissing)
      expect(error).toMatchObject({
        kind: 'unavailable',
        message: 'The site did not answer as Jira does to issue (404): it may be suspended',
      })
    }
  })
})

describe('a limit', () => {
  const WAITS: [Record<string, string>, number][] = [
    [{ 'retry-after': '41' }, 41],
    [{ 'retry-after': 'Mon, 23 Nov 2026 10:00:09 GMT' }, 9],
    [{}, 60],
  ]
  it.each(WAITS)('with %j waits %i seconds', async (headers, seconds) => {
    expect(await failureOf(says(429, {}, headers))).toMatchObject({ kind: 'rate-limited', retryAfter: seconds })
  })

  it('that comes with 503 is respected too', async () => {
    expect(await failureOf(says(503, {}, { 'retry-after': '12' }))).toMatchObject({
      kind: 'unavailable',
      retryAfter: 12,
    })
  })

  it('of an hour drops nothing and creates nothing twice', async () => {
    await using run = await opened()
    run.faults.limit = 3600
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await failureFrom(run.create())).toMatchObject({ kind: 'rate-limited', retryAfter: 3600 })
    }
    run.faults.limit = null
    expect(await tracker.find(run.context, run.document.marker)).toBeNull()
    await run.create()
    expect(run.site.issues).toHaveLength(1)
  })
})

describe('credentials', () => {
  it('that ended are reported, and how to sign in again', async () => {
    const error = await failureOf(says(401, { code: 401, message: 'Unauthorized' }))
    expect(error).toBeInstanceOf(AuthExpired)
    expect((error as Error).message).toMatch(/connect again/i)
  })

  it('without a scope say what it is missing for', async () => {
    await using jira = await openJira()
    jira.signIns.allowed = ['read:jira-work', 'write:jira-work', 'read:jira-user', 'offline_access']
    const context = await signedIn(jira)
    const site = { id: 'x', api: `${jira.url}/ex/jira/${jira.sites[0].id}`, browse: null }
    const error = await failureFrom(call(context, site, { name: 'webhooks', path: '/webhook', schema: z.unknown() }))
    expect(error).toMatchObject({
      kind: 'auth',
      message: 'The sign-in at Jira lacks a scope for webhooks. Add it and connect again',
    })
  })

  it('that are missing send nothing', async () => {
    await using jira = await openJira()
    const context = contextFor(jira, { secrets: {} })
    expect(await failureFrom(tracker.find(context, 'm'))).toMatchObject({ kind: 'rejected' })
    expect(jira.calls).toEqual([])
  })

  it('are in no ledger entry, also where Jira echoes them', async () => {
    const echo: Handler = ({ headers }, response) =>
      response.writeHead(400).end(JSON.stringify({ ...headers, token: 'the-token-of-ann' }))
    const { ledger } = (await failureOf(echo)) as JiraRefusal
    expect(ledger?.status).toBe(400)
    expect(JSON.stringify(ledger)).not.toContain('the-token-of-ann')
    expect(JSON.stringify(ledger)).not.toContain(
      Buffer.from('ann@acme.example:the-token').toString('base64').slice(0, 20),
    )
  })
})
