import { z } from 'zod'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { noticeChannelAlerts } from './alerts.ts'
import { sendDuePosts, sendPostsOf } from './send.ts'

const sweepJob = defineJob({ name: 'post-sweep', schema: z.object({}), serial: true })

/** Posts the due messages of a workspace, so that replies need not wait for the next minute. */
export const postJob = defineJob({ name: 'post', schema: z.object({ workspaceId: z.uuid() }), serial: true })

/** Every minute, alerts for channels are noticed, and messages that are due are posted. */
export function postJobs(services: Services): JobWorker[] {
  return [
    periodicWorker(sweepJob, '* * * * *', async () => {
      await noticeChannelAlerts(services)
      await sendDuePosts(services)
    }),
    jobWorker(postJob, ({ workspaceId }) => sendPostsOf(services, workspaceId)),
  ]
}
