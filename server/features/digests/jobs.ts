import { z } from 'zod'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { defineJob, type JobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { noticeAlerts } from './alerts.ts'
import { sendDueMails } from './send.ts'

const sweepJob = defineJob({ name: 'digest-sweep', schema: z.object({}), serial: true })

/** Every minute, alerts are noticed, and mails that are due are sent. */
export function digestJobs(services: Services): JobWorker[] {
  return [
    periodicWorker(sweepJob, '* * * * *', async () => {
      await noticeAlerts(services)
      await sendDueMails(services)
    }),
  ]
}
