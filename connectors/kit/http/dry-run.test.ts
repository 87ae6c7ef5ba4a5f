import { expect, it } from 'vitest'
import type { Context, HttpRequest } from '../../connector.ts'
import { createCache } from '../cache.ts'
import { recordingLog } from '../testing.ts'
import { dryRun } from './dry-run.ts'

function contextWith(left = 0): { context: Context; sent: HttpRequest[] } {
  const sent: HttpRequest[] = []
  const context: Context = {
    settings: {},
    secrets: {},
    http: {
      request: async (request) => {
        sent.push(request)
        return { status: 200, headers: {}, body: '{}', truncated: false, durationMs: 1 }
      },
    },
    log: recordingLog(),
    signal: new AbortController().signal,
    now: () => new Date(),
    cache: createCache(),
    baseUrl: null,
    pauses: { left: async () => left, set: async () => undefined },
  }
  return { context, sent }
}

const url = 'https://tracker.example/graphql'
const graphql = (query: string): HttpRequest => ({ method: 'POST', url, body: JSON.stringify({ query }) })

it.each([
  [{ method: 'GET', url } as HttpRequest, true],
  [graphql('query Issue { issue { id } }'), true],
  [graphql('{ viewer { id } }'), true],
  [graphql('mutation Make { make { id } }'), false],
  [graphql('query A { a } mutation B { b }'), false],
  [graphql('SELECT [System.Id] FROM WorkItems'), false],
  [{ method: 'POST', url, body: 'not JSON' } as HttpRequest, false],
  [{ method: 'POST', url } as HttpRequest, false],
  [{ method: 'PUT', url, body: '{}' } as HttpRequest, false],
  [{ method: 'DELETE', url } as HttpRequest, false],
])('sends a request only if it is certain to be a read: %j', async (request, isRead) => {
  const { context, sent } = contextWith()
  const run = await dryRun(context, ({ http }) => http.request(request))
  expect(sent).toHaveLength(isRead ? 1 : 0)
  expect(run).toMatchObject({ ended: isRead, requests: isRead ? [] : [{ method: request.method, url }] })
})

it('goes on after a write with the reply that is given', async () => {
  const { context, sent } = contextWith()
  const work = async ({ http }: Context) => {
    const { body } = await http.request(graphql('mutation A { a }'))
    await http.request({ method: 'POST', url, body })
  }
  const run = await dryRun(context, work, ({ body }) => (body.includes('mutation') ? { id: 7 } : null))
  expect(run.requests.map(({ body }) => body)).toEqual(['{"query":"mutation A { a }"}', '{"id":7}'])
  expect(run.ended).toBe(false)
  expect(sent).toEqual([])
})

it('shows writes during a pause that the provider asked for, and sends no reads', async () => {
  const { context, sent } = contextWith(30)
  const run = await dryRun(context, async ({ http, pauses }) => {
    expect(await pauses?.left('')).toBe(0)
    await http.request({ method: 'POST', url })
  })
  expect(run.requests).toHaveLength(1)
  await expect(dryRun(context, ({ http }) => http.request({ method: 'GET', url }))).rejects.toMatchObject({
    kind: 'rate-limited',
  })
  expect(sent).toEqual([])
})
