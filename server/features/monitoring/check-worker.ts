import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { Finding } from '../checkup/index.ts'
import { readFigures } from './store.ts'

/** A worker takes these jobs within a second; one that is being restarted within a minute. */
const LATE_SECONDS = 180

/** What `doctor` reports about workers: whether the jobs that are sent each minute are taken. */
export async function checkWorker({ db }: Pick<Services, 'db'>): Promise<Finding[]> {
  const rows = await withoutWorkspace(db, readFigures)
  const waited = rows.find(({ figure }) => figure === 'worker')?.value ?? null
  const advice = 'Start one: npm start, or groundswell worker.'
  if (waited === null) return [{ state: 'notice', what: 'No worker has run yet.', advice }]
  if (waited < LATE_SECONDS) return [{ state: 'ok', what: 'No background job waits for a worker.' }]
  const minutes = Math.round(waited / 60)
  return [{ state: 'problem', what: `No worker is running: background jobs have waited for ${minutes} min.`, advice }]
}
