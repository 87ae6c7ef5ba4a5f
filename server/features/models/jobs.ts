import { z } from 'zod'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'

const describeJob = defineJob({
  name: 'describe-insights',
  schema: z.object({ workspaceId: z.uuid() }),
  serial: true,
  tries: 4,
  pauses: [5, 20, 60],
})
const joinsJob = defineJob({
  name: 'judge-joins',
  schema: z.object({ workspaceId: z.uuid() }),
  serial: true,
  tries: 4,
  pauses: [5, 20, 60],
})
const splitsJob = defineJob({
  name: 'split-messages',
  schema: z.object({ workspaceId: z.uuid() }),
  serial: true,
  tries: 4,
  pauses: [5, 20, 60],
})
const sweepJob = defineJob({ name: 'describe-sweep', schema: z.object({}), tries: 5 })

/**
 * Has the language model describe insights, found by a look around each minute. Where none is set up nothing of this runs
 * or is loaded, and the look that an earlier start may have arranged is called off.
 */
export function modelJobs(services: Services): JobWorker[] {
  const settings = services.config.llm
  if (!settings) return [{ name: sweepJob.name, start: (queue) => queue.unschedule(sweepJob) }]
  const send = async (workspaceId: string, job = describeJob) => {
    await services.queue.send(job, { workspaceId }, { key: workspaceId, once: true })
  }
  return [
    jobWorker(
      describeJob,
      async ({ workspaceId }, run) => {
        const { describeWorkspace } = await import('./describe-workspace.ts')
        const { signal, lastAttempt } = run
        const { asked, more } = await describeWorkspace(services, settings, workspaceId, { signal, lastAttempt })
        run.log.debug({ workspace: workspaceId, asked }, 'asked the language model')
        if (more) await send(workspaceId)
      },
      { concurrency: 2 },
    ),
    jobWorker(
      joinsJob,
      async ({ workspaceId }, run) => {
        const { judgeJoins } = await import('./joins/judge-joins.ts')
        const { signal, lastAttempt } = run
        const { asked, more } = await judgeJoins(services, settings, workspaceId, { signal, lastAttempt })
        run.log.debug({ workspace: workspaceId, asked }, 'asked the language model about undecided messages')
        if (more) await send(workspaceId, joinsJob)
      },
      { concurrency: 1 },
    ),
    jobWorker(
      splitsJob,
      async ({ workspaceId }, run) => {
        const { splitMessages } = await import('./splits/split-messages.ts')
        const { signal, lastAttempt } = run
        const { asked, more } = await splitMessages(services, settings, workspaceId, { signal, lastAttempt })
        run.log.debug({ workspace: workspaceId, asked }, 'asked the language model about long messages')
        if (more) await send(workspaceId, splitsJob)
      },
      { concurrency: 1 },
    ),
    {
      name: sweepJob.name,
      async start(queue) {
        await queue.work(sweepJob, async () => {
          const { sweepDue } = await import('./sweep.ts')
          await sweepDue(services, settings, {
            names: send,
            joins: (workspaceId) => send(workspaceId, joinsJob),
            splits: (workspaceId) => send(workspaceId, splitsJob),
          })
        })
        await queue.schedule(sweepJob, '* * * * *', {})
      },
    },
  ]
}
