import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../../connector.ts'
import {
  exhausted,
  first,
  forbiddenOrTooMany,
  graphqlLimit,
  longest,
  resetHeader,
  slowedDown,
  tooManyRequests,
  waitHeader,
} from './rate-limits.ts'

const now = new Date('2026-03-01T12:00:00Z')
const clock = now.getTime() / 1000

const responded = (status: number, headers: Record<string, string> = {}, body: unknown = ''): HttpResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  truncated: false,
  durationMs: 5,
})

describe('waitHeader', () => {
  it.each([
    ['17', 17],
    [' 17 ', 17],
    ['0.25', 1],
    ['29.001', 30],
    ['Sun, 01 Mar 2026 12:00:45 GMT', 45],
    ['999999999', 86_400],
    ['soon', null],
    ['', null],
    ['-1', null],
  ])('reads %j as %j', (value, seconds) => {
    expect(waitHeader('x-ratelimit-retry-after')(responded(429, { 'x-ratelimit-retry-after': value }), now)).toBe(
      seconds,
    )
  })

  it('reads Retry-After unless told otherwise, and nothing without the header', () => {
    expect(waitHeader()(responded(429, { 'retry-after': '5' }), now)).toBe(5)
    expect(waitHeader('x-wait')(responded(429, { 'retry-after': '5' }), now)).toBeNull()
  })
})

describe('resetHeader', () => {
  it.each([
    [String(clock + 90), 90],
    [String((clock + 90) * 1000), 90],
    [String((clock + 90) * 1000 + 1), 91],
    [String(clock + 89.5), 90],
    ['90', 90],
    // A reset in the past is a difference between the clocks.
    [String(clock - 500), 1],
    ['0', 1],
    [String(clock + 10 * 86_400), 86_400],
    ['9'.repeat(15), 86_400],
    ['9'.repeat(16), null],
    ['tomorrow', null],
    ['NaN', null],
    ['-90', null],
    ['', null],
  ])('reads %j as %j', (value, seconds) => {
    expect(resetHeader('x-ratelimit-reset')(responded(429, { 'x-ratelimit-reset': value }), now)).toBe(seconds)
  })
})

describe('exhausted', () => {
  const reader = exhausted('x-ratelimit-remaining', 'x-ratelimit-reset')
  const reset = String(clock + 8)

  it.each([
    ['0', 8],
    [' 0 ', 8],
    ['0.0', 8],
    ['-3', 8],
    ['1', null],
    ['', null],
    ['none', null],
  ])('with %j requests left waits %j', (left, seconds) => {
    const headers = { 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset }
    expect(reader(responded(200, headers), now)).toBe(seconds)
  })

  it('does not wait without a reset or a remaining budget', () => {
    expect(reader(responded(200, { 'x-ratelimit-remaining': '0' }), now)).toBeNull()
    expect(reader(responded(200, { 'x-ratelimit-reset': reset }), now)).toBeNull()
  })
})

describe('several readers', () => {
  const short = waitHeader('x-short')
  const long = waitHeader('x-long')
  const both = responded(200, { 'x-short': '3', 'x-long': '300' })

  it('are tried in order, or the longest wait counts', () => {
    expect(first(short, long)(both, now)).toBe(3)
    expect(first(waitHeader('x-absent'), long, short)(both, now)).toBe(300)
    expect(longest(short, long)(both, now)).toBe(300)
  })

  it('ask for nothing if none of them does', () => {
    expect(first()(both, now)).toBeNull()
    expect(longest()(both, now)).toBeNull()
    expect(first(waitHeader('x-absent'))(both, now)).toBeNull()
    expect(longest(waitHeader('x-absent'))(both, now)).toBeNull()
  })
})

