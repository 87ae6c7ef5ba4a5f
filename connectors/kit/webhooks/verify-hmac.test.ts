import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ProviderRequest } from '../../connector.ts'
import { Rejected } from '../errors.ts'
import { type HmacScheme, verifyHmac } from './verify-hmac.ts'

const SECRET = 'It is a secret, 5f1c'
const now = new Date('2026-03-01T12:00:00Z')
const clock = now.getTime() / 1000

const body: HmacScheme = {
  who: 'Acme',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature-256',
  prefix: 'sha256=',
}
const bare: HmacScheme = { who: 'Acme', algorithm: 'sha1', encoding: 'base64', header: 'x-acme-signature' }
const timed: HmacScheme = {
  ...bare,
  algorithm: 'sha256',
  timestamp: { header: 'x-acme-timestamp', signed: (timestamp) => timestamp, maxAge: 60 },
}
const versioned: HmacScheme = {
  ...body,
  prefix: 'v0=',
  timestamp: { header: 'x-acme-timestamp', signed: (timestamp) => `v0:${timestamp}:`, maxAge: 300 },
}
const schemes: [string, HmacScheme][] = [
  ['the body', body],
  ['the body, SHA-1 in base64', bare],
  ['timestamp and body', timed],
  ['version, timestamp and body', versioned],
]

/** Bytes that are no UTF-8: what is verified is what arrived. */
const BYTES = Buffer.concat([Buffer.from('{"text":"Zürich "}'), Buffer.from([0xff, 0xfe, 0x00])])

function signed(scheme: HmacScheme, given: { bytes?: Buffer; secret?: string; at?: string } = {}): ProviderRequest {
  const { bytes = BYTES, secret = SECRET, at = String(clock) } = given
  const hmac = createHmac(scheme.algorithm, secret)
  const time = scheme.timestamp ? { [scheme.timestamp.header]: at } : {}
  if (scheme.timestamp) hmac.update(scheme.timestamp.signed(at))
  const signature = (scheme.prefix ?? '') + hmac.update(bytes).digest(scheme.encoding)
  return { method: 'POST', headers: { [scheme.header]: signature, ...time }, body: bytes }
}

/** The message of the refusal; null when the request was accepted. */
function refusal(scheme: HmacScheme, request: ProviderRequest, secret = SECRET): string | null {
  try {
    verifyHmac(scheme, secret, request, now)
    return null
  } catch (error) {
    return error instanceof Rejected ? error.message : `not Rejected: ${String(error)}`
  }
}

it('accepts a published example: SHA-256 in hex over the body', () => {
  // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
  const request: ProviderRequest = {
    method: 'POST',
    headers: { 'x-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    body: Buffer.from('Hello, World!'),
  }
  expect(refusal(body, request, "It's a Secret to Everybody")).toBeNull()
})

describe.each(schemes)('a signature of %s', (_, scheme) => {
  const good = signed(scheme)
  const signature = String(good.headers[scheme.header])
  const withSignature = (value: string | string[] | undefined): ProviderRequest => ({
    ...good,
    headers: { ...good.headers, [scheme.header]: value },
  })

  it('is accepted over the raw bytes', () => {
    expect(refusal(scheme, good)).toBeNull()
    expect(refusal(scheme, signed(scheme, { bytes: Buffer.alloc(0) }))).toBeNull()
  })

  it.each<[string, ProviderRequest]>([
    ['of another secret', signed(scheme, { secret: 'another' })],
    ['of another body', { ...good, body: Buffer.concat([BYTES, Buffer.from(' ')]) }],
    ['of the decoded text', { ...good, body: Buffer.from(BYTES.toString('utf8')) }],
    ['that is absent', withSignature(undefined)],
    ['that is empty', withSignature('')],
    ['that is sent twice', withSignature([signature, signature])],
    ['that is cut', withSignature(signature.slice(0, -1))],
    ['that is longer', withSignature(`${signature}0`)],
    ['with letters of two bytes', withSignature('ü'.repeat(signature.length))],
    ['that is only a prefix', withSignature(scheme.prefix ?? '=')],
  ])('is refused: one %s', (__, request) => {
    const message = refusal(scheme, request)
    expect(message).toBe('The signature of the event is not that of your Acme app')
    expect(message).not.toContain(SECRET)
    expect(message).not.toContain(signature)
  })

  it('is refused without a secret, though an empty key signs too', () => {
    expect(refusal(scheme, signed(scheme, { secret: '' }), '')).toBe('The signing secret of Acme is not set')
  })
})

it('is refused without the prefix or with another case', () => {
  const value = String(signed(body).headers['x-signature-256'])
  for (const other of [value.replace('sha256=', ''), value.toUpperCase(), value.replace('sha256', 'sha1')]) {
    expect(refusal(body, { ...signed(body), headers: { 'x-signature-256': other } })).toContain('signature')
  }
})

describe('the time of sending', () => {
  it.each([
    [String(clock), null],
    [String(clock - 60), null],
    [String(clock + 60), null],
    ['2026-03-01T12:00:59Z', null],
    ['2026-03-01T13:00:00.123+01:00', null],
    [String(clock - 61), '60 seconds ago'],
    [String(clock + 61), '60 seconds ago'],
    ['2026-03-01T11:58:00Z', '60 seconds ago'],
    ['', 'no valid timestamp'],
    ['NaN', 'no valid timestamp'],
    ['Infinity', 'no valid timestamp'],
    ['-5', 'no valid timestamp'],
    ['2026-03-01', 'no valid timestamp'],
    ['2026-03-01T12:00:00', 'no valid timestamp'],
    ['2026-13-99T99:99:99Z', 'no valid timestamp'],
    [String(clock * 1000), 'no valid timestamp'],
  ])('%j is judged: %s', (at, words) => {
    const message = refusal(timed, signed(timed, { at }))
    expect(message === null ? null : message.includes(words ?? '')).toBe(words === null ? null : true)
  })

  it('is part of what is signed', () => {
    const late = signed(timed, { at: String(clock - 600) })
    const moved = { ...late, headers: { ...late.headers, 'x-acme-timestamp': String(clock) } }
    expect(refusal(timed, moved)).toContain('signature')
  })

  it('is checked after the signature, so a forger learns nothing about our clock', () => {
    const forged = signed(versioned, { at: String(clock - 9000), secret: 'another' })
    expect(refusal(versioned, forged)).toContain('signature')
    expect(refusal(versioned, signed(versioned, { at: String(clock - 301) }))).toContain('5 minutes ago')
    expect(
      refusal(
        { ...timed, timestamp: { header: 'x-t', signed: (at) => at, maxAge: 45 } },
        {
          ...signed(
            { ...timed, timestamp: { header: 'x-t', signed: (at) => at, maxAge: 45 } },
            { at: String(clock - 50) },
          ),
        },
      ),
    ).toContain('45 seconds ago')
  })

  it('is refused when it is sent twice', () => {
    const twice = { ...signed(timed), headers: { ...signed(timed).headers, 'x-acme-timestamp': ['1', '2'] } }
    expect(refusal(timed, twice)).toBe('The event has no valid timestamp')
  })
})
