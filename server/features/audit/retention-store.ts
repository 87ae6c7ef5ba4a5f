import pg from 'pg'
import type { Config } from '../../platform/config/config.ts'

/**
 * Tells the database how long the audit log is kept (AUDIT_DAYS). Only the owner of the tables can: the app's own role can
 * neither shorten the period nor remove an entry within it.
 */
export async function keepRetention(ownerUrl: string, { auditDays }: Pick<Config, 'auditDays'>): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'groundswell audit retention' })
  await client.connect()
  try {
    await client.query(
      `insert into audit_retention (days) values ($1)
       on conflict (only_one) do update set days = excluded.days where audit_retention.days <> excluded.days`,
      [auditDays],
    )
  } finally {
    await client.end()
  }
}
