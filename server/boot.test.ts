import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { boot } from './boot.ts'
import { defineCache } from './platform/caches.ts'
import { testDatabase } from './platform/db/testing.ts'

test('a process that stops disposes its caches while the database is still open', async () => {
  const database = await testDatabase()
  const log: string[] = []
  const { services, stop } = await boot(database.config)
  const counter = defineCache(
    'counter',
    () => 'counted',
    async (value) => {
      await sql`select 1`.execute(services.db.kysely)
      log.push(value)
    },
  )
  services.caches.of(counter)
  await stop({ graceSeconds: 1 })
  expect(log).toEqual(['counted'])
  await database.cleanup()
})
