import { PgBoss } from 'pg-boss'
import { APP_ROLE } from '../db/connection.ts'
import { needsOwner, withLockedClient } from '../db/migrate.ts'
import { MigrationError } from '../db/migration-error.ts'

/** The database schema of the queue's tables. */
export const QUEUE_SCHEMA = 'queue'

/**
 * Makes or updates the queue's tables as the owner, and lets the app's role read and write rows in them: workers own
 * nothing. We add one index to the library's tables: of a serial job's runs with one key, the database
 * itself lets only one be active, whatever workers there are.
 */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  await withLockedClient(ownerUrl, async (client) => {
    const boss = new PgBoss({
      connectionString: ownerUrl,
      schema: QUEUE_SCHEMA,
      max: 2,
      supervise: false,
      schedule: false,
    })
    const errors: Error[] = []
    boss.on('error', (error) => errors.push(error))
    await boss.start()
    await boss.stop({ graceful: false })
    if (errors[0]) throw errors[0]
    await client.query(`
      create unique index if not exists job_one_active_per_key on ${QUEUE_SCHEMA}.job_common (name, group_id)
        where state = 'active' and group_id is not null;
      create index if not exists job_active on ${QUEUE_SCHEMA}.job_common (heartbeat_on) where state = 'active';
      grant usage on schema ${QUEUE_SCHEMA} to ${APP_ROLE};
      grant select, insert, update, delete on all tables in schema ${QUEUE_SCHEMA} to ${APP_ROLE};
      grant usage on all sequences in schema ${QUEUE_SCHEMA} to ${APP_ROLE};
      grant execute on all functions in schema ${QUEUE_SCHEMA} to ${APP_ROLE};
    `)
  })
}

/** Checks that the owner has created the queue's tables as this version needs them; throws MigrationError otherwise. */
export async function requireQueue(url: string, user: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    max: 1,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  })
  const errors: Error[] = []
  boss.on('error', (error) => errors.push(error))
  try {
    await boss.start()
  } catch (error) {
    if (!/is not installed|requires migrations/.test((error as Error).message)) throw error
    throw new MigrationError(needsOwner(user, 'The queue is not up to date'), { cause: error })
  } finally {
    await boss.stop({ graceful: false })
  }
  if (errors[0]) throw errors[0]
}
