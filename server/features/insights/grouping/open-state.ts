import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readConstraints } from '../corrections/store.ts'
import { type GroupingClient, OutdatedState } from './client.ts'
import { readAppliedAdvice } from './stores/advice-store.ts'
import { addLateItems } from './stores/late-store.ts'
import { readHeldMoves } from './stores/review-move-store.ts'
import { dropSnapshot, readReplay, readSnapshot } from './stores/state-store.ts'
import type { StateOptions } from './vector-source.ts'

const REPLAY_ITEMS = 2_000
const LACKING_ITEMS = 5_000

/**
 * Loads the state of a workspace into the grouping thread: the snapshot, then what was decided after it. Without a usable
 * snapshot the state is rebuilt from people's constraints and all stored decisions. Stored vectors that the state lacks, because the
 * snapshot is older, wait for the next step; a `fresh` state gets all of them at once.
 */
export async function openState(
  services: Services,
  client: GroupingClient,
  workspaceId: string,
  { model, vectors, fresh = false }: StateOptions,
): Promise<void> {
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const { version, removed, lastIssue, lastEmerging, ...stored } = await inside((tx) => readSnapshot(tx, workspaceId))
  let { groupedSeq, state } = fresh ? { groupedSeq: 0, state: null } : stored
  try {
    await client.open(workspaceId, state, model)
  } catch (error) {
    if (!(error instanceof OutdatedState)) throw error
    services.log.info({ workspace: workspaceId }, 'the groups are rebuilt for this version of the engine')
    await inside((tx) => dropSnapshot(tx, workspaceId))
    groupedSeq = 0
    state = null
    await client.open(workspaceId, null, model)
  }
  const constraints = state ? null : await inside((tx) => readConstraints(tx, workspaceId))
  if (constraints) {
    const { rules, merges } = constraints
    const advice = await inside((tx) => readAppliedAdvice(tx, workspaceId))
    const moves = await inside((tx) => readHeldMoves(tx, workspaceId))
    const parted = moves.map(({ statementId, from }) => ({ statementId, issueId: from }))
    const joined = moves.flatMap(({ statementId, to }) => (to > 0 ? [{ statementId, issueId: to }] : []))
    await client.loadConstraints({
      op: 'loadConstraints',
      workspaceId,
      constraints: { rules, merges, advice: [...advice, ...joined], parted, lastIssue, lastEmerging },
    })
  }
  for (let after: number | null = groupedSeq; after !== null; ) {
    const from: number = after
    const page = await inside(async (tx) => {
      const read = await readReplay(tx, workspaceId, from, REPLAY_ITEMS)
      if (!model?.space || !vectors) return read
      const found = await vectors.stored(tx, workspaceId, model.space, read.statements)
      for (const one of read.statements) one.vector = found.get(`${one.itemId}:${one.number}`)
      return read
    })
    if (page.statements.length > 0) await client.replay({ op: 'replay', workspaceId, statements: page.statements })
    after = page.lastSeq
  }
  if (model?.space && vectors && !fresh) {
    const lacking = itemsOf(await client.lacking(workspaceId))
    for (let at = 0; at < lacking.length; at += LACKING_ITEMS) {
      await inside(async (tx) => {
        const some = lacking.slice(at, at + LACKING_ITEMS)
        await addLateItems(tx, workspaceId, await vectors.withVectors(tx, workspaceId, model.space, some))
      })
    }
  }
  await client.ready({
    op: 'ready',
    workspaceId,
    version,
    removed: state ? [] : removed,
    locked: constraints?.locked ?? [],
  })
}

/** The messages of these statements. */
function itemsOf(statementIds: readonly string[]): number[] {
  return [...new Set(statementIds.map((id) => Number(id.slice(0, id.indexOf(':')))))]
}
