import { createHash, randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { openConnection } from '../../platform/db/testing.ts'
import { createHttp } from '../../platform/http/create.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { createLog } from '../../platform/log/log.ts'
import { duringTests } from '../../platform/testing.ts'
import { appOfFile } from '../../testing.ts'
import { handlers } from '../../wiring.ts'
import { fileConnection } from '../connections/index.ts'
import { storeItems } from '../feedback/index.ts'
import { sharedPages } from './index.ts'

const DAY_MS = 86_400_000

let people = 0
let ann: TestPerson

const test = appOfFile((services) => ({ handlers: handlers(services), mounts: [sharedPages(services)] }), {
  authRateLimits: { signup: 1_000, login: 1_000, shared_link: 60 },
})
const owner = duringTests(() => openConnection(test.database.ownerUrl))
beforeEach(async () => {
  test.time.passMs = 0
  people += 1
  ann = await test.person(`ann${people}`, { password: 'a sentence nobody guesses' })
  await store(1, [
    {
      text: 'The export <b>stops</b> & I, Jane, wrote to jane@example.com',
      author: 'Jane Doe',
      link: 'https://private.example/1',
    },
    { text: 'Exports fail every night', author: 'Max Roe', link: 'https://private.example/2' },
  ])
})

type Said = { text: string; author: string; link: string }

async function store(issue: number, said: readonly Said[], as = ann): Promise<void> {
  await inWorkspace(test.services.db, as.workspaceId, async (tx) => {
    const connection = await fileConnection(tx, as.workspaceId)
    const items = said.map((one, at) => ({
      externalId: `${issue}-${at}`,
      ...one,
      at: new Date(Date.now() - (at + 1) * DAY_MS),
      thread: null,
      place: 'private-channel',
    }))
    await storeItems(tx, as.workspaceId, connection.id, items)
    await sql`
      insert into insight (workspace_id, issue_number, name, summary, revision, sources, mention_count, people_count, last_updated, first_seen, last_seen)
      values (${as.workspaceId}, ${issue}, ${`Exports stop #${issue}`}, 'The export stops.', 1, '{file}', 2, 2, now(), now(), now())`.execute(
      tx,
    )
    await sql`
      insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
      select workspace_id, id, 0, 0, length(text), 'joined', ${issue}, 1, 'test', said_at
      from feedback_item where external_id like ${`${issue}-%`}`.execute(tx)
  })
}

const fields = { issue_number: 1, expires_in_days: 7, hide_names: false, hide_quotes: false }

async function share(more = {}, as = ann): Promise<{ id: string; path: string; link: unknown }> {
  const answer = await test.call('POST', '/api/shared-links', { as, payload: { ...fields, ...more } })
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  const { link, path } = answer.json()
  return { id: link.id, path, link }
}

/** Each test has its own address, since pages are rate-limited by address. */
const open = (path: string) => test.call('GET', path, { remoteAddress: `203.0.113.${people}` })
const list = async (as = ann) => (await test.call('GET', '/api/shared-links', { as })).json().links

async function stored(): Promise<Record<string, unknown>[]> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
  return (await owner.query('select * from shared_link where workspace_id = $1', [ann.workspaceId])).rows
}

const inside = (statement: ReturnType<typeof sql>) =>
  inWorkspace(test.services.db, ann.workspaceId, (tx) => statement.execute(tx))

