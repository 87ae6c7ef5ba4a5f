import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { LoginReply } from '@groundswell/contract/accounts.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../api.ts'
import { type Booted, boot } from '../boot.ts'
import { valueTypes, withDatabase } from '../platform/db/connection.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openConnection, type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import { startWorker } from '../worker.ts'
import { baselineFolder, candidateBackup, listBeforeBaseline, listMigrations } from './candidate.ts'

/**
 * An installation of the last version before the baseline: what its own `backup --secrets` wrote after one person had signed up, created a tag,
 * connected a webhook, imported ten messages, got three insights, two of them pushed, and deleted the third.
 */
const PERSON = { email: 'mara@tallybrook.example', password: 'seven small lanterns' }

/** Owns the tables without being a superuser, as on a hosted server: row-level security applies to it too. */
const OWNER = `groundswell_upgrade_${process.pid}`

const received: {
  headers: IncomingHttpHeaders
  body: { type: string; data: { insight: { issue_number: number } } }
}[] = []
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body: JSON.parse(body) })
    response.end('{}')
  })
})

let empty: string
let baseline: string
let database: TestDatabase
let admin: pg.Client
let booted: Booted
let api: Api
let token: string

beforeAll(async () => {
  empty = await mkdtemp(path.join(tmpdir(), 'groundswell-empty-'))
  baseline = await baselineFolder()
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  database = await testDatabase({ migrations: empty })
  admin = await openConnection(database.ownerUrl, { types: valueTypes })
  const { rows } = await admin.query<{ name: string }>('select current_database() as name')
  await admin.query(`
    drop table migration, function_file;
    drop schema queue cascade;
    create role ${OWNER} nologin;
    grant groundswell_app to ${OWNER};
    alter database ${rows[0]?.name} owner to ${OWNER};
    grant all on schema public to ${OWNER} with grant option`)
  const databaseUrl = asOwner(database.ownerUrl)
  await migrate(databaseUrl, baseline)
  const key = await fill()
  const config = { ...database.config, databaseUrl, key, host: '127.0.0.1', allowPrivateAddresses: ['127.0.0.1'] }
  booted = await boot(config)
  api = await startApi(booted.services)
  await startWorker(booted.services)
})

afterAll(async () => {
  await api?.close()
  await booted?.stop({ graceSeconds: 1 })
  receiver.close()
  await admin?.end()
  await database?.cleanup()
  const last = new pg.Client({ connectionString: withDatabase(database.ownerUrl, 'postgres') })
  await last.connect()
  await last.query(`drop role if exists ${OWNER}`)
  await last.end()
  for (const folder of [empty, baseline]) await rm(folder, { recursive: true })
})

function asOwner(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c role=${OWNER}`)}`
}

/** Writes the rows unchanged, and the list of migrations of that version. Returns the key that secrets are sealed with. */
async function fill(): Promise<string> {
  const [header, ...lines] = await candidateBackup()
  for (const line of lines) {
    const [table, rows] = Object.entries(JSON.parse(line) as Record<string, unknown>)[0] ?? []
    if (!Array.isArray(rows)) continue
    await admin.query(
      `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    )
  }
  for (const table of ['feedback_item', 'audit_event'])
    await admin.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  const { port } = receiver.address() as AddressInfo
  await admin.query(`update connection set settings = $1 where connector = 'webhook'`, [
    { webhook: `http://127.0.0.1:${port}/` },
  ])
  await listMigrations(admin, await listBeforeBaseline())
  return (JSON.parse(header ?? '{}') as { key: string }).key
}

