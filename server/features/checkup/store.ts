import type pg from 'pg'

type RoleFacts = { name: string; superuser: boolean; bypasses: boolean; owns: number }

/** The server's version as a number (180004 is 18.4) and as text. */
export async function serverVersion(client: pg.Client): Promise<{ number: number; text: string }> {
  const found = await client.query<{ number: string; text: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
  )
  const row = found.rows[0]
  return { number: Number(row?.number ?? 0), text: row?.text ?? 'unknown' }
}

/** What the role that the app works as can do beyond its grants. */
export async function roleFacts(client: pg.Client): Promise<RoleFacts> {
  const found = await client.query<RoleFacts>(
    `select current_user::text as name, rolsuper as superuser, rolbypassrls as bypasses,
            (select count(*)::int from pg_class where relowner = pg_roles.oid and relnamespace = 'public'::regnamespace) as owns
       from pg_roles where rolname = current_user`,
  )
  const [row] = found.rows
  if (!row) throw new Error('the database does not know the current role')
  return row
}

/** Tables whose rows are not isolated by workspace although they have one. */
export async function tablesWithoutIsolation(client: pg.Client): Promise<string[]> {
  const found = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'session'
        and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`,
  )
  return found.rows.map((row) => row.name)
}
