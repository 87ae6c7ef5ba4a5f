import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readConstraints } from '../corrections/store.ts'
import { readAppliedAdvice } from './advice-store.ts'
import { type GroupingClient, OutdatedState } from './client.ts'
import { dropSnapshot, readReplay, readSnapshot } from './state-store.ts'
import type { StateOptions } from './vector-source.ts'

const REPLAY_ITEMS = 2_000

/**
 * Loads the state of a workspace into the grouping thread: the snapshot, then what was decided after it. Without a usable
 * snapshot the state is rebuilt from people's constraints and all stored decisions.
 */
export async function openState(
  services: Services,
  client: GroupingClient,
  workspaceId: string,
  { space, vectors, fresh = false }: StateOptions,
): Promise<void> {
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const { version, removed, lastIssue, ...stored } = await inside((tx) => readSnapshot(tx, workspaceId))
  let { groupedSeq, state } = fresh ? { groupedSeq: 0, state: null } : stored
  try {
    await client.open(workspaceId, state, space)
  } catch (error) {
    if (!(error instanceof OutdatedState)) throw error
    services.log.info({ workspace: workspaceId }, 'the groups are rebuilt for this version of the engine')
    await inside((tx) => dropSnapshot(tx, workspaceId))
    groupedSeq = 0
    state = null
    await client.open(workspaceId, null, space)
  }
  const constraints = state ? null : await inside((tx) => readConstraints(tx, workspaceId))
  if (constraints) {
    const { rules, merges } = constraints
    const advice = await inside((tx) => readAppliedAdvice(tx, workspaceId))
    await client.loadConstraints({
      op: 'loadConstraints',
      workspaceId,
      constraints: { rules, merges, advice, lastIssue },
    })
  }
  for (let after: number | null = groupedSeq; after !== null; ) {
    const from: number = after
    const page = await inside(async (tx) => {
      const read = await readReplay(tx, workspaceId, from, REPLAY_ITEMS)
      if (!space || !vectors) return read
      const found = await vectors.stored(tx, workspaceId, space, read.statements)
      for (const one of read.statements) one.vector = found.get(`${one.itemId}:${one.number}`)
      return read
    })
    if (page.statements.length > 0) await client.replay({ op: 'replay', workspaceId, statements: page.statements })
    after = page.lastSeq
  }
  await client.ready({
    op: 'ready',
    workspaceId,
    version,
    removed: state ? [] : removed,
    locked: constraints?.locked ?? [],
  })
}
