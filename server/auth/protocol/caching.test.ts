import { expect, it } from 'vitest'
import { appOfFile } from '../../testing.ts'
import { authProtocol } from '../index.ts'
import { authCalls } from './calls.ts'

const test = appOfFile((services) => ({ handlers: [], mounts: [authProtocol(services)] }))

it('no reply of the protocol may be stored, except the published keys, and each varies by the caller', async () => {
  const calls = authCalls(test.services)
  expect(calls.length).toBeGreaterThan(20)
  for (const { method, path } of calls) {
    const answer = await test.call(method, `/auth/v1${path.replaceAll(/:\w+/g, 'x')}`, { as: 'nobody' })
    expect([path, answer.headers.vary, answer.headers['cache-control']]).toEqual([
      path,
      'Authorization',
      path === '/.well-known/jwks.json' ? 'public, max-age=600' : 'no-store',
    ])
  }
})
