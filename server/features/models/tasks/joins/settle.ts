import type { JudgeOutcome } from '@groundswell/engine/index.ts'
import { holdGroups, requestGrouping, storeDecisions } from '../../../insights/index.ts'
import type { TaskRun } from '../../task.ts'
import { readNamed } from './judge-case.ts'

/** Stores what follows from all answers, and requests the grouping that carries it out. Returns the number of messages that it concerns. */
export async function settle(
  { services, workspaceId, askedWith, inside }: TaskRun,
  { joins, groups }: JudgeOutcome,
): Promise<number> {
  if (joins.length + groups.length === 0) return 0
  return inside(async (tx) => {
    await holdGroups(tx, workspaceId)
    const ids = [...joins.map(({ statementId }) => statementId), ...groups.flatMap(({ statementIds }) => statementIds)]
    const found = await readNamed(tx, workspaceId, ids)
    const named = new Map([...found].map(([id, { statement }]) => [id, statement]))
    const by = { ...askedWith, now: services.now() }
    const stored = await storeDecisions(tx, workspaceId, { joins, groups }, named, by)
    if (stored > 0) await requestGrouping(services)(tx, workspaceId)
    return stored
  })
}
