import { z } from 'zod'
import { inWorkspace, type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { readWorkspaceIds } from '../grouping/work-store.ts'
import { needsTags, tagChanged, tagWorkspace } from './run.ts'
import { showTagsAnew } from './store.ts'

const tagJob = defineJob({ name: 'tag-insights', schema: z.object({ workspaceId: z.uuid() }), serial: true })
const sweepJob = defineJob({ name: 'tag-sweep', schema: z.object({}), tries: 5 })

/** A run gives way after so long, so that its claim is never given to another worker while it works. */
const RUN_MS = 10 * 60_000

/** Lets every list show the tags anew, and asks for all insights to be read by them: the settings have other tags than before. */
export function retag(services: Services): (tx: Tx, workspaceId: string) => Promise<void> {
  return async (tx, workspaceId) => {
    await showTagsAnew(tx, workspaceId)
    await send(services, tx, workspaceId)
  }
}

/** Tags what a grouping changed, as part of it; what is too much for that is left to a job. */
export function tagInsights(services: Services): (tx: Tx, workspaceId: string, numbers: number[]) => Promise<void> {
  return async (tx, workspaceId, numbers) => {
    const { left } = await tagChanged(services, tx, workspaceId, numbers)
    if (left) await send(services, tx, workspaceId)
  }
}

/** Tagging, one run at a time for each workspace, and a sweep for what waits or has to be counted anew. */
export function tagJobs(services: Services): JobWorker[] {
  return [
    jobWorker(tagJob, async ({ workspaceId }, run) => {
      const signal = AbortSignal.any([run.signal, AbortSignal.timeout(RUN_MS)])
      const progress = (told: object) => run.log.info({ workspace: workspaceId, ...told }, 'tags are being set')
      const finished = await tagWorkspace(services, workspaceId, { signal, progress })
      if (!finished) await services.queue.send(tagJob, { workspaceId }, { key: workspaceId })
    }),
    {
      name: sweepJob.name,
      async start(queue) {
        await queue.work(sweepJob, () => sweepTags(services))
        await queue.schedule(sweepJob, '* * * * *', {})
      },
    },
  ]
}

/** Asks for tagging wherever the tables call for it. Every workspace on its own: each may see only its own rows. */
async function sweepTags(services: Services): Promise<void> {
  for (const id of await withoutWorkspace(services.db, readWorkspaceIds)) {
    await inWorkspace(services.db, id, async (tx) => {
      if (await needsTags(services, tx, id)) await send(services, tx, id)
    })
  }
}

async function send(services: Services, tx: Tx, workspaceId: string): Promise<void> {
  await services.queue.send(tagJob, { workspaceId }, { tx, key: workspaceId, once: true })
}