async function ask(method: string, where: string, more: { as?: string; body?: unknown; type?: string } = {}) {
  const { as = token, body, type = 'application/json' } = more
  const answer = await fetch(`${api.url}${where}`, {
    method,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

const insights = async () => {
  const { body } = await ask('GET', '/api/insights/get-all')
  return (body as { issue_number: number; issue_name: string; status: string; mention_count: number }[])
    .sort((one, other) => one.issue_number - other.issue_number)
    .map((one) => [one.issue_number, one.issue_name, one.status, one.mention_count])
}

describe('a database of the last version before the baseline, after the current server has started on it', () => {
  it('counts as at the baseline, with the date of its installation', async () => {
    const { rows } = await admin.query('select name, applied_at as at from migration order by version limit 1')
    expect(rows).toEqual([{ name: '0117-baseline.sql', at: new Date('2026-11-01T12:00:01Z') }])
  })

  it('keeps the account, which signs in with its password', async () => {
    expect((await ask('GET', '/api/health')).body).toMatchObject({ ready: true })
    const wrong = await ask('POST', '/api/auth/login', { body: { ...PERSON, password: 'seven large lanterns' } })
    expect(wrong.status).not.toBe(200)
    token = LoginReply.parse((await ask('POST', '/api/auth/login', { body: PERSON })).body).token
    expect((await ask('GET', '/api/user/user-data')).body).toMatchObject({
      name: 'Mara',
      email: PERSON.email,
      is_admin: true,
      settings: { min_inputs: 3, categories: [{ name: 'Area' }] },
      destination_webhook: true,
    })
    const { rows } = await admin.query(
      `select updated_at = created_at as "untouched", email_confirmed_at from account where email = $1`,
      [PERSON.email],
    )
    expect(rows).toEqual([{ untouched: true, email_confirmed_at: null }])
  })

  it('lists its insights with their words, and shows when each was created', async () => {
    expect(await insights()).toEqual([
      [1, 'CSV export stops after ten thousand rows', 'pushed', 4],
      [2, 'Password mail never arrives in the inbox', 'pushed', 3],
    ])
    const evidence = await ask('GET', '/api/insights/2/evidence')
    expect(JSON.stringify(evidence.body)).toContain('Password mail never arrives in our inbox')
    const { rows } = await admin.query(
      `select issue_number as number, created_at = (select min(decided_at) from statement s
         where s.workspace_id = i.workspace_id and s.issue_number = i.issue_number) as "asDecided"
       from insight i order by 1`,
    )
    expect(rows).toEqual([1, 2, 3].map((number) => ({ number, asDecided: true })))
    const deliveries = await ask('GET', '/api/deliveries')
    expect(JSON.stringify(deliveries.body).match(/"state":"delivered"/g)).toHaveLength(2)
    expect(received).toEqual([])
  })

  it('has sealed the URL of its webhook, and shows it to its user as before', async () => {
    const { rows } = await admin.query(`select settings from connection where connector = 'webhook'`)
    expect(rows).toEqual([{ settings: {} }])
    const { port } = receiver.address() as AddressInfo
    expect((await ask('GET', '/api/user/user-data')).body).toMatchObject({
      webhook_destination: { url: `http://127.0.0.1:${port}/` },
    })
  })

  it('resumes grouping, and pushes with the secrets that were sealed before', async () => {
    const said = [
      'Espresso timer forgets its settings',
      'The espresso timer forgets its settings',
      'Our espresso timer forgets its settings',
    ]
    const csv = ['text', 'The CSV export stops after ten thousand rows today', ...said].join('\n')
    expect((await ask('POST', '/api/imports?name=more.csv', { body: csv, type: 'text/csv' })).status).toBe(200)
    await expect.poll(insights).toEqual([
      [1, 'The CSV export stops after ten thousand rows', 'pushed', 5],
      [2, 'Password mail never arrives in our inbox', 'pushed', 3],
      [4, expect.stringContaining('spresso timer forgets its settings'), 'pushed', 3],
    ])
    const made = () => received.filter(({ body }) => body.type === 'insight.created')
    await expect.poll(() => made().map(({ body }) => body.data.insight.issue_number)).toEqual([4])
    expect(made()[0]?.headers.authorization).toBe('Bearer quiet-harbour')
  })
})
