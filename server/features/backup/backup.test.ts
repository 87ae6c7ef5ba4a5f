import path from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openConnection, type TestDatabase, testDatabase } from '../../platform/db/testing.ts'
import { keyFrom } from '../../platform/secrets/seal.ts'
import { BackupError, restoreBackup, writeBackup } from './index.ts'
import { backedUpTables, leftOutTables, productTables } from './store.ts'

const workspaceA = '00000000-0000-4000-8000-00000000000a'
const workspaceB = '00000000-0000-4000-8000-00000000000b'

const migrations = path.join(import.meta.dirname, '../../migrations')
const nothingToKeep = { migrations, keep: async () => undefined, hasKey: () => false }

let from: TestDatabase
let to: TestDatabase

beforeEach(async () => {
  from = await testDatabase()
  to = await testDatabase()
  await ask(from, (client) => fill(client))
})

afterEach(async () => {
  await from.cleanup()
  await to.cleanup()
})

async function ask<T>(database: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openConnection(database.ownerUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function fill(client: pg.Client): Promise<void> {
  for (const [index, id] of [workspaceA, workspaceB].entries()) {
    await client.query(
      `with a as (insert into account (email, name, password_hash) values ($2, 'Ann Ä', 'hash') returning id),
            w as (insert into workspace (workspace_id, name, revision, next_issue_number) values ($1, 'Ann', 7, 3) returning 1)
       insert into member (workspace_id, account_id, role) select $1, id, 'owner' from a`,
      [id, `ann${index}@example.com`],
    )
    await client.query(
      `insert into connection (workspace_id, id, connector, settings, sealed_secrets)
       values ($1, $1, 'webhook', '{}', 's1.sealed')`,
      [id],
    )
    await client.query(
      `insert into sync_state (workspace_id, connection_id, status, cursor, step, moved_at)
       values ($1, $1, 'idle', '{"at": 7}', 3, '2026-01-01T00:00:00.123456Z')`,
      [id],
    )
    await client.query(
      `insert into context_message (workspace_id, connection_id, external_id, thread, text, attachments, said_at)
       values ($1, $1, 'answer', 't', 'Agent "words"', '["log.txt"]', '2026-01-01T00:00:00.123456Z')`,
      [id],
    )
    for (let item = 0; item < 3; item += 1) {
      await client.query(
        `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, grouped_seq)
         values ($1, $1, $2, $3, '2026-01-01T00:00:00.123456Z', $4)`,
        [id, `x${item}`, `Line one\nline "two" \\ 👩‍👩‍👧 ${item}`, item + 1],
      )
    }
    await client.query(
      `insert into insight (workspace_id, issue_number, name, summary, mention_count) values ($1, 1, 'Name', 'Summary', 3)`,
      [id],
    )
    await client.query(
      `insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
       select workspace_id, id, 0, 0, 4, 'joined', 1, 0.123, 'r', said_at from feedback_item where workspace_id = $1`,
      [id],
    )
    await client.query(
      `insert into engine_state (workspace_id, head, grouped_seq, state) values ($1, 1, 3, decode('00ff10', 'hex'))`,
      [id],
    )
  }
}

/** Everything in a database, in one order, for comparing two of them. */
function contents(database: TestDatabase, without: readonly string[] = []): Promise<unknown> {
  return ask(database, async (client) => {
    const tables: Record<string, unknown> = {}
    for (const { table } of backedUpTables) {
      const row = without.reduce((json, column) => `${json} - '${column}'`, 'to_jsonb(r)')
      const found = await client.query(
        `select coalesce(jsonb_agg(${row} order by r::text), '[]') as rows from ${table} r`,
      )
      tables[table] = found.rows[0].rows
    }
    return tables
  })
}

function atMigration(lines: string[], migration: string): string[] {
  return lines.with(0, lines[0]?.replace(/"migration":"[^"]*"/, `"migration":"${migration}"`) ?? '')
}

async function collect(key: Buffer | null, sealedWith?: string): Promise<string[]> {
  const now = new Date('2026-02-03T04:05:06Z')
  return Array.fromAsync(writeBackup(from.ownerUrl, { key, sealedWith, now }))
}

async function* each(lines: string[]): AsyncGenerator<string> {
  for (const line of lines) yield line.trimEnd()
}

test('every table of the product is backed up, or named as left out', async () => {
  const tables = await ask(from, productTables)
  expect([...backedUpTables.map((entry) => entry.table), ...leftOutTables].sort()).toEqual(tables.sort())
})

test('with secrets, everything is restored as it was, and the key is stored', async () => {
  const key = Buffer.alloc(32, 7)
  let kept: Buffer | null = null
  const restored = await restoreBackup(to.ownerUrl, each(await collect(key)), {
    ...nothingToKeep,
    keep: async (bytes) => {
      kept = bytes
    },
  })
  expect(restored.waiting).toBe(0)
  expect(kept).toEqual(key)
  expect(await contents(to)).toEqual(await contents(from))
})

test('without secrets, none is in the file and connections wait to be connected again', async () => {
  const lines = await collect(null)
  expect(lines.join('')).not.toContain('s1.sealed')
  const restored = await restoreBackup(to.ownerUrl, each(lines), nothingToKeep)
  expect(restored.waiting).toBe(2)
  const differing = ['sealed_secrets', 'paused', 'error']
  expect(await contents(to, differing)).toEqual(await contents(from, differing))
  const waiting = await ask(to, (client) => client.query('select paused, error, sealed_secrets from connection'))
  for (const row of waiting.rows) expect(row).toMatchObject({ paused: true, sealed_secrets: null })
})

test('sealed secrets without their key are restored where the key is, and nowhere else', async () => {
  const lines = await collect(null, 'k1')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ key: null, secrets: true, sealed_with: 'k1' })
  const known = await restoreBackup(to.ownerUrl, each(lines), { ...nothingToKeep, hasKey: (id) => id === 'k1' })
  expect(known).toMatchObject({ waiting: 0, secrets: 'restored' })
  expect(await contents(to)).toEqual(await contents(from))

  await ask(to, (client) => client.query('truncate account, workspace cascade'))
  const unknown = await restoreBackup(to.ownerUrl, each(lines), nothingToKeep)
  expect(unknown).toMatchObject({ waiting: 2, secrets: 'sealed with another key' })
  const differing = ['sealed_secrets', 'paused', 'error']
  expect(await contents(to, differing)).toEqual(await contents(from, differing))
  const waiting = await ask(to, (client) => client.query('select paused, sealed_secrets from connection'))
  for (const row of waiting.rows) expect(row).toEqual({ paused: true, sealed_secrets: null })
})

test('a secret sealed with an earlier key is left out where that key is not, and only that one', async () => {
  const key = keyFrom(Buffer.alloc(32, 7))
  const sealedWith = { [workspaceA]: key.id, [workspaceB]: 'earlier1' }
  for (const [id, keyId] of Object.entries(sealedWith)) {
    await ask(from, (client) =>
      client.query('update connection set sealed_secrets = $2 where id = $1', [id, `s2.${keyId}.AAAA`]),
    )
  }
  const found: string[] = []
  const options = { key: key.bytes, now: new Date(), onSecret: (keyId: string) => found.push(keyId) }
  const withKey = await Array.fromAsync(writeBackup(from.ownerUrl, options))
  expect(found.sort()).toEqual([key.id, 'earlier1'].sort())

  const connections = () =>
    ask(to, async (client) => (await client.query('select paused, sealed_secrets from connection order by id')).rows)
  for (const [lines, hasKey] of [
    [withKey, () => false],
    [await collect(null, key.id), (id: string) => id === key.id],
  ] as const) {
    const restored = await restoreBackup(to.ownerUrl, each(lines), { ...nothingToKeep, hasKey })
    expect(restored).toMatchObject({ waiting: 1, secrets: 'partly sealed with another key' })
    expect(await connections()).toEqual([
      { paused: false, sealed_secrets: `s2.${key.id}.AAAA` },
      { paused: true, sealed_secrets: null },
    ])
    await ask(to, (client) => client.query('truncate account, workspace cascade'))
  }

  const restored = await restoreBackup(to.ownerUrl, each(withKey), { ...nothingToKeep, hasKey: () => true })
  expect(restored).toMatchObject({ waiting: 0, secrets: 'restored' })
  expect(await contents(to)).toEqual(await contents(from))
})

test('that there was an admin comes back, also when none is left, and stays where none is in the backup', async () => {
  const hadAdmin = (database: TestDatabase) =>
    ask(database, async (client) => (await client.query('select 1 from first_admin')).rows.length > 0)
  const withoutAdmin = await collect(null)
  await ask(from, (client) => client.query('update account set is_admin = true'))
  await ask(from, (client) => client.query('update account set is_admin = false'))
  await restoreBackup(to.ownerUrl, each(await collect(null)), nothingToKeep)
  expect(await hadAdmin(to)).toBe(true)
  await ask(to, (client) => client.query('truncate account, workspace cascade'))
  await restoreBackup(to.ownerUrl, each(withoutAdmin), nothingToKeep)
  expect(await hadAdmin(to)).toBe(true)
})

test('what is stored after a restore gets numbers of its own', async () => {
  await restoreBackup(to.ownerUrl, each(await collect(null)), nothingToKeep)
  const added = await ask(to, (client) =>
    client.query<{ id: string }>(
      `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
       values ($1, $1, 'new', 'new', now()) returning id`,
      [workspaceA],
    ),
  )
  expect(Number(added.rows[0]?.id)).toBeGreaterThan(6)
})

test.each([
  ['an empty file', () => []],
  ['something else', () => ['hello']],
  ['JSON that is not ours', () => ['{"a":1}']],
  ['a file that is cut off', (lines: string[]) => lines.slice(0, -1)],
  ['a file with a line missing', (lines: string[]) => lines.toSpliced(3, 1)],
  ['a table we do not know', (lines: string[]) => lines.toSpliced(2, 0, '{"pg_authid":[{"rolname":"x"}]}')],
  ['a newer version', (lines: string[]) => atMigration(lines, '9999')],
  ['a version that never was', (lines: string[]) => atMigration(lines, '0')],
  ['another kind of version', (lines: string[]) => atMigration(lines, '0005-models.sql')],
  ['an earlier version than its rows', (lines: string[]) => atMigration(lines, '1')],
])('%s is refused with the reason and changes nothing', async (_name, change) => {
  const before = await contents(to)
  const attempt = restoreBackup(to.ownerUrl, each(change(await collect(null))), nothingToKeep)
  await expect(attempt).rejects.toBeInstanceOf(BackupError)
  expect(await contents(to)).toEqual(before)
})

test('an installation with accounts is not overwritten', async () => {
  const lines = await collect(null)
  await expect(restoreBackup(from.ownerUrl, each(lines), nothingToKeep)).rejects.toThrow('already has accounts')
})

test('of two restores at the same time, one wins, and the other changes nothing and says why', async () => {
  const lines = await collect(Buffer.alloc(32, 1))
  const both = await Promise.allSettled([0, 1].map(() => restoreBackup(to.ownerUrl, each(lines), nothingToKeep)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [lost] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(lost).toBeInstanceOf(BackupError)
  expect(String(lost)).toContain('already has accounts')
  expect(await contents(to)).toEqual(await contents(from))
})

test('an account that is being made when a restore begins is waited for, and the restore changes nothing', async () => {
  const lines = await collect(null)
  let ended = false
  const outcome = await ask(to, async (client) => {
    await client.query('begin')
    await client.query("insert into account (email, name) values ('someone@example.com', 'Someone')")
    const restoring = restoreBackup(to.ownerUrl, each(lines), nothingToKeep)
      .then(
        () => 'restored',
        (error: Error) => error.message,
      )
      .finally(() => {
        ended = true
      })
    await vi.waitUntil(
      async () => {
        const { rowCount } = await client.query(`select from pg_locks l join pg_stat_activity a on a.pid = l.pid
          where not l.granted and a.datname = current_database()`)
        return ended || rowCount !== 0
      },
      { timeout: 30_000 },
    )
    await client.query('commit')
    return restoring
  })
  expect(outcome).toContain('already has accounts')
  expect(await ask(to, async (client) => (await client.query('select email from account')).rows)).toEqual([
    { email: 'someone@example.com' },
  ])
})
