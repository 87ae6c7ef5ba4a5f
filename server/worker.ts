import type { Services } from './platform/services.ts'
import { jobs } from './wiring.ts'

/** Starts all background work in this process. It stops with the services' queue. */
export async function startWorker(services: Services): Promise<void> {
  for (const worker of jobs(services)) await services.queue.work(worker)
}
