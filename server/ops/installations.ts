import pg from 'pg'
import { migrationsFolder } from '../boot.ts'
import { withDatabase } from '../platform/db/connection.ts'
import { startEmbedded } from '../platform/db/embedded/server.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { migrateQueue } from '../platform/queue/schema.ts'
import type { Report } from './check.ts'

/** A private server for the check, with a migrated template for `emptyInstallation`. Returns the owner's address. */
export async function privateServer(report: Report, dataDir: string): Promise<string> {
  const server = await startEmbedded({ dataDir, log: silentLog() })
  report.onEnd(() => server.stop())
  const template = withDatabase(server.ownerUrl, 'template')
  await asOwner(server.ownerUrl, 'create database template template template0')
  await migrate(template, migrationsFolder)
  await migrateQueue(template)
  return server.ownerUrl
}

/** A new migrated database without an account. */
export async function emptyInstallation(ownerUrl: string, name: string): Promise<string> {
  await asOwner(ownerUrl, `create database ${name} template template`)
  return withDatabase(ownerUrl, name)
}

/** MD5 sums in a word. Texts must not be compressible, but each different word takes time in the search index: few, long ones. */
const WORD_PARTS = 30

/** An account with a workspace and this many messages of that length, which hardly compress. */
export async function fillInstallation(ownerUrl: string, size: { items: number; textBytes: number }): Promise<void> {
  const id = '00000000-0000-4000-8000-00000000000a'
  await asOwner(
    ownerUrl,
    `with a as (insert into account (email, name, password_hash) values ('ann@example.com', 'Ann', 'x') returning id),
          w as (insert into workspace (workspace_id, name) values ('${id}', 'Ann') returning workspace_id)
     insert into member (workspace_id, account_id, role) select workspace_id, id, 'owner' from a, w;
     insert into connection (workspace_id, id, connector) values ('${id}', '${id}', 'file');
     insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
     select '${id}', '${id}', n,
       (select string_agg(md5(n || ' ' || part), case when part % ${WORD_PARTS} = 0 then ' ' else '' end order by part)
         from generate_series(1, ${Math.ceil(size.textBytes / 32)}) part),
       now() - n * interval '1 second' from generate_series(1, ${size.items}) n`,
  )
}

/** A digest of the restored data: the messages in full, and the accounts. */
export async function contentsOf(ownerUrl: string): Promise<string> {
  const [row] = await asOwner<{ contents: string }>(
    ownerUrl,
    `select count(*) || ' ' || sum(hashtextextended(external_id || text || said_at, 0)) || ' ' ||
       (select string_agg(email, ',') from account) as contents from feedback_item`,
  )
  return row?.contents ?? ''
}

/** Runs statements as the owner. */
export async function asOwner<T extends pg.QueryResultRow>(ownerUrl: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}
