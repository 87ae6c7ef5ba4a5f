import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Log } from '../../platform/log/log.ts'
import { readFailure } from '../../platform/queue/failure.ts'
import type { Services } from '../../platform/services.ts'
import { type Connection, signOut } from '../connections/index.ts'
import { endSync, holdSync, pauseSync } from './sync-state-store.ts'

/** The part of a job's run that is used here. */
export type SyncRun = { lastAttempt: boolean; signal: AbortSignal; log: Log }

const PAUSE_SECONDS = 60

/**
 * Shows a sync's failure on the tile, by its kind, and what comes next: a pause, a retry, or nothing until the owner
 * acts. Returns true when another run has to continue soon; throws where the queue has to retry.
 */
export async function settleFailure(
  services: Services,
  connection: Connection,
  error: unknown,
  run: SyncRun,
  moved: boolean,
): Promise<boolean> {
  const { workspaceId, id } = connection
  const failure = readFailure(error)
  const words = wordsOf(connection, error, failure.message, run.log)
  const now = services.now()
  const inOwn = (work: Parameters<typeof inWorkspace<void>>[2]) => inWorkspace(services.db, workspaceId, work)
  run.log.info({ connection: id, kind: failure.kind, moved }, 'a sync was interrupted')
  switch (failure.kind) {
    case 'rate-limited': {
      const seconds = failure.retryAfter ?? PAUSE_SECONDS
      await inOwn((tx) => pauseSync(tx, workspaceId, id, new Date(now.getTime() + seconds * 1000), now))
      throw Object.assign(new Error(words), { kind: 'rate-limited', retryAfter: seconds })
    }
    case 'auth':
      await inOwn((tx) => signOut(tx, connection, words))
      return false
    case 'rejected':
      await inOwn((tx) => endSync(tx, workspaceId, id, { error: words, at: now }))
      return false
    case 'unavailable':
      if (!moved && run.lastAttempt) {
        const end = `${words}. The next sync resumes where this one stopped.`
        await inOwn((tx) => endSync(tx, workspaceId, id, { error: end, at: now }))
        return false
      }
      await inOwn((tx) => holdSync(tx, workspaceId, id, `${words}. It is retried.`, now))
      if (moved) return true
      throw Object.assign(new Error(words), { kind: 'unavailable', retryAfter: failure.retryAfter })
  }
}

/** The connector's message. Any other error is a bug, whose message may contain anything. */
function wordsOf(connection: Connection, error: unknown, message: string, log: Log): string {
  const { kind } = (error ?? {}) as { kind?: unknown }
  if (typeof kind === 'string') return message.replace(/\.$/, '')
  log.error(
    { connection: connection.id, err: error instanceof Error ? error.name : typeof error },
    'a sync failed with an unexpected error',
  )
  const label = connectorById(connection.connector)?.manifest.label ?? 'The provider'
  return `Data from ${label} could not be stored`
}
