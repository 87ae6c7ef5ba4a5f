import { describe, expect, it } from 'vitest'
import { failureFrom, startServer } from '../kit/testing.ts'
import { readPatiently } from '../kit/worlds/source.ts'
import { pull } from './pull.ts'
import { subscriptions } from './subscriptions.ts'
import { drain, fill, idsOf, many, openHelpScout, signedIn } from './testing.ts'

describe('Help Scout’s limit', () => {
  it('is respected: the sync completes by waiting as long as Help Scout asks, and loses nothing', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const now = () => new Date(time)
    await using sandbox = await openHelpScout({ now })
    fill(sandbox, many(40, 2), time - 3_600_000)
    const context = await signedIn(sandbox, { now })
    sandbox.limit(12)
    const { seen, waits } = await readPatiently(pull, context, (seconds) => {
      time += seconds * 1000
    })
    expect(seen.toSorted()).toEqual(idsOf(sandbox).toSorted())
    expect(waits.length).toBeGreaterThanOrEqual(3)
    expect(waits.every((seconds) => seconds > 0 && seconds <= 60)).toBe(true)
    // One request is refused for each wait: Help Scout does not say in advance how long it will be.
    expect(sandbox.calls().filter(({ status }) => status === 429)).toHaveLength(waits.length)
  })

  it.each([
    [{ 'x-ratelimit-retry-after': '7' }, 7],
    [{ 'X-RateLimit-Retry-After': '23', 'retry-after': '3' }, 23],
    [{ 'retry-after': '3' }, 3],
    [{}, 60],
    [{ 'x-ratelimit-retry-after': 'soon' }, 60],
    [{ 'x-ratelimit-remaining-minute': '0' }, 60],
  ])('with the headers %j means a pause of %i seconds', async (headers, retryAfter) => {
    await using sandbox = await openHelpScout()
    const context = await signedIn(sandbox)
    await using server = await startServer((_, response) =>
      response.writeHead(429, headers as Record<string, string>).end('{"error":"API rate limit exceeded"}'),
    )
    expect(await failureFrom(drain({ ...context, baseUrl: server.url }))).toMatchObject({
      kind: 'rate-limited',
      retryAfter,
    })
    expect(server.seen).toHaveLength(1)
  })

  it('applies to every call, and the message says which one, without an id', async () => {
    await using sandbox = await openHelpScout()
    const [id = 0] = fill(sandbox, many(1))
    const context = await signedIn(sandbox)
    sandbox.fault('429', 1, 'threads')
    const error = await failureFrom(drain(context))
    expect(error).toMatchObject({ kind: 'rate-limited', retryAfter: 7 })
    expect(String(error)).toContain('GET conversation threads')
    expect(String(error)).not.toContain(String(id))
    sandbox.fault('429', 1, 'create webhook')
    const ensured = subscriptions.ensure(context, { url: 'https://fb.example/k', secret: 's', previous: null })
    expect(await failureFrom(ensured)).toMatchObject({ kind: 'rate-limited', retryAfter: 7 })
  })

  it('never retries a request', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(2))
    const context = await signedIn(sandbox)
    for (const kind of ['429', '500', 'malformed', 'reset'] as const) {
      const before = sandbox.calls().length
      sandbox.fault(kind)
      await failureFrom(drain(context))
      expect(sandbox.calls().length - before).toBe(1)
    }
  })
})
