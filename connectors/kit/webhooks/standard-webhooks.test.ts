import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from './standard-webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const at = new Date(1_614_265_330_999)

describe('signatureHeaders', () => {
  it('produces the official test vector', () => {
    expect(signatureHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}', [secret])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('matches node’s HMAC-SHA256 for non-ASCII text', () => {
    const body = '{"text":"Zürich 出口 🙂"}'
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const expected = createHmac('sha256', key).update(`id.1614265330.${body}`).digest('base64')
    expect(signatureHeaders('id', at, body, [secret])['webhook-signature']).toBe(`v1,${expected}`)
  })

  it('has one signature per secret', () => {
    const other = `whsec_${Buffer.from('another secret of 24 b..').toString('base64')}`
    const signature = signatureHeaders('id', at, '{}', [secret, other])['webhook-signature']
    const [first, second, ...rest] = signature.split(' ')
    expect(rest).toEqual([])
    expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
    expect(second).not.toBe(first)
  })
})
