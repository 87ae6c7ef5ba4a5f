import { z } from 'zod'
import { disconnectAll, endings } from '../../features/connections/index.ts'
import { eraseRows, hasMembers, rolesIn } from '../../features/workspaces/index.ts'
import { type AccountTx, inWorkspace } from '../../platform/db/tenant.ts'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { endMembership } from '../team/end-membership.ts'

const eraseJob = defineJob({
  name: 'erase-workspace',
  schema: z.object({ workspaceId: z.uuid(), begunAt: z.iso.datetime() }),
  serial: true,
  tries: 30,
  timeout: 3_600,
})

/** What the call that erases a workspace deletes itself: usually everything. */
const AT_ONCE = 5_000
/** How much one transaction of the job deletes. */
const BATCH = 2_000
const WAIT_SECONDS = 60
/** Afterwards what a provider has not ended is left to it. */
const MAX_WAIT_MS = 24 * 3_600_000

const WORKSPACE = 'workspace'
/** What would let somebody in while the job still has rows to delete. They are few. */
const WAYS_IN = ['shared_link', 'sso_provider']

/**
 * Erases a workspace. Everyone in it leaves, its connections end with the caller's transaction, and so do its rows, unless they are very many, or
 * a provider has still to end a sign-in. A job does the rest, and empties the queue. The transaction must be of that workspace and hold the lock of
 * its members. `except`: a session that is moved elsewhere instead of ended. Returns the accounts that were in it, and the sessions that ended.
 */
export async function beginErasure(
  services: Services,
  tx: AccountTx,
  workspaceId: string,
  at: Date,
  except?: string,
): Promise<{ accounts: string[]; sessions: string[] }> {
  const accounts = (await rolesIn(tx, workspaceId)).map(({ accountId }) => accountId)
  const sessions: string[] = []
  for (const accountId of accounts) sessions.push(...(await endMembership(tx, workspaceId, accountId, at, except)))
  const ending = await disconnectAll(services, tx, workspaceId)
  const keep = ending ? [...endings.tables, WORKSPACE] : []
  await eraseRows(tx, workspaceId, { limit: AT_ONCE, keep, first: WAYS_IN })
  await services.queue.send(eraseJob, { workspaceId, begunAt: at.toISOString() }, { tx, key: workspaceId })
  return { accounts, sessions }
}

/** Continues erasing workspaces that are being erased. */
export function erasureWorker(services: Services): JobWorker {
  return jobWorker(eraseJob, (data, run) => finishErasure(services, data, run))
}

/**
 * Erases what is left of a workspace that has no members. While jobs of the workspace run, or sign-ins have still to be ended at their
 * providers, it is sent again. Throws for a workspace with members.
 */
async function finishErasure(
  services: Services,
  data: { workspaceId: string; begunAt: string },
  run: { id: string; signal: AbortSignal },
): Promise<void> {
  const { workspaceId } = data
  const { queue } = services
  const kept = await inWorkspace(services.db.accounts, workspaceId, (tx) => hasMembers(tx, workspaceId))
  if (kept) throw Object.assign(new Error('the workspace has members'), { kind: 'rejected' })
  const erase = async (keep: readonly string[]) => {
    for (let deleted = BATCH; deleted >= BATCH; ) {
      run.signal.throwIfAborted()
      deleted = await inWorkspace(services.db.accounts, workspaceId, (tx) =>
        eraseRows(tx, workspaceId, { limit: BATCH, keep }),
      )
    }
  }
  await queue.ofWorkspace.discard(workspaceId, { except: [eraseJob, ...endings.jobs] })
  await erase([...endings.tables, WORKSPACE])
  const waited = services.now().getTime() - Date.parse(data.begunAt)
  const ending = waited < MAX_WAIT_MS && (await queue.ofWorkspace.awaits(workspaceId, endings.jobs))
  if (!ending) {
    await queue.ofWorkspace.discard(workspaceId, { except: [eraseJob] })
    await erase([])
  }
  if (!ending && !(await queue.ofWorkspace.isBusy(workspaceId, run.id))) {
    // A job that has ended meanwhile may have stored something.
    await erase([])
    await queue.ofWorkspace.discard(workspaceId)
    return
  }
  await queue.send(eraseJob, data, { key: workspaceId, startAfter: WAIT_SECONDS })
}