describe('tooManyRequests', () => {
  it.each([
    ['Retry-After', tooManyRequests(), { 'retry-after': '93' }, 93],
    ['its own header', tooManyRequests(waitHeader('x-ratelimit-retry-after')), { 'x-ratelimit-retry-after': '9' }, 9],
    ['epoch seconds', tooManyRequests(resetHeader('x-ratelimit-reset')), { 'x-ratelimit-reset': String(clock + 4) }, 4],
    ['Retry-After instead of its own header', tooManyRequests(resetHeader('x-reset')), { 'retry-after': '12' }, 12],
    [
      'its own header before Retry-After',
      tooManyRequests(waitHeader('x-wait')),
      { 'x-wait': '2', 'retry-after': '12' },
      2,
    ],
    ['no header', tooManyRequests(resetHeader('x-reset')), {}, 60],
    ['an invalid header', tooManyRequests(), { 'retry-after': 'later' }, 60],
  ])('reads %s', (_, reader, headers, seconds) => {
    expect(reader(responded(429, headers), now)).toBe(seconds)
  })

  it.each([200, 403, 500, 503])('says nothing about %i', (status) => {
    expect(tooManyRequests()(responded(status, { 'retry-after': '9' }), now)).toBeNull()
  })
})

describe('forbiddenOrTooMany', () => {
  const primary = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(clock + 1200) }
  const secondary = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' }

  it.each([
    ['the budget of the hour', 403, primary, {}, 1200],
    ['the same with 429', 429, primary, {}, 1200],
    ['Retry-After before the budget', 403, { ...primary, 'retry-after': '30' }, {}, 30],
    ['a secondary limit without a header', 403, { 'x-ratelimit-remaining': '4000' }, secondary, 60],
    ['429 without anything', 429, {}, '', 60],
    ['missing rights', 403, { 'x-ratelimit-remaining': '4000' }, { message: 'Resource not accessible' }, null],
    ['a page of HTML', 403, {}, '<p>rate limit</p>', null],
    ['a message that is none', 403, {}, { message: 5 }, null],
    ['a used-up budget that allowed this one', 200, primary, {}, null],
    ['not found', 404, primary, {}, null],
  ])('reads %s', (_, status, headers, body, seconds) => {
    expect(forbiddenOrTooMany(responded(status, headers as Record<string, string>, body), now)).toBe(seconds)
  })
})

describe('graphqlLimit', () => {
  const body = { errors: [{ message: 'x' }, { message: 'Too many', extensions: { code: 'RATELIMITED' } }] }
  const reader = graphqlLimit(
    'RATELIMITED',
    longest(exhausted('x-requests-remaining', 'x-requests-reset'), exhausted('x-points-remaining', 'x-points-reset')),
  )
  const headers = {
    'x-requests-remaining': '17',
    'x-requests-reset': String((clock + 3000) * 1000),
    'x-points-remaining': '0',
    'x-points-reset': String((clock + 600) * 1000),
  }

  it('reads the reset of the budget that is used up', () => {
    expect(reader(responded(400, headers, body), now)).toBe(600)
  })

  it('waits for the later one of two, and a minute where none is known', () => {
    expect(reader(responded(400, { ...headers, 'x-requests-remaining': '0' }, body), now)).toBe(3000)
    expect(reader(responded(400, {}, body), now)).toBe(60)
    expect(reader(responded(200, {}, body), now)).toBe(60)
  })

  it.each([
    [{ errors: [{ extensions: { code: 'INVALID_INPUT' } }] }],
    [{ errors: [{ message: 'RATELIMITED' }] }],
    [{ errors: [{ extensions: null }] }],
    [{ errors: 'RATELIMITED' }],
    [{ data: { text: 'RATELIMITED' } }],
    ['RATELIMITED'],
    [''],
  ])('is not misled by %j', (other) => {
    expect(reader(responded(400, headers, other), now)).toBeNull()
  })
})

describe('slowedDown', () => {
  it.each([
    [200, { 'retry-after': '30', 'x-ratelimit-delay': '4.2' }, 30],
    [200, { 'x-ratelimit-delay': '4.2' }, 5],
    [201, { 'x-ratelimit-delay': '0.004' }, 1],
    [200, { 'retry-after': '0' }, null],
    [200, {}, null],
    [503, { 'retry-after': '30' }, null],
    [429, { 'retry-after': '30' }, null],
  ])('reads %i with %j as %j', (status, headers, seconds) => {
    expect(slowedDown(responded(status, headers as Record<string, string>), now)).toBe(seconds)
  })
})
