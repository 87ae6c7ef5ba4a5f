import type { Config } from '../../platform/config/config.ts'
import { openClient } from '../../platform/db/guarded-client.ts'
import { ORDINARY } from '../../platform/db/limits.ts'

/**
 * Stores the retention period of the audit log (AUDIT_DAYS) in the database. Only the owner of the tables can: the app's own role can
 * neither shorten the period nor remove an entry within it.
 */
export async function keepRetention(ownerUrl: string, { auditDays }: Pick<Config, 'auditDays'>): Promise<void> {
  const client = await openClient(ownerUrl, 'groundswell audit retention', ORDINARY)
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
