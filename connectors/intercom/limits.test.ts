import { describe, expect, it } from 'vitest'
import { createPageStore } from '../kit/page-store.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { readPatiently } from '../kit/worlds/source.ts'
import { check } from './check.ts'
import { pull } from './pull.ts'
import { drain, fill, idsOf, many, openIntercom, signedIn } from './testing.ts'

describe('Intercom’s limits', () => {
  it('are kept: the sync completes by waiting as long as Intercom asks, and is never refused', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const now = () => new Date(time)
    await using intercom = await openIntercom({ now })
    fill(intercom, many(40, 2), time)
    const context = await signedIn(intercom, { now })
    intercom.limit(12)
    const { seen, waits } = await readPatiently(pull, context, (seconds) => {
      time += seconds * 1000
    })
    expect(seen.toSorted()).toEqual(idsOf(intercom).toSorted())
    expect(waits).toHaveLength(3)
    expect(intercom.calls().filter(({ status }) => status === 429)).toEqual([])
  })

  it('that are reached by a successful request keep what it returned', async () => {
    const now = () => new Date('2026-03-01T12:00:04Z')
    await using intercom = await openIntercom({ now })
    fill(intercom, many(2), now().getTime())
    const context = await signedIn(intercom, { now })
    intercom.limit(2)
    const pages = pull(context, null)
    await pages.next()
    const second = await pages.next()
    expect(second.value?.items).toHaveLength(1)
    const calls = intercom.calls().length
    expect(await failureFrom(pages.next())).toMatchObject({ kind: 'rate-limited', retryAfter: 6 })
    expect(intercom.calls()).toHaveLength(calls)
  })

  const clock = Date.parse('2026-03-01T12:00:00Z')
  const reset = (seconds: number) => String(clock / 1000 + seconds)
  it.each([
    [{ 'x-ratelimit-reset': reset(8), 'x-ratelimit-remaining': '0' }, 8],
    [{ 'x-ratelimit-reset': reset(-3) }, 1],
    [{ 'retry-after': '21', 'x-ratelimit-reset': reset(8) }, 21],
    [{}, 60],
    [{ 'x-ratelimit-reset': 'soon' }, 60],
  ])('with the headers %j mean a pause of %i seconds', async (headers, retryAfter) => {
    await using intercom = await openIntercom()
    const context = await signedIn(intercom, { now: () => new Date(clock) })
    await using server = await startServer((_, response) =>
      response.writeHead(429, headers as Record<string, string>).end(),
    )
    expect(await failureFrom(drain({ ...context, baseUrl: server.url }))).toMatchObject({
      kind: 'rate-limited',
      retryAfter,
    })
  })
})

describe('a refusal', () => {
  it('for a missing permission names it and keeps the sign-in, and the next sync reads on once it is allowed', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(3))
    const context = await signedIn(intercom)
    const store = createPageStore()
    const pages = pull(context, null)
    for (const _ of ['search', 'conversation']) store.commit((await pages.next()).value ?? { items: [], cursor: null })
    intercom.withdraw('Read conversations')
    for (const read of [() => pages.next(), () => pull(context, store.cursor()).next(), () => drain(context)]) {
      const error = await failureFrom(read())
      expect(error).toMatchObject({ kind: 'rejected', status: 401 })
      expect(String(error)).toMatch(/lacks the permission Read conversations\. Allow it in Intercom’s Developer Hub/)
      expect(String(error)).not.toContain('connect again')
    }
    intercom.allow('Read conversations')
    for await (const page of pull(context, store.cursor())) store.commit(page)
    expect([...store.items.keys()].toSorted()).toEqual(idsOf(intercom).toSorted())
  })

  it('for a missing permission of an app signed in with OAuth asks to connect again as well', async () => {
    await using intercom = await openIntercom()
    const context = await signedIn(intercom, { settings: { revocable: true } })
    intercom.withdraw('Read conversations')
    expect(String(await failureFrom(drain(context)))).toMatch(/under Authentication, then connect again$/)
  })

  it('of the workspace itself names the permission, and does not blame the token', async () => {
    await using intercom = await openIntercom()
    const context = await signedIn(intercom)
    const errors = [{ code: 'token_unauthorized', message: 'Not authorized to access resource' }]
    await using server = await startServer((_, response) =>
      response.writeHead(401).end(JSON.stringify({ type: 'error.list', errors })),
    )
    const error = await failureFrom(check({ ...context, baseUrl: server.url }))
    expect(error).toMatchObject({ kind: 'rejected' })
    expect(String(error)).toContain('lacks the permission Read admins')
  })

  it.each(['unauthorized', 'token_not_found', 'token_revoked'])('with 401 and %s ends the sign-in', async (code) => {
    await using intercom = await openIntercom()
    const context = await signedIn(intercom)
    await using server = await startServer((_, response) =>
      response.writeHead(401).end(JSON.stringify({ type: 'error.list', errors: [{ code, message: 'Unauthorized' }] })),
    )
    expect(await failureFrom(drain({ ...context, baseUrl: server.url }))).toMatchObject({ kind: 'auth' })
  })

  it('of a workspace without a subscription is explained, and keeps the sign-in', async () => {
    await using intercom = await openIntercom()
    const context = await signedIn(intercom)
    const errors = [{ code: 'api_plan_restricted', message: 'Active subscription needed.' }]
    await using server = await startServer((_, response) =>
      response.writeHead(403).end(JSON.stringify({ type: 'error.list', errors })),
    )
    expect(await failureFrom(drain({ ...context, baseUrl: server.url }))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('no active subscription') as string,
    })
  })

  it.each([400, 402, 404, 409, 422])(
    'with %i of the search is final, and says nothing that Intercom said',
    async (status) => {
      await using intercom = await openIntercom()
      const context = await signedIn(intercom)
      await using server = await startServer((_, response) =>
        response.writeHead(status).end('{"errors":[{"code":"x","message":"customer words"}]}'),
      )
      const error = await failureFrom(drain({ ...context, baseUrl: server.url }))
      expect(error).toMatchObject({ kind: 'rejected', status })
      expect(String(error)).not.toContain('customer words')
      expect(server.seen).toHaveLength(1)
    },
  )
})
