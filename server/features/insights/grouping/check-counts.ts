import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace } from '../../../platform/sweep/every-workspace.ts'
import { hasUncountedTexts } from '../copies/copy-store.ts'
import { raiseRevision } from '../revision.ts'
import {
  type CountDifference,
  markCountsChecked,
  readDifferences,
  readUnchecked,
  repairCounts,
  workspacesToCheckCounts,
} from './stores/count-store.ts'
import { lockVersion } from './stores/state-store.ts'

/** Every count is checked once in this time. */
const CHECK_EVERY_MS = 7 * 24 * 3_600_000
/** Counts that one run checks at most. */
const MAX_COUNTS = 100

/**
 * Compares the counts of the insights that were checked longest ago, a bounded number of them, with their mentions. A difference is
 * corrected and logged: there is none unless somebody changed the database or the program is wrong. Reading holds no lock.
 */
export async function checkCounts(services: Services, signal?: AbortSignal): Promise<void> {
  const before = new Date(services.now().getTime() - CHECK_EVERY_MS)
  const due = (tx: Parameters<typeof workspacesToCheckCounts>[0]) => workspacesToCheckCounts(tx, before, MAX_COUNTS)
  let left = MAX_COUNTS
  await everyWorkspace(services, 'counts', due, async (workspaceId) => {
    const numbers = await inWorkspace(services.db, workspaceId, (tx) => readUnchecked(tx, workspaceId, before, left))
    left -= numbers.length
    for (const issueNumber of numbers) {
      if (signal?.aborted) return
      await checkInsight(services, workspaceId, issueNumber)
    }
  })
}

/** Checks one insight, and returns what differed. */
export async function checkInsight(
  services: Pick<Services, 'db' | 'log' | 'now'>,
  workspaceId: string,
  issueNumber: number,
): Promise<CountDifference[]> {
  const found = await inWorkspace(services.db, workspaceId, (tx) => readDifferences(tx, workspaceId, issueNumber))
  if (found.length > 0) {
    services.log.error({ workspace: workspaceId, issue: issueNumber, found }, 'counts of mentions differed: corrected')
  }
  const now = services.now()
  await inWorkspace(services.db, workspaceId, async (tx) => {
    await lockVersion(tx, workspaceId)
    if (found.length > 0 || (await hasUncountedTexts(tx, workspaceId, issueNumber))) {
      const revision = await raiseRevision(tx, workspaceId)
      await repairCounts(tx, workspaceId, issueNumber, revision)
    }
    await markCountsChecked(tx, workspaceId, issueNumber, now)
  })
  return found
}
