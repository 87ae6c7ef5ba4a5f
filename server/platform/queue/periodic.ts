import type { Job } from './job.ts'
import type { JobWorker } from './queue.ts'
import type { JobRun } from './worker.ts'

/**
 * Runs a job at the times of a cron expression in UTC, one run at a time over all processes. When runs take longer than the time
 * between them, those that wait become one: the last of them does the work.
 */
export function periodicWorker(job: Job<object>, cron: string, work: (run: JobRun) => Promise<unknown>): JobWorker {
  if (!job.serial) throw new TypeError(`${job.name} would run beside itself: declare it as serial`)
  if (job.tries < 2) throw new TypeError(`${job.name} would be a dead letter after each kill: allow more tries`)
  return {
    name: job.name,
    async start(queue) {
      const handler = async (_: object, run: JobRun): Promise<void> => {
        if (!(await queue.isAnotherWaiting(job, run.id))) await work(run)
      }
      // A sweep finds the work of many workspaces, none of which belongs to another's trace.
      await queue.work(job, handler, { isTraced: false })
      await queue.schedule(job, cron, {})
    },
  }
}
