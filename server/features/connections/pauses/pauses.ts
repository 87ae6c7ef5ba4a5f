import type { Pauses } from '@groundswell/connectors/connector.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readPause, writePause } from './pause-store.ts'

/** The pauses of one connection, in the database: a limit that one process meets holds for all of them, also after a restart. */
export function pausesOfConnection(
  { db, now }: Services,
  { workspaceId, id }: { workspaceId: string; id: string },
): Pauses {
  return {
    async left(scope) {
      const until = await inWorkspace(db, workspaceId, (tx) => readPause(tx, workspaceId, id, scope))
      return until ? Math.max(0, Math.ceil((until.getTime() - now().getTime()) / 1000)) : 0
    },
    async set(scope, seconds) {
      const until = new Date(now().getTime() + seconds * 1000)
      await inWorkspace(db, workspaceId, (tx) => writePause(tx, workspaceId, id, scope, until))
    },
  }
}
