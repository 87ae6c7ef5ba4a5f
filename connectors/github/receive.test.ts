import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { receive } from './receive.ts'

const SECRET = 'a webhook secret'
const NOW = new Date('2026-03-02T10:00:00Z')

const issue = { id: 90, number: 7, title: 'customer words', user: { login: 'app[bot]' } }
const closed = {
  action: 'closed',
  issue,
  repository: { full_name: 'acme/support' },
  installation: { id: 4, node_id: 'x' },
}

type Given = { body?: unknown; headers?: Record<string, string | string[] | undefined>; secret?: string; type?: string }

function received({ body = closed, headers = {}, secret = SECRET, type = 'issues' }: Given = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const signed = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
  const own = { 'x-github-event': type, 'x-github-delivery': 'd-1', 'x-hub-signature-256': signed }
  return receive(
    { webhook_secret: SECRET },
    { method: 'POST', headers: { ...own, ...headers }, body: Buffer.from(text) },
    NOW,
  )
}

describe('a signed event', () => {
  it.each(['closed', 'reopened', 'deleted', 'transferred'])(
    '%s names the issue and whose it is, not its text',
    (action) => {
      const { reply, events } = received({ body: { ...closed, action } })
      expect(reply.status).toBe(202)
      expect(events).toEqual([
        {
          id: 'd-1',
          account: '4',
          payload: { kind: 'issue', id: 90, number: 7, repository: 'acme/support', creator: 'app[bot]' },
        },
      ])
      expect(JSON.stringify(events)).not.toContain('customer words')
    },
  )

  it('has the same id when GitHub sends it again', () => {
    expect(received().events[0]?.id).toBe(received().events[0]?.id)
    expect(received({ headers: { 'x-github-delivery': 'd-2' } }).events[0]?.id).toBe('d-2')
  })

  it.each(['opened', 'edited', 'labeled', 'assigned', 'milestoned'])('%s changes nothing', (action) => {
    expect(received({ body: { ...closed, action } })).toMatchObject({ reply: { status: 202 }, events: [] })
  })

  it.each([
    ['ping', { zen: 'x', hook_id: 1 }],
    ['issue_comment', closed],
    ['installation', { action: 'created', installation: { id: 4 } }],
    ['installation', { action: 'unsuspend', installation: { id: 4 } }],
    ['installation_repositories', { action: 'removed', installation: { id: 4 } }],
    ['issues', { ...closed, installation: undefined }],
    ['constructor', { action: 'closed', installation: { id: 4 } }],
  ])('of the kind %s is accepted without an effect', (type, body) => {
    expect(received({ type, body }).events).toEqual([])
  })

  it.each(['deleted', 'suspend'])('ends the installation: %s', (action) => {
    expect(received({ type: 'installation', body: { action, installation: { id: 4 } } }).events).toEqual([
      { id: 'd-1', account: '4', payload: { kind: 'ended', action } },
    ])
  })

  it('may be about an issue of an account that no longer exists', () => {
    const { events } = received({ body: { ...closed, issue: { ...issue, user: null } } })
    expect(events[0]?.payload).toMatchObject({ id: 90, creator: null })
  })
})

describe('what is not from GitHub', () => {
  const forged = `sha256=${'0'.repeat(64)}`
  it.each<[string, Given]>([
    ['signed with another secret', { secret: 'another secret' }],
    ['not signed', { headers: { 'x-hub-signature-256': undefined } }],
    ['signed with zeros', { headers: { 'x-hub-signature-256': forged } }],
    ['signed twice', { headers: { 'x-hub-signature-256': [forged, forged] } }],
    [
      'signed with the older algorithm only',
      { headers: { 'x-hub-signature-256': 'sha1=abc', 'x-hub-signature': 'x' } },
    ],
    ['without an id', { headers: { 'x-github-delivery': undefined } }],
    ['with an id that is none', { headers: { 'x-github-delivery': 'a b' } }],
    ['not JSON', { body: '{' }],
    ['no object', { body: '7' }],
    ['null', { body: 'null' }],
    ['an issue without a number', { body: { ...closed, issue: { id: 90 } } }],
    ['an issue without a repository', { body: { ...closed, repository: null } }],
  ])('is refused: %s', (_, given) => {
    expect(() => received(given)).toThrow(Rejected)
  })

  it('is refused where no secret is set, also when signed with an empty one', () => {
    const text = JSON.stringify(closed)
    const headers = {
      'x-github-event': 'issues',
      'x-github-delivery': 'd-1',
      'x-hub-signature-256': `sha256=${createHmac('sha256', '').update(text).digest('hex')}`,
    }
    for (const secrets of [{}, { webhook_secret: '' }] as Record<string, string>[]) {
      expect(() => receive(secrets, { method: 'POST', headers, body: Buffer.from(text) }, NOW)).toThrow(/not set/)
    }
  })

  it('is refused where a byte of the body was changed', () => {
    const text = JSON.stringify(closed)
    const signature = `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`
    const headers = { 'x-hub-signature-256': signature }
    expect(() => received({ body: text.replace('"number":7', '"number":8'), headers })).toThrow(/signature/)
  })
})
