import { TAG_RULES_VERSION } from '@groundswell/engine/index.ts'
import { z } from 'zod'
import type { Tx } from '../../../platform/db/tenant.ts'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { sweepChanges } from '../../../platform/sweep/changes.ts'
import { lookForTagWork, tagChanged, tagWorkspace } from './run.ts'
import { touchTaggedInsights } from './store.ts'

const tagJob = defineJob({ name: 'tag-insights', schema: z.object({ workspaceId: z.uuid() }), serial: true })
const sweepJob = defineJob({ name: 'tag-sweep', schema: z.object({}), serial: true, tries: 5 })

/** A run stops after this time, before its job could be given to another worker. */
const MAX_RUN_MS = 10 * 60_000

/** Updates the tags in every list, and requests tagging of all insights, after the tags in the settings changed. */
export function retag(services: Services): (tx: Tx, workspaceId: string) => Promise<void> {
  return async (tx, workspaceId) => {
    await touchTaggedInsights(tx, workspaceId)
    await send(services, tx, workspaceId)
  }
}

/** Tags the insights that a transaction changed, within it; if they are too many, a job tags the rest. */
export function tagInsights(services: Services): (tx: Tx, workspaceId: string, numbers: number[]) => Promise<void> {
  return async (tx, workspaceId, numbers) => {
    const { left } = await tagChanged(services, tx, workspaceId, numbers)
    if (left) await send(services, tx, workspaceId)
  }
}

/** Tagging, one run at a time per workspace, and a sweep for insights that wait or have to be recounted. */
export function tagJobs(services: Services): JobWorker[] {
  return [
    jobWorker(tagJob, async ({ workspaceId }, run) => {
      const signal = AbortSignal.any([run.signal, AbortSignal.timeout(MAX_RUN_MS)])
      const progress = (counts: object) => run.log.info({ workspace: workspaceId, ...counts }, 'tags are being set')
      const finished = await tagWorkspace(services, workspaceId, { signal, progress })
      if (!finished) await services.queue.send(tagJob, { workspaceId }, { key: workspaceId })
    }),
    periodicWorker(sweepJob, '* * * * *', () => sweepTags(services)),
  ]
}

/** Requests tagging wherever insights wait for it, or have to be recounted. */
export async function sweepTags(services: Services): Promise<void> {
  await sweepChanges(services, { name: 'tags', rules: String(TAG_RULES_VERSION) }, async (tx, workspaceId) => {
    const work = await lookForTagWork(services, tx, workspaceId)
    if (work === 'due') await send(services, tx, workspaceId)
    return work
  })
}

async function send(services: Services, tx: Tx, workspaceId: string): Promise<void> {
  await services.queue.send(tagJob, { workspaceId }, { tx, key: workspaceId, once: true })
}
