import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { valueTypes, withDatabase } from '../platform/db/connection.ts'
import { migrate } from '../platform/db/migrate.ts'
import { testDatabase } from '../platform/db/testing.ts'

const migrations = path.join(import.meta.dirname, '..', 'migrations')

/** A database as it was before a migration. `update`: applies it and all later ones. */
export type EarlierDatabase = { admin: pg.Client; update(): Promise<void>; cleanup(): Promise<void> }

/**
 * Creates a database with the migrations before that one, such as `0093`. Its owner is no superuser, as on a hosted server: row-level security applies
 * to it too. `admin` is one, and may store rows without what they belong to.
 */
export async function databaseBefore(migration: string): Promise<EarlierDatabase> {
  const empty = await mkdtemp(path.join(tmpdir(), 'groundswell-empty-'))
  const before = await mkdtemp(path.join(tmpdir(), `groundswell-before-${migration}-`))
  for (const name of await readdir(migrations)) {
    if (name < migration) await cp(path.join(migrations, name), path.join(before, name))
  }
  const database = await testDatabase({ migrations: empty })
  const admin = new pg.Client({ connectionString: database.ownerUrl, types: valueTypes })
  await admin.connect()
  const owner = `groundswell_before_${migration}_${process.pid}`
  const { rows } = await admin.query<{ name: string }>('select current_database() as name')
  await admin.query(`
    drop table migration;
    create role ${owner} nologin;
    grant groundswell_app to ${owner};
    alter database ${rows[0]?.name} owner to ${owner};
    grant all on schema public to ${owner} with grant option`)
  const options = encodeURIComponent(`-c role=${owner}`)
  const ownerUrl = `${database.ownerUrl}${database.ownerUrl.includes('?') ? '&' : '?'}options=${options}`
  await migrate(ownerUrl, before)
  await admin.query('set session_replication_role = replica')
  return {
    admin,
    async update() {
      await admin.query('set session_replication_role = origin')
      await migrate(ownerUrl, migrations)
    },
    async cleanup() {
      await admin.end()
      await database.cleanup()
      const last = new pg.Client({ connectionString: withDatabase(database.ownerUrl, 'postgres') })
      await last.connect()
      await last.query(`drop role if exists ${owner}`)
      await last.end()
      for (const folder of [empty, before]) await rm(folder, { recursive: true })
    },
  }
}
