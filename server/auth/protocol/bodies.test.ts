import { describe, expect, it, vi } from 'vitest'
import type { Services } from '../../platform/services.ts'
import { duringTests } from '../../platform/testing.ts'
import { authServer } from '../testing.ts'
import { bodySchemas } from './bodies.ts'
import { authCalls } from './calls.ts'

const calls = authCalls({ config: { authRedirectUrls: [] } } as unknown as Services)

const server = duringTests(() => authServer())

it('the body of every call is found by its name', () => {
  const taken = calls.flatMap(({ method, path, body }) => (body ? [[`${method} ${path}`, body] as const] : []))
  expect(new Map(Object.entries(bodySchemas))).toEqual(new Map(taken))
  for (const [name, body] of taken) expect(bodySchemas[name]).toBe(body)
})

describe('a body of many values', () => {
  const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 0]))
  const email = 'someone@example.com'

  it.each([
    ['POST /signup', '', { email, password: 'x'.repeat(20), data: many }, 'data: must be less than 4 KiB'],
    ['POST /signup', '', { email: many, ...many }, 'email: Invalid input'],
    ['POST /signup', '', { email: 'nobody', ...many }, 'Unable to validate email address: invalid format'],
    ['POST /token', '?grant_type=password', { email, password: many, ...many }, 'email and password are needed'],
    ['POST /token', '?grant_type=password', { phone: many }, 'Phone sign-in is disabled'],
    ['POST /verify', '', { type: 'none', ...many }, 'type: is not supported'],
  ])('is checked in the thread that parses it: %s%s', async (call, query, body, message) => {
    const [method = '', path = ''] = call.split(' ')
    const schema = bodySchemas[call]
    if (!schema) throw new Error(`${call} has no body`)
    const [parse, check] = [vi.spyOn(JSON, 'parse'), vi.spyOn(schema, 'safeParse')]
    const answer = await server.call(method as 'POST', `/auth/v1${path}${query}`, { payload: body })
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length))
    expect([check.mock.calls.length, longest < 10_000]).toEqual([0, true])
    vi.restoreAllMocks()
    expect(answer.json()).toMatchObject({ msg: message })
  })

  it('does what a small one does, and only the fields of the call are copied', async () => {
    const answer = await server.call('POST', '/auth/v1/token?grant_type=password', {
      payload: { email, password: 'wrong', ...many },
    })
    expect([answer.statusCode, answer.json().error_code]).toEqual([400, 'invalid_credentials'])
  })
})
