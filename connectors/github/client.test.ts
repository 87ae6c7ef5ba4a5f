import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { AuthExpired, type ConnectorFailure } from '../kit/errors.ts'
import { failureFrom, type Handler, startServer } from '../kit/testing.ts'
import { call } from './client.ts'
import { asked, contextFor, opened, openGitHub } from './testing.ts'
import { tracker } from './tracker.ts'

const ask = (context: Context) =>
  call(context, { name: 'things.get', path: '/things', schema: z.object({ id: z.int() }) })

/** A context whose GitHub is a server that answers as given. */
async function answering(handler: Handler) {
  const github = await openGitHub()
  const server = await startServer(handler)
  return {
    server,
    context: { ...contextFor(github), baseUrl: server.url },
    async [Symbol.asyncDispose]() {
      await github.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Handler => {
  return (_, response) => void response.writeHead(status, headers).end(JSON.stringify(body))
}

describe('limits', () => {
  it('waits for the reset of the hourly limit, which GitHub reports with 403', async () => {
    await using run = await opened()
    run.limits.exhaust(1800)
    const error = await failureFrom(run.create())
    expect(error).toMatchObject({ kind: 'rate-limited' })
    expect((error as ConnectorFailure).retryAfter).toBeGreaterThan(1700)
    expect((error as ConnectorFailure).retryAfter).toBeLessThanOrEqual(1801)
    run.advance(1801)
    expect(await run.create()).toMatchObject({ label: '#1' })
  })

  it('waits as long as a secondary limit says, and a minute where it does not', async () => {
    // On a slow machine a second passes before the request, and the rest of the wait is shorter.
    vi.setSystemTime(Date.now())
    onTestFinished(() => void vi.useRealTimers())
    await using run = await opened()
    run.limits.secondary(240)
    expect(await failureFrom(run.create())).toMatchObject({ kind: 'rate-limited', retryAfter: 240 })
    run.limits.secondary(240, false)
    expect(await failureFrom(run.create())).toMatchObject({ kind: 'rate-limited', retryAfter: 60 })
  })

  it('honours the content limit, and creates the rest after it', async () => {
    await using run = await opened()
    run.limits.content = 3
    for (let at = 0; at < 3; at += 1) await run.create()
    expect(await failureFrom(run.create())).toMatchObject({ kind: 'rate-limited', retryAfter: 60 })
    expect(await tracker.find(run.context, run.document.marker)).not.toBeNull()
    run.advance(61)
    await run.create()
    expect(run.support.issues).toHaveLength(4)
  })

  it('treats content that was submitted too quickly as a limit, not as invalid', async () => {
    await using run = await opened()
    run.limits.tooQuick()
    expect(await failureFrom(run.create())).toMatchObject({ kind: 'rate-limited', retryAfter: 60 })
    await run.create()
    expect(run.support.issues).toHaveLength(1)
  })

  it('treats no other 403 as a limit', async () => {
    await using run = await opened()
    run.signIns.tokenIssues = null
    expect(await failureFrom(run.create())).toMatchObject({ kind: 'rejected' })
  })

  it('never sends a request again automatically', async () => {
    await using run = await opened()
    run.faults.arm('500')
    expect(await failureFrom(run.create())).toMatchObject({ kind: 'unavailable' })
    expect(asked(run)).toEqual(['POST /repos/acme/support/issues'])
    expect(run.support.issues).toEqual([])
  })
})

describe('redirects', () => {
  it.each([301, 302, 307, 308])('follows %i on the same host', async (status) => {
    await using run = await answering(({ url }, response) => {
      if (url === '/things') response.writeHead(status, { location: '/repositories/5/things' }).end('{}')
      else response.end('{"id":5}')
    })
    expect(await ask(run.context)).toEqual({ id: 5 })
    expect(run.server.seen.map(({ url }) => url)).toEqual(['/things', '/repositories/5/things'])
  })

  it.each(['https://evil.example/things', 'http://127.0.0.1:1/things', 'file:///etc/passwd', 'http://', ''])(
    'sends no credentials to %s',
    async (location) => {
      await using run = await answering(json(301, {}, { location }))
      const error = await failureFrom(ask(run.context))
      expect(error).toMatchObject({ kind: 'rejected' })
      expect(run.server.seen.every(({ url }) => url === '/things')).toBe(true)
    },
  )

  it('does not follow for ever', async () => {
    await using run = await answering(json(301, {}, { location: '/things' }))
    expect(await failureFrom(ask(run.context))).toMatchObject({ kind: 'rejected', why: 'moved' })
    expect(run.server.seen).toHaveLength(3)
  })

  it('sends what it sent before, and the query once', async () => {
    await using run = await answering(({ url }, response) => {
      if (url.startsWith('/things')) response.writeHead(307, { location: '/moved?a=1' }).end('{}')
      else response.end('{"id":5}')
    })
    await call(run.context, {
      method: 'PATCH',
      name: 'things.update',
      path: '/things',
      query: { a: 1 },
      json: { text: 'x' },
      schema: z.object({ id: z.int() }),
    })
    expect(run.server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'PATCH /things?a=1 {"text":"x"}',
      'PATCH /moved?a=1 {"text":"x"}',
    ])
  })
})

describe('refusals', () => {
  it.each([
    [401, 'Bad credentials', 'auth', /credentials no longer work/],
    [403, 'This installation has been suspended', 'auth', /suspended on GitHub/],
    [403, 'Repository was archived so is read-only.', 'rejected', /archived/],
    [403, 'Unable to create comment because issue is locked.', 'rejected', /locked/],
    [403, 'Resource protected by organization SAML enforcement.', 'rejected', /single sign-on/],
    [
      403,
      '`acme` forbids access via a personal access token (classic). Please use a GitHub App.',
      'rejected',
      /^The organization does not accept this kind of token/,
    ],
    [
      403,
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled',
      'rejected',
      /^The organization allows only certain IP addresses/,
    ],
    [403, 'Resource not accessible by integration', 'rejected', /permission Issues: read and write/],
    [403, 'Must have admin rights to Repository.', 'rejected', /does not allow things\.get/],
    [404, 'Not Found', 'rejected', /found nothing for things\.get/],
    [410, 'Issues are disabled for this repo', 'rejected', /switched off/],
    [410, 'This issue was deleted', 'rejected', /deleted/],
    [418, 'teapot', 'rejected', /answered 418/],
    [422, 'Validation Failed', 'rejected', /considers the content of things\.get invalid/],
    [429, 'slow down', 'rate-limited', /pause/],
    [500, 'Server Error', 'unavailable', /temporarily unavailable/],
    [503, 'Service unavailable', 'unavailable', /temporarily unavailable/],
  ])('%i “%s” is %s', async (status, message, kind, words) => {
    await using run = await answering(json(status, { message, secret: 'customer words' }))
    const error = (await failureFrom(ask(run.context))) as Error
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) })
    expect(error.message).not.toContain('customer words')
  })

  it('names fields, but nothing that could be a value', async () => {
    const errors = [{ field: 'assignees', value: 'ann' }, { field: 'customer words' }, { field: 7 }, 'title', null]
    await using run = await answering(json(422, { message: 'Validation Failed', errors }))
    expect(await failureFrom(ask(run.context))).toMatchObject({
      message: 'GitHub refused these fields of things.get: assignees. Open the choices and choose again',
    })
  })

  it.each(['', '[]', '{"id":"5"}', '<html>', '{"id":'])('reports the response %j as unavailable', async (body) => {
    await using run = await answering((_, response) => response.end(body))
    expect(await failureFrom(ask(run.context))).toMatchObject({ kind: 'unavailable' })
  })

  it('keeps the credentials out of messages and the ledger', async () => {
    await using run = await answering(({ headers }, response) => {
      response.writeHead(400).end(JSON.stringify({ message: headers.authorization }))
    })
    const error = await failureFrom(ask(run.context))
    const shown = JSON.stringify([(error as Error).message, (error as ConnectorFailure).ledger])
    expect(shown).not.toContain(run.context.secrets['token'])
    expect(shown).toContain('•••')
  })

  it.each([{}, { token: '' }, { other: 'x' }])('sends nothing with the credentials %j', async (secrets) => {
    await using run = await answering(json(200, { id: 5 }))
    const context = { ...run.context, secrets: secrets as Record<string, string> }
    expect(await failureFrom(ask(context))).toBeInstanceOf(AuthExpired)
    expect(run.server.seen).toEqual([])
  })
})
