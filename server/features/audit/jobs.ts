import { z } from 'zod'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { defineJob, type JobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { forgetEvents } from './store.ts'

const forgetJob = defineJob({ name: 'audit-forget', schema: z.object({}), serial: true, tries: 5 })
const DAY_MS = 24 * 3_600_000

/** Each night, entries older than the retention period are deleted. */
export function auditJobs(services: Services): JobWorker[] {
  return [periodicWorker(forgetJob, '17 3 * * *', () => forgetOld(services))]
}

/** Deletes entries older than the retention period and returns how many. */
export function forgetOld(services: Pick<Services, 'db' | 'now' | 'config'>): Promise<number> {
  const before = new Date(services.now().getTime() - services.config.auditDays * DAY_MS)
  return withoutWorkspace(services.db, (tx) => forgetEvents(tx, before))
}
