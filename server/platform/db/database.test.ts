import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { asAppRole, NumberRangeError, withDatabase, withoutPassword } from './connection.ts'
import { retryable } from './retry.ts'
import { inAccount, inWorkspace, withoutWorkspace } from './tenant.ts'
import { runAsOwner, type TestDatabase, testDatabase } from './testing.ts'

const A = '00000000-0000-4000-8000-00000000000a'
const B = '00000000-0000-4000-8000-00000000000b'

let fixture: TestDatabase

beforeAll(async () => {
  fixture = await testDatabase()
  const owner = fixture.db
  await asOwner(
    `create table thing (workspace_id uuid not null, name text not null);
     grant select, insert, update, delete on thing to groundswell_app;
     alter table thing enable row level security; alter table thing force row level security;
     create policy tenant on thing using (workspace_id = nullif(current_setting('groundswell.workspace', true), '')::uuid);
     create table counter (id int primary key, value int not null);
     grant select, insert, update on counter to groundswell_app;
     insert into counter values (1, 0), (2, 0);`,
  )
  await inWorkspace(owner, A, (tx) => sql`insert into thing values (${A}, 'of a')`.execute(tx))
  await inWorkspace(owner, B, (tx) => sql`insert into thing values (${B}, 'of b')`.execute(tx))
})

afterAll(() => fixture.cleanup())

const asOwner = (text: string) => runAsOwner(fixture.ownerUrl, text)

const names = async (tx: Parameters<Parameters<typeof inWorkspace>[2]>[0]): Promise<string[]> =>
  (await sql<{ name: string }>`select name from thing`.execute(tx)).rows.map((row) => row.name)

describe('a transaction inside another one', () => {
  const nested = 'a transaction was started inside another one: pass the outer `tx` on'

  test('is refused, however deep, as a pool whose connections all wait for a second one never frees any', async () => {
    const deep = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return withoutWorkspace(fixture.db, names)
    }
    await expect(inWorkspace(fixture.db, A, deep)).rejects.toThrow(nested)
    await expect(inAccount(fixture.db, A, deep)).rejects.toThrow(nested)
  })

  test('is one only while the outer one is open', async () => {
    let later: Promise<string[]> | undefined
    let start = () => undefined as void
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    await inWorkspace(fixture.db, A, async () => {
      later = started.then(() => inWorkspace(fixture.db, B, names))
    })
    start()
    expect(await later).toEqual(['of b'])
  })
})

describe('row-level security', () => {
  test('a workspace sees and writes its own rows only', async () => {
    expect(await inWorkspace(fixture.db, A, names)).toEqual(['of a'])
    expect(await inWorkspace(fixture.db, B, names)).toEqual(['of b'])
    await expect(
      inWorkspace(fixture.db, A, (tx) => sql`insert into thing values (${B}, 'smuggled')`.execute(tx)),
    ).rejects.toThrow(/row-level security/)
    const changed = await inWorkspace(fixture.db, A, (tx) =>
      sql`update thing set name = 'taken' where workspace_id = ${B}`.execute(tx),
    )
    expect(changed.numAffectedRows).toBe(0n)
  })

  test('without a workspace nothing of any tenant is seen, on a connection that has served one too', async () => {
    for (let round = 0; round < 8; round += 1) {
      await inWorkspace(fixture.db, A, names)
      expect(await withoutWorkspace(fixture.db, names)).toEqual([])
      expect(await inAccount(fixture.db, A, names)).toEqual([])
    }
    const { rows } = await fixture.db.pool.query('select * from thing')
    expect(rows).toEqual([])
  })

  test('the role owns nothing, bypasses nothing, and cannot switch the rules off', async () => {
    const { rows } = await fixture.db.pool.query(
      `select current_user as name, rolsuper or rolbypassrls as above,
         (select count(*) from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = current_user`,
    )
    expect(rows).toEqual([{ name: 'groundswell_app', above: false, owned: 0 }])
    await expect(fixture.db.pool.query('alter table thing no force row level security')).rejects.toThrow(/owner/)
    const client = await fixture.db.pool.connect()
    await client.query('set row_security = off')
    await expect(client.query('select * from thing')).rejects.toThrow(/row-level security/)
    client.release(true)
    await expect(fixture.db.pool.query('insert into migration values (99, $1, $1)', ['x'])).rejects.toThrow(
      /permission denied/,
    )
  })
})

describe('values', () => {
  test('int8 comes as a number, also in arrays, and is refused where it would lose digits', async () => {
    proves('1.4.2')
    const { rows } = await fixture.db.pool.query("select 9007199254740991::int8 as n, '{1,null}'::int8[] as list")
    expect(rows).toEqual([{ n: Number.MAX_SAFE_INTEGER, list: [1, null] }])
    await expect(fixture.db.pool.query('select 9007199254740992::int8 as n')).rejects.toThrow(NumberRangeError)
    expect((await fixture.db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('timestamptz comes as Date', async () => {
    const { rows } = await fixture.db.pool.query("select '2026-01-02T03:04:05.678Z'::timestamptz as at")
    expect(rows[0].at).toEqual(new Date('2026-01-02T03:04:05.678Z'))
  })
})

describe('retryable', () => {
  test('of two transactions in a deadlock both are done in the end', async () => {
    let meet: () => void = () => undefined
    const both = new Promise<void>((done) => {
      let arrived = 0
      meet = () => {
        arrived += 1
        if (arrived === 2) done()
      }
    })
    let runs = 0
    const raise = (first: number, second: number) =>
      withoutWorkspace(fixture.db, async (tx) => {
        runs += 1
        await sql`update counter set value = value + 1 where id = ${first}`.execute(tx)
        meet()
        await both
        await sql`update counter set value = value + 1 where id = ${second}`.execute(tx)
      })
    await Promise.all([raise(1, 2), raise(2, 1)])
    expect(runs).toBeGreaterThan(2)
    const { rows } = await fixture.db.pool.query('select value from counter order by id')
    expect(rows).toEqual([{ value: 2 }, { value: 2 }])
  })

  test('gives up after six conflicts, and immediately on any other error', async () => {
    let runs = 0
    const failing = (code: string) => () => {
      runs += 1
      return Promise.reject(Object.assign(new Error('no'), { code }))
    }
    await expect(retryable(failing('40001'))).rejects.toThrow('no')
    expect(runs).toBe(6)
    runs = 0
    await expect(retryable(failing('ECONNRESET'))).rejects.toThrow('no')
    expect(runs).toBe(1)
  })
})

describe('addresses', () => {
  test('keep their parts when the database or the role changes', () => {
    expect(withDatabase('postgresql://u:p@h:1/one?host=%2Frun%2Fx', 'two')).toBe(
      'postgresql://u:p@h:1/two?host=%2Frun%2Fx',
    )
    expect(withDatabase('postgres://u@h', 'two')).toBe('postgres://u@h/two')
    expect(new URL(asAppRole('postgres://u@h/one?options=-c%20a%3D1')).searchParams.get('options')).toBe(
      '-c a=1 -c role=groundswell_app',
    )
    expect(asAppRole('postgres://u@h/one')).not.toContain('+')
    expect(withoutPassword('postgres://u:s3cret@h/one?password=again')).toBe('postgres://u@h/one?password=…')
  })
})
