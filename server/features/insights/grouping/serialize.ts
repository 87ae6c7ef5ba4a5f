import { defineCache } from '../../../platform/caches.ts'
import type { Services } from '../../../platform/services.ts'

/** The last queued work, by workspace. */
const running = defineCache('grouping queues', () => new Map<string, Promise<unknown>>())

/** Runs work of one workspace one after the other, within this process. Work of different workspaces runs at the same time. */
export async function serializePerWorkspace<T>(
  services: Pick<Services, 'caches'>,
  workspaceId: string,
  work: () => Promise<T>,
): Promise<T> {
  const queues = services.caches.of(running)
  const previous = queues.get(workspaceId) ?? Promise.resolve()
  const run = previous.then(work)
  const settled = run.catch(() => undefined)
  queues.set(workspaceId, settled)
  try {
    return await run
  } finally {
    if (queues.get(workspaceId) === settled) queues.delete(workspaceId)
  }
}
