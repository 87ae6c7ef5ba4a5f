import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { openConnection } from '../../platform/db/testing.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { QUEUE_SCHEMA } from '../../platform/queue/schema.ts'
import { duringTests } from '../../platform/testing.ts'
import { appOfFile } from '../../testing.ts'
import { handlers } from '../../wiring.ts'
import { exportFeedback } from './export.ts'

const MIB = 1024 * 1024

let people = 0
let ann: TestPerson

const test = appOfFile((services) => handlers(services), {
  authRateLimits: null,
})
const owner = duringTests(() => openConnection(test.database.ownerUrl))
beforeEach(async () => {
  people += 1
  ann = await test.person(`ann${people}`)
})

const send = (items: unknown, as: TestPerson | string = ann) =>
  test.call('POST', '/api/feedback', { as, payload: { items } as object })

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
  return (await owner.query(sql.replaceAll('WORKSPACE', `'${ann.workspaceId}'`))).rows
}

const items = () =>
  rows(`select external_id as id, text, author, link, place, said_at as date, attributes, grouped_seq as grouped
    from feedback_item where workspace_id = WORKSPACE order by id`)
const get = async (url: string) => (await test.call('GET', url, { as: ann })).json()

describe('POST /api/feedback', () => {
  it('stores messages in their own source, which is listed and asks for grouping', async () => {
    const full = {
      id: 't-1',
      text: 'The export fails',
      author: 'Zoe',
      date: '2026-05-31T09:30:00+02:00',
      link: 'https://desk.example.com/1',
      place: 'web form',
      attributes: { plan: 'pro' },
    }
    const answer = await send([full, { id: 't-2', text: 'Slow again', author: null, date: '2026-06-01' }])
    expect([answer.statusCode, answer.json()]).toEqual([200, { accepted: 2, changed: 0, unchanged: 0 }])
    expect(await items()).toEqual([
      { ...full, date: new Date(full.date), grouped: null },
      {
        id: 't-2',
        text: 'Slow again',
        author: null,
        link: null,
        place: null,
        date: new Date('2026-06-01'),
        attributes: {},
        grouped: null,
      },
    ])
    expect((await get('/api/file-sources')).sources).toMatchObject([{ name: 'API', messages: 2, imports: 1 }])
    expect((await get('/api/retention')).sources).toMatchObject([{ name: 'API', messages: 2 }])
    expect((await get('/api/imports')).imports).toMatchObject([{ name: 'API', state: 'done', added: 2, grouped: 0 }])
    const { rows: queued } = await owner.query(
      `select count(*)::int as jobs from ${QUEUE_SCHEMA}.job where data ->> 'workspaceId' = $1 and name like '%group%'`,
      [ann.workspaceId],
    )
    expect(queued[0].jobs).toBeGreaterThan(0)
  })

  it('keeps a date without a time as a day', async () => {
    await send([
      { id: '1', text: 'The export fails', date: '2026-06-01' },
      { id: '2', text: 'The import fails', date: '2026-06-01T00:00:00Z' },
    ])
    const stored = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
    expect(stored.map(({ date }) => date)).toEqual(['2026-06-01', '2026-06-01T00:00:00.000Z'])
  })

  it('does nothing with a message that is known, and edits one with another text', async () => {
    await send([
      { id: 'a', text: 'The export fails' },
      { id: 'b', text: 'Slow again' },
    ])
    await rows('update feedback_item set grouped_seq = 1 where workspace_id = WORKSPACE')
    const before = await items()
    const again = await send([
      { id: 'a', text: 'The export fails' },
      { id: 'b', text: 'Slow again' },
    ])
    expect([again.json(), await items()]).toEqual([{ accepted: 0, changed: 0, unchanged: 2 }, before])
    const mixed = await send([
      { id: 'a', text: 'The export fails' },
      { id: 'b', text: 'Slow since Monday' },
      { id: 'c', text: 'New here' },
    ])
    expect(mixed.json()).toEqual({ accepted: 1, changed: 1, unchanged: 1 })
    expect((await items()).map(({ text, grouped }) => [text, grouped])).toEqual([
      ['The export fails', before[0]?.grouped],
      ['Slow since Monday', null],
      ['New here', null],
    ])
    expect(await rows('select line from import_row where workspace_id = WORKSPACE order by line')).toEqual([
      { line: 1 },
      { line: 2 },
      { line: 3 },
    ])
  })

  it('takes the last of several with one id, and keeps ids of workspaces apart', async () => {
    const twice = await send([
      { id: 'a', text: 'First' },
      { id: 'a', text: 'Second' },
    ])
    expect(twice.json()).toEqual({ accepted: 1, changed: 0, unchanged: 1 })
    expect((await items()).map(({ text }) => text)).toEqual(['Second'])
    const bo = await test.person(`bo${people}`)
    expect((await send([{ id: 'a', text: 'Of Bo' }], bo)).json()).toMatchObject({ accepted: 1 })
    expect((await items()).map(({ text }) => text)).toEqual(['Second'])
  })

  it('takes integers as ids, as they are written: beyond 2^53 as well, and the same as text', async () => {
    const payload = `{"items": [
      {"id": 12, "text": "No sound", "author": "Zoe"},
      {"id": 169881503650676736, "text": "The app logs me out"},
      {"id": 169881503650676738, "text": "Please add SEPA"}
    ]}`
    const sent = await test.call('POST', '/api/feedback', {
      as: ann,
      payload,
      headers: { 'content-type': 'application/json' },
    })
    expect(sent.json()).toEqual({ accepted: 3, changed: 0, unchanged: 0 })
    const stored = [
      ['12', 'No sound'],
      ['169881503650676736', 'The app logs me out'],
      ['169881503650676738', 'Please add SEPA'],
    ]
    expect((await items()).map(({ id, text }) => [id, text])).toEqual(stored)
    const again = await send(stored.map(([id, text]) => ({ id, text, ...(id === '12' ? { author: 'Zoe' } : {}) })))
    expect(again.json()).toEqual({ accepted: 0, changed: 0, unchanged: 3 })
    expect((await send([{ id: 1.5, text: 'x' }])).json().message).toBe('items.0.id: must be text or an integer')
  })

  it('keeps fields of other names as attributes, or refuses them by name', async () => {
    const item = {
      id: 'a',
      text: 'Slow',
      rating: 4,
      version: '2.1',
      verified: true,
      country: null,
      attributes: { plan: 'pro' },
    }
    expect((await send([item])).json()).toEqual({ accepted: 1, changed: 0, unchanged: 0 })
    expect((await items()).map(({ attributes }) => attributes)).toEqual([
      { plan: 'pro', rating: '4', version: '2.1', verified: 'true' },
    ])
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`field ${n}`, n]))
    for (const [more, field] of [
      [{ user: { id: 1 } }, 'items.0.user'],
      [{ tags: ['a'] }, 'items.0.tags'],
      [{ note: 'x'.repeat(1_001) }, 'items.0.note'],
      [{ plan: 'free', attributes: { plan: 'pro' } }, 'items.0.plan'],
      [many, 'items.0.attributes'],
    ] as const) {
      expect(Object.keys((await send([{ id: 'b', text: 'Slow', ...more }])).json().fields)).toEqual([field])
    }
    expect(await items()).toHaveLength(1)
  })

  it('stores of HTML what its reader saw, and plain text as it is written', async () => {
    const mail = '<div dir="ltr"><p>Hello,</p><p>I can&#39;t print<br></p></div>'
    const sent = [
      { id: '1', text: mail },
      { id: '2', text: 'Tom &amp; Jerry', content_type: 'text/html' },
      { id: '3', text: mail, content_type: 'text/plain' },
      { id: '4', text: 'How do I type <b> in the editor?' },
    ]
    expect((await send(sent)).json()).toEqual({ accepted: 4, changed: 0, unchanged: 0 })
    expect((await items()).map(({ text, attributes }) => [text, attributes])).toEqual([
      ["Hello,\nI can't print", {}],
      ['Tom & Jerry', {}],
      [mail, {}],
      ['How do I type <b> in the editor?', {}],
    ])
    expect((await send(sent)).json()).toEqual({ accepted: 0, changed: 0, unchanged: 4 })
  })

  it.each([
    [{ text: '<p>&nbsp;</p>' }, 'items.1.text: must not be empty'],
    [{ text: 'x', content_type: 'text/rtf' }, 'items.1.content_type: must be text/plain or text/html'],
  ])('stores nothing when HTML is empty, or its kind unknown: %j', async (wrong, message) => {
    const answer = await send([
      { id: 'a', text: 'good' },
      { id: 'b', ...wrong },
    ])
    expect([answer.statusCode, answer.json().message]).toEqual([400, message])
    expect(await items()).toEqual([])
  })

  it('makes one source, also when the first calls come at once', async () => {
    const calls = Array.from({ length: 8 }, (_, n) =>
      send([
        { id: `${n}`, text: `Said ${n}` },
        { id: 'same', text: 'Same' },
      ]),
    )
    const accepted = (await Promise.all(calls)).map((answer) => Number(answer.json().accepted))
    expect(accepted.reduce((sum, one) => sum + one, 0)).toBe(9)
    expect((await get('/api/file-sources')).sources).toMatchObject([{ name: 'API', messages: 9 }])
  })

  it.each([
    [[], 'items'],
    [Array.from({ length: 1_001 }, (_, n) => ({ id: `${n}`, text: 'x' })), 'items'],
    [
      [
        { id: 'a', text: 'good' },
        { id: 'b', text: ' \u200b ' },
      ],
      'items.1.text',
    ],
    [[{ id: 'a', text: 'good' }, { text: 'no id' }], 'items.1.id'],
    [
      [
        { id: 'a', text: 'good' },
        { id: 'b', text: 'x', date: 'yesterday' },
      ],
      'items.1.date',
    ],
    [[{ id: 'a', text: 'x', date: '0001-01-01' }], 'items.0.date'],
    [[{ id: 'a', text: 'x', attributes: { plan: 7 } }], 'items.0.attributes.plan'],
    [[{ id: 'a', text: 'x'.repeat(100_001) }], 'items.0.text'],
    [[{ id: 'a', text: 'a\0b' }], 'items.0.text'],
    [[{ id: 'x'.repeat(201), text: 'x' }], 'items.0.id'],
  ])('stores nothing when one item is wrong, and says which: %#', async (wrong, field) => {
    const answer = await send(wrong)
    const { code, message, fields } = answer.json()
    expect([answer.statusCode, code, message.startsWith(`${field}: must `), Object.keys(fields)]).toEqual([
      400,
      'invalid_input',
      true,
      [field],
    ])
    expect(await items()).toEqual([])
  })

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example/x',
    '/settings',
    'https://bank.example@evil.example/',
    'https://evil.example/\u202egnp.exe',
    `https://example.com/${'x'.repeat(2_048)}`,
    '',
  ])('refuses a link that is no address of a web page, and stores nothing: %j', async (link) => {
    const answer = await send([
      { id: 'a', text: 'good', link: 'https://desk.example.com/1' },
      { id: 'b', text: 'x', link },
    ])
    const { code, fields } = answer.json()
    expect([answer.statusCode, code, Object.keys(fields)]).toEqual([400, 'invalid_input', ['items.1.link']])
    expect(await items()).toEqual([])
  })

  it('takes bodies of up to 10 MiB', async () => {
    const large = (bytes: number) =>
      Array.from({ length: 110 }, (_, n) => ({ id: `${n}`, text: `${n} ${'x'.repeat(Math.floor(bytes / 110) - 50)}` }))
    expect((await send(large(10 * MIB))).json()).toMatchObject({ accepted: 110 })
    const answer = await send(large(11 * MIB))
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { code: 'payload_too_large', message: 'The body is too large: it may have at most 10 MiB' },
    ])
  })

  it('needs the scope, and names the key in the audit log', async () => {
    const make = async (scope: string) =>
      (
        await test.call('POST', '/api/keys', {
          as: ann,
          payload: { name: scope, scopes: [scope], expires_in_days: 30 },
        })
      ).json().token
    const [writes, reads] = [await make('feedback:write'), await make('read')]
    expect((await send([{ id: 'a', text: 'By key' }], reads)).statusCode).toBe(403)
    expect((await send([{ id: 'a', text: 'By key' }], writes)).json()).toMatchObject({ accepted: 1 })
    expect((await test.call('GET', '/api/file-sources', { as: writes })).statusCode).toBe(403)
    expect((await test.call('GET', '/api/file-sources', { as: reads })).json().sources).toMatchObject([{ messages: 1 }])
    const entries = await rows(
      `select actor, detail from audit_event where workspace_id = WORKSPACE and action = 'feedback.sent'`,
    )
    expect(entries).toEqual([{ actor: ann.email, detail: { api_key: `feedback:write (${writes.slice(0, 8)}…)` } }])
  })

  it('can be deleted like an import, and starts again with the next message', async () => {
    await send([{ id: 'a', text: 'One' }])
    await send([{ id: 'b', text: 'Two' }])
    const [{ id }] = (await get('/api/imports')).imports
    expect(await get(`/api/imports/${id}/deletion`)).toMatchObject({ removed: 2 })
    const gone = await test.call('DELETE', `/api/imports/${id}`, { as: ann })
    expect([gone.json(), await items(), (await get('/api/file-sources')).sources]).toEqual([
      { removed: 2, restored: 0 },
      [],
      [],
    ])
    expect((await send([{ id: 'a', text: 'One' }])).json()).toMatchObject({ accepted: 1 })
    expect((await get('/api/file-sources')).sources).toMatchObject([{ name: 'API', messages: 1 }])
  })

  it('does not store again what was erased, nor what is older than feedback is kept', async () => {
    await send([{ id: 'a', text: 'One', author: 'Zoe' }])
    await test.call('POST', '/api/erasure', { as: ann, payload: { author: 'Zoe' } })
    await test.call('PUT', '/api/retention', { as: ann, payload: { days: 30, sources: [] } })
    const answer = await send([
      { id: 'a', text: 'One', author: 'Zoe' },
      { id: 'old', text: 'Old', date: '2001-01-01' },
    ])
    expect([answer.json(), await items()]).toEqual([{ accepted: 0, changed: 0, unchanged: 2 }, []])
  })
})

describe('docs/api.md', () => {
  it('shows commands that work', async () => {
    await test.app.listen({ host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
    const scopes = ['read', 'feedback:write']
    const made = await test.call('POST', '/api/keys', {
      as: ann,
      payload: { name: 'curl', scopes, expires_in_days: 30 },
    })
    const document = await readFile(path.join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
    const commands = [...document.matchAll(/^( {4}curl .*(?:\n {4}.+)*)/gm)].map(([command]) => command)
    expect(commands).toHaveLength(2)
    const env = { ...process.env, GROUNDSWELL_URL: url, GROUNDSWELL_API_KEY: made.json().token }
    const answers: unknown[] = []
    for (const command of commands) {
      const { stdout } = await promisify(execFile)('bash', ['-c', command.replace('curl', 'curl -sS')], { env })
      answers.push(JSON.parse(stdout))
    }
    expect(answers).toEqual([[], { accepted: 2, changed: 0, unchanged: 0 }])
  })
})