describe('a link to an insight', () => {
  it('opens a page without a sign-in that runs nothing, is indexed nowhere and stored nowhere', async () => {
    const { path } = await share()
    expect(path).toMatch(/^\/api\/shared\/[\w-]{43}$/)
    const page = await open(path)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const style = /<style>([^]*?)<\/style>/.exec(page.body)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(page.body).not.toMatch(/<script|<a |<img|<form|href=|src=|style="/)
  })

  it('shows the insight as it is now, its text escaped, and no address of a private system', async () => {
    const { path } = await share()
    const { body } = await open(path)
    const texts = ['Exports stop #1', 'The export stops.', 'Exports fail every night', 'Jane Doe', 'Max Roe', 'File']
    for (const text of texts) expect(body).toContain(text)
    expect(body).toContain('The export &lt;b&gt;stops&lt;/b&gt; &amp; I, Jane, wrote to jane@example.com')
    expect(body).not.toMatch(/private/)
    expect(body.match(/(?<=<dt>)[^<]*/g)).toEqual(['Mentions', 'People', 'First mention', 'Latest mention'])
    expect(body).toMatch(/aria-label="2 mentions in the 12 weeks until [^"]*"/)
    await inside(sql`update insight set name = 'Nightly exports', name_by_person = true, team_status = 'planned'`)
    const later = (await open(path)).body
    expect(later).toContain('Nightly exports')
    expect(later).toContain('Planned')
  })

  it('conceals names, or everything that customers wrote', async () => {
    const names = (await open((await share({ hide_names: true })).path)).body
    expect(names).toContain('I, [name], wrote to [e-mail]')
    expect(names).toContain('Exports fail every night')
    expect(names).not.toMatch(/Jane|Doe|Max Roe|example\.com/i)
    const quotes = (await open((await share({ hide_quotes: true })).path)).body
    expect(quotes).toContain('Exports stop #1')
    expect(quotes).not.toMatch(/Jane|Max Roe|every night|The export stops\./)
  })

  it('shows nothing of an erased person', async () => {
    const { path } = await share()
    const answer = await test.call('POST', '/api/erasure', { as: ann, payload: { author: 'Jane Doe' } })
    expect(answer.statusCode).toBe(200)
    const { body } = await open(path)
    expect(body).toContain('Exports fail every night')
    expect(body).not.toMatch(/Jane|jane@example/)
  })

  it('says that an insight is no longer there when it was deleted or merged', async () => {
    const { path } = await share()
    await inside(sql`update insight set deleted_at = now()`)
    const deleted = await open(path)
    expect([deleted.statusCode, deleted.body]).toEqual([410, expect.stringContaining('No longer available')])
    await inside(sql`update insight set deleted_at = null, ended_at = now(), merged_into = 1`)
    const merged = await open(path)
    expect([merged.statusCode, merged.body]).toEqual([410, deleted.body])
    expect(merged.body).not.toMatch(/Exports|Jane/)
  })

  it('does not work when it is unknown, revoked or expired: one and the same page', async () => {
    const [expiring, revoked] = [await share(), await share({ expires_in_days: 30 })]
    expect((await test.call('DELETE', `/api/shared-links/${revoked.id}`, { as: ann })).statusCode).toBe(200)
    expect((await test.call('DELETE', `/api/shared-links/${revoked.id}`, { as: ann })).statusCode).toBe(404)
    test.time.passMs = 7 * DAY_MS + 1
    const pages = [
      await open(expiring.path),
      await open(revoked.path),
      await open(`/api/shared/${randomBytes(32).toString('base64url')}`),
      await open('/api/shared/short'),
      await open('/api/shared/%'),
    ]
    const [first] = pages
    for (const page of pages) {
      expect([page.statusCode, page.body]).toEqual([404, first?.body])
      expect([page.headers['x-robots-tag'], page.headers['cache-control']]).toEqual(['noindex, nofollow', 'no-store'])
    }
    expect(first?.body).toContain('This link does not work')
  })

  it('is stored as a hash, listed without its address, and only in its own workspace', async () => {
    const bo = await test.person(`bo${people}`)
    const { id, path, link } = await share({ hide_names: true })
    const token = path.split('/').at(-1) ?? ''
    expect([await list(), await list(bo)]).toEqual([[link], []])
    expect(link).toMatchObject({
      issue_number: 1,
      hide_names: true,
      hide_quotes: false,
      expired: false,
      made_by: ann.email,
    })
    const rows = await stored()
    expect(rows.map((row) => row.token_hash)).toEqual([createHash('sha256').update(token).digest()])
    expect(JSON.stringify([rows, await list()])).not.toContain(token)
    expect((await test.call('DELETE', `/api/shared-links/${id}`, { as: bo })).statusCode).toBe(404)
    const theirs = await test.call('POST', '/api/shared-links', { as: bo, payload: fields })
    expect(theirs.statusCode).toBe(404)
    expect((await open(path)).statusCode).toBe(200)
  })

  it('is in the audit log when it is made and revoked, without its token', async () => {
    const { id, path } = await share({ hide_quotes: true })
    await test.call('DELETE', `/api/shared-links/${id}`, { as: ann })
    const { rows } = await owner.query(
      `select action, actor, detail from audit_event where account_id = $1 and action like 'shared_link.%' order by id`,
      [ann.accountId],
    )
    const shows = 'insight #1'
    expect(rows).toEqual([
      {
        action: 'shared_link.created',
        actor: ann.email,
        detail: { shows, expires: expect.any(String), names: 'shown', quotes: 'hidden' },
      },
      { action: 'shared_link.revoked', actor: ann.email, detail: { shows } },
    ])
    expect(JSON.stringify(rows)).not.toContain(path.split('/').at(-1))
  })

  it('goes when its maker leaves the workspace, and does not work while they are banned', async () => {
    const { path } = await share()
    await owner.query("update account set banned_until = now() + interval '1 day' where id = $1", [ann.accountId])
    expect((await open(path)).statusCode).toBe(404)
    await owner.query('update account set banned_until = null where id = $1', [ann.accountId])
    expect((await open(path)).statusCode).toBe(200)
    await owner.query('delete from member where account_id = $1', [ann.accountId])
    expect(await stored()).toEqual([])
  })

  it.each([
    [{ issue_number: 2 }, 404],
    [{ expires_in_days: 8 }, 400],
    [{ expires_in_days: null }, 400],
    [{ hide_names: undefined }, 400],
  ])('is not made with %j', async (more, status) => {
    const answer = await test.call('POST', '/api/shared-links', { as: ann, payload: { ...fields, ...more } })
    expect([answer.statusCode, await list()]).toEqual([status, []])
  })
})

describe('a link to a view', () => {
  const save = async (query: string, more = {}) =>
    (
      await test.call('POST', '/api/views', {
        as: ann,
        payload: { name: 'All <exports>', query, shared: false, ...more },
      })
    ).json().view_id as string
  const shareView = (view_id: string, more = {}) => share({ issue_number: undefined, view_id, ...more })
  /** The names in the table of the page, from the top. */
  const rowsOf = (body: string) => [...body.matchAll(/<tr><td dir="auto">([^<]*)/g)].map(([, name]) => name)

  beforeEach(async () => {
    await store(2, [{ text: 'Search is slow', author: 'Eve', link: 'https://private.example/3' }])
    await store(10, [{ text: 'Search by export date', author: 'Eve', link: 'https://private.example/4' }])
    await inside(
      sql`update insight set name = 'Search is slow', mention_count = 9, status = 'pushed' where issue_number = 2`,
    )
    await inside(sql`update insight set mention_count = 5, team_status = 'shipped' where issue_number = 10`)
  })

  it('shows its insights as they are now, filtered and in order as in the table', async () => {
    const id = await save('sort=-mentions')
    const { path } = await shareView(id)
    const page = await open(path)
    expect([page.statusCode, page.headers['referrer-policy']]).toEqual([200, 'no-referrer'])
    expect(page.body).toContain('<h1 dir="auto">All &lt;exports&gt;</h1>')
    expect(page.body).toContain('3 insights')
    expect(rowsOf(page.body)).toEqual(['Search is slow', 'Exports stop #10', 'Exports stop #1'])
    expect(page.body).toContain('Shipped')
    expect(page.body.match(/(?<=<th [^>]*>)[^<]*/g)).toEqual(['Insight', 'Status', 'Mentions', 'People', 'Latest'])
    expect(page.body).not.toMatch(/Jane|private|<a /)
    const rows = async (query: string) => {
      await test.call('PATCH', `/api/views/${id}`, { as: ann, payload: { query } })
      return rowsOf((await open(path)).body)
    }
    expect(await rows('q=search&sort=issue_name')).toEqual(['Exports stop #10', 'Search is slow'])
    expect(await rows('status=pushed')).toEqual(['Search is slow'])
    expect(await rows('team=shipped')).toEqual(['Exports stop #10'])
    expect(await rows('sort=team_status')).toEqual(['Exports stop #10', 'Search is slow', 'Exports stop #1'])
    expect(await rows('q=nothing+at+all')).toEqual([])
    expect((await open(path)).body).toContain('No insights match this view at the moment')
  })

  it('conceals the names of authors in the names of insights', async () => {
    await inside(sql`update insight set name = 'Jane and eve want exports' where issue_number in (1, 2)`)
    const id = await save('sort=-mentions')
    const rows = async (hide_names: boolean) => rowsOf((await open((await shareView(id, { hide_names })).path)).body)
    expect(await rows(false)).toEqual(['Jane and eve want exports', 'Exports stop #10', 'Jane and eve want exports'])
    // Each insight has its own authors.
    expect(await rows(true)).toEqual([
      'Jane and [name] want exports',
      'Exports stop #10',
      '[name] and eve want exports',
    ])
  })

  it('shows those of one customer or with values of attributes, in the order of customers or revenue', async () => {
    const customer = crypto.randomUUID()
    await inside(
      sql`insert into customer (workspace_id, id, key, name, name_key) values (${ann.workspaceId}, ${customer}, 'acme.com', 'Acme', 'acme')`,
    )
    await inside(
      sql`insert into insight_customer (workspace_id, issue_number, customer_id, mentions)
        values (${ann.workspaceId}, 1, ${customer}, 1), (${ann.workspaceId}, 2, ${customer}, 3)`,
    )
    await inside(sql`update insight set customer_count = 4, revenue = 10 where issue_number = 1`)
    await inside(sql`update insight set customer_count = 2, revenue = 900 where issue_number = 2`)
    const id = await save(`customer=${customer}&sort=-customers`)
    const { path } = await shareView(id)
    const rows = async (query: string) => {
      await test.call('PATCH', `/api/views/${id}`, { as: ann, payload: { query } })
      return rowsOf((await open(path)).body)
    }
    expect(rowsOf((await open(path)).body)).toEqual(['Exports stop #1', 'Search is slow'])
    expect(await rows(`customer=${customer}&sort=-revenue`)).toEqual(['Search is slow', 'Exports stop #1'])
    expect(await rows(`customer=${crypto.randomUUID()}`)).toEqual([])
    expect(await rows('customer=nobody')).toEqual([])
    await inside(sql`with value as (insert into attribute_value values (${ann.workspaceId}, 1, 'Rating', 'rating', '1', '1'))
      insert into insight_attribute values (${ann.workspaceId}, 1, 1, 1)`)
    expect(await rows('attributes=rating%3D1%26rating%3D2')).toEqual(['Exports stop #1'])
    expect(await rows('attributes=rating%3D2')).toEqual([])
  })

  it('ends when the view is deleted, or made private by somebody else', async () => {
    const id = await save('')
    const { path } = await shareView(id)
    const bo = await test.person(`bo${people}`)
    await owner.query('update saved_view set account_id = account_id, shared = true where id = $1', [id])
    expect((await open(path)).statusCode).toBe(200)
    await owner.query('insert into member (workspace_id, account_id, role) values ($1, $2, $3)', [
      ann.workspaceId,
      bo.accountId,
      'member',
    ])
    await owner.query('update shared_link set account_id = $2 where view_id = $1', [id, bo.accountId])
    expect((await open(path)).statusCode).toBe(200)
    await owner.query('update saved_view set shared = false where id = $1', [id])
    expect((await open(path)).statusCode).toBe(410)
    await owner.query('update shared_link set account_id = $2 where view_id = $1', [id, ann.accountId])
    expect((await open(path)).statusCode).toBe(200)
    await test.call('DELETE', `/api/views/${id}`, { as: ann })
    const gone = await open(path)
    expect([gone.statusCode, gone.body]).toEqual([410, expect.stringContaining('No longer available')])
  })

  it.each([
    [{ issue_number: 1, view_id: crypto.randomUUID() }, 400],
    [{ issue_number: undefined }, 400],
    [{ issue_number: undefined, view_id: crypto.randomUUID() }, 404],
  ])('is not made with %j', async (more, status) => {
    const answer = await test.call('POST', '/api/shared-links', { as: ann, payload: { ...fields, ...more } })
    expect(answer.statusCode).toBe(status)
  })
})

it('so many pages may be opened from one address in a minute', async () => {
  const { path } = await share()
  test.time.stoppedAt = Math.floor(Date.now() / 60_000) * 60_000
  const from = (address: string) => test.call('GET', path, { remoteAddress: address })
  for (let time = 0; time < 60; time += 1) expect((await from('198.51.100.7')).statusCode).toBe(200)
  const refused = await from('198.51.100.7')
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
  expect(refused.body).toContain('Wait a minute')
  expect((await from('198.51.100.8')).statusCode).toBe(200)
  test.time.stoppedAt = undefined
})

it('the log has no token of a link', async () => {
  const { path } = await share()
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const services = { ...test.services, log: createLog({ logLevel: 'debug', destination }) }
  const app = await createHttp(services, {
    handlers: [],
    mounts: [sharedPages(services)],
    authenticate: async () => null,
  })
  for (const url of [path, `${path}?from=mail`, `${path}/more`, `/api/shared/${'x'.repeat(43)}`]) {
    await app.inject({ method: 'GET', url })
  }
  await app.close()
  expect(lines.join('')).toContain('"path":"/api/shared/…"')
  expect(lines.join('')).not.toContain(path.split('/').at(-1))
})
