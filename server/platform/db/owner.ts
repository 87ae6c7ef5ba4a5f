import type pg from 'pg'
import { openClient } from './guarded-client.ts'
import { ORDINARY } from './limits.ts'

/** Whether a role owns the tables, and its name. */
export type Owner = { owns: boolean; user: string }

/** Whether the user of a connection owns the product's tables, or may make them where there are none yet. */
export async function ownerOf(client: pg.Client): Promise<Owner> {
  const { rows } = await client.query<Owner>(
    `select current_user::text as user, coalesce(
       (select pg_has_role(current_user, relowner, 'usage') from pg_class where oid = to_regclass('public.migration')),
       has_schema_privilege(current_user, 'public', 'create')) as owns`,
  )
  if (!rows[0]) throw new Error('the database returned no current user')
  return rows[0]
}

/** The same for an address. Takes no lock and leaves nothing behind, so it may go through a pooler. */
export async function ownerAt(url: string): Promise<Owner> {
  const client = await openClient(url, 'groundswell', ORDINARY)
  try {
    return await ownerOf(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
