import { z } from 'zod'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import type { TaskName } from './tasks/tasks.ts'

const taskJob = (name: string) =>
  defineJob({ name, schema: z.object({ workspaceId: z.uuid() }), serial: true, tries: 4, pauses: [5, 20, 60] })
const jobs = {
  readings: taskJob('read-messages'),
  reviews: taskJob('review-insights'),
  names: taskJob('describe-insights'),
  joins: taskJob('judge-joins'),
  splits: taskJob('split-messages'),
} satisfies Record<TaskName, unknown>
const concurrency: Record<TaskName, number> = { readings: 1, reviews: 1, names: 2, joins: 1, splits: 1 }
const sweepJob = defineJob({ name: 'describe-sweep', schema: z.object({}), serial: true, tries: 5 })

/**
 * Runs the tasks of the language model in workspaces that a sweep finds each minute. Without a model nothing of this runs or
 * is loaded, and a sweep that an earlier start has scheduled is removed.
 */
export function modelJobs(services: Services): JobWorker[] {
  const settings = services.config.llm
  if (!settings) return [{ name: sweepJob.name, start: (queue) => queue.unschedule(sweepJob) }]
  const send = async (task: TaskName, workspaceId: string) => {
    await services.queue.send(jobs[task], { workspaceId }, { key: workspaceId, once: true })
  }
  const worker = (task: TaskName) =>
    jobWorker(
      jobs[task],
      async ({ workspaceId }, { signal, lastAttempt, log }) => {
        const { tasks } = await import('./tasks/tasks.ts')
        const { calls, more } = await tasks[task].run(services, settings, workspaceId, { signal, lastAttempt })
        log.debug({ workspace: workspaceId, task, calls }, 'called the language model')
        if (more) await send(task, workspaceId)
      },
      { concurrency: concurrency[task] },
    )
  return [
    worker('readings'),
    worker('reviews'),
    worker('names'),
    worker('joins'),
    worker('splits'),
    periodicWorker(sweepJob, '* * * * *', async () => {
      const { sweepModels } = await import('./sweep.ts')
      await sweepModels(services, settings, send)
    }),
  ]
}
