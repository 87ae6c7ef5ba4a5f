import { expect } from 'vitest'
import type { ConnectorFailure } from '../kit/errors.ts'
import type { Handler } from '../kit/testing.ts'
import type { Check } from './check.ts'
import { failureOn, type PushSubject, payload, pushTo } from './push-run.ts'

const REFUSALS = [301, 302, 307, 308, 400, 401, 403, 404, 409, 410, 422, 429, 500, 501, 502, 503, 504]

const reportsStatus = (status: number): Check<PushSubject> => ({
  name: `and reports ${status} as a failure, without a second request`,
  run: async (subject) => {
    const failure = await failureOn(subject, (_, response) => response.writeHead(status, { location: '/b' }).end('no'))
    expect(failure.ledger).toMatchObject({ status, answer: 'no' })
    const kinds =
      status === 429 ? ['rate-limited'] : status >= 500 ? ['unavailable'] : ['auth', 'rejected', 'unavailable']
    expect(kinds).toContain(failure.kind)
  },
})

/** What every connector that pushes events does. */
export const pushChecks: readonly Check<PushSubject>[] = [
  {
    name: 'has no secrets in the stored settings of its sample',
    run: async (subject) => {
      const { manifest } = subject.connector
      const { settings, secrets } = await pushTo(subject, null)
      expect(manifest.secretFields.filter((name) => name in settings)).toEqual([])
      for (const secret of Object.values(secrets)) expect(JSON.stringify(settings)).not.toContain(secret)
      expect(manifest.describe(settings, secrets).name).not.toBe('')
    },
  },
  {
    name: 'in one request with the delivery id',
    run: async (subject) => {
      const { outcome, seen } = await pushTo(subject, null)
      expect(outcome).toMatchObject({ status: 200 })
      expect(seen).toHaveLength(1)
      expect(JSON.stringify(seen[0])).toContain(payload.delivery_id)
    },
  },
  ...REFUSALS.map(reportsStatus),
  {
    name: 'and passes on how long a 429 asks to wait',
    run: async (subject) => {
      const failure = await failureOn(subject, (_, response) => response.writeHead(429, { 'retry-after': '21' }).end())
      expect(failure.retryAfter).toBe(21)
    },
  },
  {
    name: 'and reports a hang, a reset and a truncated response as failures to retry',
    run: async (subject) => {
      const handlers: Handler[] = [
        () => {},
        (_, __, socket) => socket.resetAndDestroy(),
        (_, response) => void response.writeHead(200).write('{"half'),
      ]
      const failures = await Promise.all(handlers.map((handler) => failureOn(subject, handler, 600)))
      for (const { kind } of failures) expect(kind).toBe('unavailable')
    },
  },
  {
    name: 'and puts no secret and no customer text into messages, logs and the ledger',
    run: async (subject) => {
      const echo: Handler = ({ headers }, response) => response.writeHead(400).end(JSON.stringify(headers))
      const handlers: Handler[] = [echo, (_, __, socket) => socket.resetAndDestroy()]
      for (const handler of handlers) {
        const { error, secrets, log } = await pushTo(subject, () => handler)
        const failure = error as ConnectorFailure
        const output = [failure.message, failure.stack, JSON.stringify(failure.ledger), ...log.lines].join('\n')
        for (const secret of Object.values(secrets)) expect(output).not.toContain(secret)
        expect(output).not.toContain('path-secret')
        expect(output).not.toContain('customer words')
      }
    },
  },
  {
    name: 'and stops when the signal is aborted, whatever is answered then',
    run: async (subject) => {
      const stop = new AbortController()
      const stopThenSucceed = (answer: string): Handler => {
        return (_, response) => {
          stop.abort()
          response.end(answer)
        }
      }
      const { error } = await pushTo(subject, stopThenSucceed, { signal: stop.signal })
      expect(error).toMatchObject({ kind: 'unavailable' })
    },
  },
]
