import type { AskedWith } from '../insights/index.ts'
import { isScanDue, postponeScan, type ScanTask, storeScan } from './scan-store.ts'
import type { Backlog, TaskRun } from './task.ts'

const BUDGET_MINUTES = 60

/** The backlog of a task whose cases are found by scanning a workspace each time its groups have changed. */
export function scanBacklog(task: ScanTask, { isBehind = false }: { isBehind?: boolean } = {}): Backlog<unknown> {
  const postpone = ({ services, workspaceId, askedWith, inside }: TaskRun, minutes?: number) =>
    inside((tx) => postponeScan(tx, workspaceId, task, { madeWith: madeWith(askedWith), now: services.now(), minutes }))
  return {
    isDue: (tx, workspaceId, askedWith, now) =>
      isScanDue(tx, workspaceId, task, { madeWith: madeWith(askedWith), now, isBehind }),
    finish: ({ workspaceId, askedWith, inside }, version) =>
      inside((tx) => storeScan(tx, workspaceId, task, { version, madeWith: madeWith(askedWith) })),
    postpone: async (run, _one, reason) => {
      if (reason === 'budget') await postpone(run, BUDGET_MINUTES)
      // The pause of all calls covers an unavailable model.
      else if (reason !== 'unavailable') await postpone(run)
      return 'stop'
    },
  }
}

/** How a scan names model and prompt, as stored. */
function madeWith({ model, promptVersion }: AskedWith): string {
  return `${model} ${promptVersion}`
}
