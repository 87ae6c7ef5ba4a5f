import { randomUUID } from 'node:crypto'
import { nameOf, withoutControls } from '@groundswell/contract/values/name.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { authMounts } from './auth/index.ts'
import type { TestPerson } from './platform/http/testing.ts'
import { appOfFile } from './testing.ts'
import { handlers } from './wiring.ts'

/** Rings a terminal, begins a line of a log, moves its cursor, ends a line in JavaScript, reverses the text after it. */
const CONTROLS = ['\u0007', '\n', '\u001b[2J', '\u0085', '\u2028', '\u202e']
const ISSUE = '/api/insights/1'

let ann: TestPerson

const test = appOfFile((services) => ({ handlers: handlers(services), mounts: authMounts(services) }), {
  authRateLimits: null,
})

beforeAll(async () => {
  ann = await test.person('ann')
})

type Call = ['POST' | 'PUT' | 'PATCH', string, (name: string) => object]

const tag = (name: string) => ({ name, description: 'What they say about exports, in all of their words' })
/** Every call by which people and programs name something. */
const calls: Record<string, Call> = {
  'a person, who signs up': [
    'POST',
    '/api/auth/signup',
    (name) => ({ email: `${randomUUID()}@example.com`, name, password: 'a sentence nobody guesses' }),
  ],
  'a person, by the protocol': [
    'POST',
    '/auth/v1/signup',
    (name) => ({ email: `${randomUUID()}@example.com`, password: 'a sentence nobody guesses', data: { name } }),
  ],
  'a person, who changes it': ['PUT', '/auth/v1/user', (name) => ({ data: { full_name: name } })],
  'a second factor': ['POST', '/auth/v1/factors', (name) => ({ factor_type: 'totp', friendly_name: name })],
  'a view': ['POST', '/api/views', (name) => ({ name, query: '', shared: false })],
  'a theme': ['POST', '/api/insights/themes', (name) => ({ name })],
  'an insight': ['POST', `${ISSUE}/corrections`, (name) => ({ kind: 'rename', name })],
  'an API key': ['POST', '/api/keys', (name) => ({ name, scopes: ['read'], expires_in_days: 30 })],
  'a receiver of events': [
    'POST',
    '/api/receivers',
    (name) => ({ url: 'https://192.0.2.1/', description: name, events: null }),
  ],
  'a tag': [
    'POST',
    '/api/user/update-settings',
    (name) => ({ method: 'auto', min_inputs: 3, categories: [tag(name)] }),
  ],
  'the author of a message': [
    'POST',
    '/api/feedback',
    (author) => ({ items: [{ id: '1', text: 'It fails', author }] }),
  ],
  'the place of a message': ['POST', '/api/feedback', (place) => ({ items: [{ id: '1', text: 'It fails', place }] })],
}

describe('control characters in the name of', () => {
  it.each(Object.entries(calls))('%s are refused', async (_, [method, url, payload]) => {
    for (const control of CONTROLS) {
      const answer = await test.call(method, url, { as: ann, payload: payload(`One${control}Two`) })
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('control characters')])
    }
  })

  it('a new source are refused, and those in the name of its file left out', async () => {
    const send = (query: Record<string, string>) =>
      test.call('POST', `/api/imports?${new URLSearchParams(query).toString()}`, {
        as: ann,
        payload: 'text\nIt fails',
        headers: { 'content-type': 'application/octet-stream' },
      })
    expect((await send({ name: 'a.csv', source_name: 'One\u0007Two' })).statusCode).toBe(400)
    const stored = (await send({ name: 'One\u0007\nTwo.csv' })).json()
    expect([stored.name, stored.source.name]).toEqual(['One Two.csv', 'One Two'])
  })
})

describe('control characters from providers and files', () => {
  it.each(CONTROLS)('are left out of names: %j', (control) => {
    const shown = withoutControls(`One${control}Two`)
    expect(nameOf(20).safeParse(shown)).toMatchObject({ success: true, data: shown })
    expect(shown).toMatch(/^One ?(\[2J)?Two$/)
  })

  it('leave names as they are that have none', () => {
    for (const name of ['Ann', 'Søren Ødegård', 'شركة الاختبار', '株式会社', 'Zoë\u200d👩\u200d💻', 'a\u00a0b']) {
      expect([withoutControls(name), nameOf(40).parse(name)]).toEqual([name, name])
    }
  })
})
