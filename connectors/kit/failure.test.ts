import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../connector.ts'
import { AuthExpired, isConnectorFailure, RateLimited, Rejected, Unavailable } from './errors.ts'
import { failureOf } from './failure.ts'
import { reasonOf } from './http/network-reason.ts'
import { retryAfter } from './http/retry-after.ts'
import { ledgerAnswer } from './ledger.ts'

const now = new Date('2026-03-01T12:00:00Z')
const answered = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: 'no, token-secret-1',
  truncated: false,
  durationMs: 12,
})

describe('failureOf', () => {
  it.each([
    [401, 'auth'],
    [400, 'rejected'],
    [403, 'rejected'],
    [404, 'rejected'],
    [409, 'rejected'],
    [422, 'rejected'],
    [302, 'rejected'],
    [408, 'unavailable'],
    [429, 'rate-limited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [599, 'unavailable'],
  ])('reports %i as %s', (status, kind) => {
    const failure = failureOf(answered(status), { who: 'Acme', now, secrets: ['token-secret-1'] })
    expect(failure.kind).toBe(kind)
    expect(failure.message).toMatch(new RegExp(`^Acme answered ${status}: `))
    expect(failure.ledger).toEqual({ status, answer: 'no, •••', durationMs: 12, error: failure.message })
  })

  it('passes on how long to wait', () => {
    const failure = failureOf(answered(429, { 'retry-after': '40' }), { who: 'Acme', now, secrets: [] })
    expect(failure.retryAfter).toBe(40)
  })
})

it('distinguishes the four kinds from errors of ours', () => {
  const cause = new Error('inner')
  const failures = [new AuthExpired('a'), new RateLimited('b'), new Rejected('c'), new Unavailable('d', { cause })]
  expect(failures.map((failure) => [failure.name, failure.kind, isConnectorFailure(failure)])).toEqual([
    ['AuthExpired', 'auth', true],
    ['RateLimited', 'rate-limited', true],
    ['Rejected', 'rejected', true],
    ['Unavailable', 'unavailable', true],
  ])
  expect(failures.at(-1)?.cause).toBe(cause)
  expect(isConnectorFailure(new Error('kind'))).toBe(false)
  expect([new Rejected('x').gone, new Rejected('x', { gone: true }).gone]).toEqual([false, true])
})

describe('retryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['999999999', 86_400],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 01 Mar 2099 11:00:00 GMT', 86_400],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-03-01', undefined],
    ['nonsense GMT', undefined],
    ['', undefined],
  ])('parses %j as %j seconds', (value, seconds) => {
    expect(retryAfter({ 'retry-after': value }, now)).toBe(seconds)
  })

  it('is undefined without the header', () => {
    expect(retryAfter({}, now)).toBeUndefined()
  })
})

describe('ledgerAnswer', () => {
  it('keeps 2 KiB, cut between characters', () => {
    expect(ledgerAnswer('x'.repeat(5000), [])).toHaveLength(2048)
    expect(ledgerAnswer(`x${'é'.repeat(5000)}`, [])).toBe(`x${'é'.repeat(1023)}`)
  })

  it('removes NUL and secrets, but nothing too short to be one', () => {
    expect(ledgerAnswer('a\0b', [])).toBe('a\uFFFDb')
    expect(ledgerAnswer('you sent abcdef, twice: abcdef', ['abcdef', null, undefined, '', 'you'])).toBe(
      'you sent •••, twice: •••',
    )
  })
})

describe('reasonOf', () => {
  const coded = (code: string) => Object.assign(new Error(`connect to /secret?token=1 ${code}`), { code })

  it.each([
    'EBLOCKED',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'HPE_INVALID_CONSTANT',
    'EWHATEVER',
  ])('describes %s with the host and without the path', (code) => {
    const reason = reasonOf(coded(code), 'hooks.example.com')
    expect(reason).toContain('hooks.example.com')
    expect(reason).not.toContain('secret')
  })

  it('distinguishes TLS failures', () => {
    expect(reasonOf(coded('CERT_HAS_EXPIRED'), 'a.example')).toBe(
      'The TLS connection to a.example could not be verified (CERT_HAS_EXPIRED)',
    )
    expect(reasonOf('a string', 'a.example')).toBe('The call to a.example failed')
  })
})
