import { describe, expect, it } from 'vitest'
import { type Handler, startServer, testContext } from '../kit/testing.ts'
import { drain } from './testing.ts'

type Answer = Record<string, unknown>
type Script = { history: (query: URLSearchParams) => Answer; replies?: (query: URLSearchParams) => Answer }

/** A Slack with one channel and scripted responses. */
function scripted({ history, replies }: Script): Handler {
  return ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://slack')
    const answers: Record<string, () => Answer> = {
      '/api/conversations.list': () => ({ channels: [{ id: 'C1', name: 'feedback', is_member: true }] }),
      '/api/conversations.history': () => history(searchParams),
      '/api/conversations.replies': () => replies?.(searchParams) ?? { ok: false, error: 'thread_not_found' },
      '/api/users.list': () => ({ members: [{ id: 'U1', profile: { display_name: '', real_name: 'Ann' } }] }),
    }
    response.end(JSON.stringify({ ok: true, ...answers[pathname]?.() }))
  }
}

const contextFor = (baseUrl: string, now = new Date('2026-03-01T12:00:00Z')) =>
  testContext({
    baseUrl,
    settings: { team_id: 'T1', team: 'Acme', workspace_url: 'https://acme.slack.com' },
    secrets: { bot_token: 'xoxb-1' },
    now: () => now,
  })

const message = (ts: string, more: Answer = {}) => ({ ts, text: `text ${ts}`, user: 'U1', ...more })
const root = message('1772000000.000100', { reply_count: 3, latest_reply: '1772000003.000000' })
const reply = (second: number) => message(`177200000${second}.000000`, { thread_ts: root.ts })

describe('replies that are counted but do not come', () => {
  it('are reported, requested again, and cleared once they arrive', async () => {
    let come = [reply(1), reply(2)]
    await using server = await startServer(
      scripted({ history: () => ({ messages: [root] }), replies: () => ({ messages: [root, ...come] }) }),
    )
    const context = contextFor(server.url)
    const first = await drain(context)
    expect(first.items).toHaveLength(3)
    expect(first.incomplete).toBe('Slack gave 1 reply fewer than it counts in 1 thread of #feedback.')
    come = [reply(1), reply(2), reply(3)]
    const second = await drain(context, first.cursor)
    expect(second.items.map(({ text }) => text)).toContain('text 1772000003.000000')
    expect(second.incomplete).toBeNull()
  })

  it('are not requested forever', async () => {
    await using server = await startServer(
      scripted({ history: () => ({ messages: [root] }), replies: () => ({ messages: [root, reply(1)] }) }),
    )
    const context = contextFor(server.url)
    let cursor: unknown = null
    for (let round = 0; round < 6; round += 1) cursor = (await drain(context, cursor)).cursor
    const last = await drain(context, cursor)
    expect(server.seen.filter(({ url }) => url.includes('replies'))).toHaveLength(3)
    expect(last.incomplete).toContain('2 replies fewer')
  })

  it('are not missing when the thread is gone', async () => {
    await using server = await startServer(scripted({ history: () => ({ messages: [root] }) }))
    const { items, incomplete } = await drain(contextFor(server.url))
    expect(items).toHaveLength(1)
    expect(incomplete).toBeNull()
  })
})

describe('misleading pages', () => {
  it('resume from the oldest message when Slack no longer accepts its cursor', async () => {
    const pages: Record<string, Answer> = {
      '': { messages: [message('1772000009.000000')], response_metadata: { next_cursor: 'lost' } },
      lost: { ok: false, error: 'invalid_cursor' },
    }
    await using server = await startServer(
      scripted({
        history: (query) =>
          query.has('latest') ? { messages: [message('1772000005.000000')] } : (pages[query.get('cursor') ?? ''] ?? {}),
      }),
    )
    const { items, incomplete } = await drain(contextFor(server.url))
    expect(items.map(({ externalId }) => externalId)).toEqual(['T1:C1:1772000009.000000', 'T1:C1:1772000005.000000'])
    expect(incomplete).toBeNull()
    expect(server.seen.at(-1)?.url).toContain('latest=1772000009.000000')
  })

  it('continue by time where there is more but no cursor', async () => {
    await using server = await startServer(
      scripted({
        history: (query) =>
          query.has('latest')
            ? { messages: [message('1772000005.000000')], has_more: false }
            : { messages: [message('1772000009.000000')], has_more: true },
      }),
    )
    expect((await drain(contextFor(server.url))).items).toHaveLength(2)
  })

  it.each([
    ['the same cursor again and again', () => ({ messages: [], response_metadata: { next_cursor: 'x' } })],
    ['the same messages again and again', () => ({ messages: [message('1772000009.000000')], has_more: true })],
    [
      'ever new cursors to nothing',
      () => ({ messages: [], response_metadata: { next_cursor: String(Math.random()) } }),
    ],
  ])('end with a report: %s', async (_, history) => {
    await using server = await startServer(scripted({ history }))
    const { incomplete } = await drain(contextFor(server.url))
    expect(incomplete).toBe('Slack’s pages of #feedback do not come to an end.')
    expect(server.seen.length).toBeLessThan(110)
  })

  it('start a thread again when its cursor is no longer accepted', async () => {
    let asked = 0
    await using server = await startServer(
      scripted({
        history: () => ({ messages: [root] }),
        replies: (query) => {
          asked += 1
          if (query.has('cursor')) return { ok: false, error: 'invalid_cursor' }
          if (asked === 1) return { messages: [root, reply(1)], response_metadata: { next_cursor: 'lost' } }
          return { messages: [root, reply(1), reply(2), reply(3)] }
        },
      }),
    )
    const { items, incomplete } = await drain(contextFor(server.url))
    expect(new Set(items.map(({ externalId }) => externalId)).size).toBe(4)
    expect(incomplete).toBeNull()
  })
})

it('skips no messages because of one from the far future', async () => {
  let messages = [message('4000000000.000000'), message('1772000001.000000')]
  await using server = await startServer(scripted({ history: () => ({ messages }) }))
  const context = contextFor(server.url)
  const first = await drain(context)
  messages = [message('4000000000.000000'), message('1772000002.000000'), message('1772000001.000000')]
  const second = await drain(context, first.cursor)
  expect(second.items.map(({ text }) => text)).toContain('text 1772000002.000000')
  const early = contextFor(server.url, new Date('2020-01-01T00:00:00Z'))
  const third = await drain(early)
  expect(third.items).toHaveLength(3)
})

it('reads attachments of apps, and tolerates unusual ones', async () => {
  const messages = [
    message('1772000003.000000', { text: '', attachments: [{ title: 'Ticket 7', text: 'It *broke*', fallback: 'x' }] }),
    message('1772000002.000000', { text: null, attachments: [{ fallback: 'A form' }, {}] }),
    message('1772000001.000000', { attachments: [{ title: 7 }] }),
    message('1772000000.000000', { text: '', attachments: 'none' }),
  ]
  await using server = await startServer(scripted({ history: () => ({ messages }) }))
  const { items } = await drain(contextFor(server.url))
  expect(items.map(({ text }) => text)).toEqual(['Ticket 7\nIt broke', 'A form', 'text 1772000001.000000'])
})

it('keeps the cursor small however much was read', async () => {
  const messages = Array.from({ length: 900 }, (_, index) => message(`1772${String(index).padStart(6, '0')}.000000`))
  await using server = await startServer(scripted({ history: () => ({ messages: messages.toReversed() }) }))
  const { items, cursor } = await drain(contextFor(server.url))
  expect(items).toHaveLength(900)
  expect(JSON.stringify(cursor).length).toBeLessThan(1000)
})
