import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { readSayings } from './corrections/store.ts'
import { GroupingClient, OutdatedState } from './grouping-client.ts'
import * as store from './grouping-store.ts'

/** Where vectors of statements come from, for workspaces that group with a model's. Given in at the door, see `embeddings`. */
export type VectorSource = {
  /** The model whose vectors a workspace groups with; empty: none. */
  space(tx: Tx, workspaceId: string): Promise<string>
  /** What is stored of these messages, by statement id. */
  stored(
    tx: Tx,
    workspaceId: string,
    space: string,
    itemIds: readonly number[],
  ): Promise<ReadonlyMap<string, Float32Array>>
  /** For statements about to be placed, within a bounded time; what is missing is compared by its words. Never fails for a model. */
  fresh(
    workspaceId: string,
    space: string,
    statements: readonly { itemId: number; number: number; text: string; version: string }[],
    stop?: AbortSignal,
  ): Promise<Map<string, Float32Array>>
}

/** Which state is opened: of this model's vectors (null: whatever is stored), and as what the thread keeps it. */
export type Opened = { space: string | null; vectors?: VectorSource; as?: string }

const REPLAY_ITEMS = 2_000

const clients = new WeakMap<Services, GroupingClient>()
const running = new WeakMap<Services, Map<string, Promise<unknown>>>()

/** The grouping thread of these services. */
export function clientOf(services: Services): GroupingClient {
  const client = clients.get(services) ?? new GroupingClient()
  clients.set(services, client)
  return client
}

/** Lets go of everything that is remembered about groups, as a stop of the process does. */
export async function forgetGroups(services: Services): Promise<void> {
  await clientOf(services).stop()
}

/** Does one thing after the other to the groups of one workspace, as far as this process goes. */
export async function inLine<T>(services: Services, workspaceId: string, work: () => Promise<T>): Promise<T> {
  const lines = running.get(services) ?? new Map<string, Promise<unknown>>()
  running.set(services, lines)
  const before = lines.get(workspaceId) ?? Promise.resolve()
  const run = before.then(work)
  const settled = run.catch(() => undefined)
  lines.set(workspaceId, settled)
  try {
    return await run
  } finally {
    if (lines.get(workspaceId) === settled) lines.delete(workspaceId)
  }
}

/** Brings the state of a workspace into the thread: the snapshot, then what was decided since. */
export async function openGroups(
  services: Services,
  client: GroupingClient,
  workspaceId: string,
  opened: Opened,
): Promise<void> {
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const { state, ...stored } = await inside((tx) => store.readSnapshot(tx, workspaceId))
  try {
    await client.open({ op: 'open', workspaceId, snapshot: state, space: opened.space })
  } catch (error) {
    if (!(error instanceof OutdatedState)) throw error
    services.log.info({ workspace: workspaceId }, 'the groups are built anew for this version of the engine')
    await inside((tx) => store.dropSnapshot(tx, workspaceId))
    await buildGroups(services, client, workspaceId, opened, stored)
    return
  }
  if (!state) return buildGroups(services, client, workspaceId, opened, stored)
  await replayFrom(services, client, workspaceId, opened, stored.groupedSeq)
  await client.ready({ op: 'ready', workspaceId, head: stored.head, removed: [], locked: [] })
}

/** Builds a state from nothing but what is stored: what people said, then every decision in its order. Returns the head. */
export async function buildGroups(
  services: Services,
  client: GroupingClient,
  workspaceId: string,
  opened: Opened,
  stored: { head: number; removed: number[]; lastIssue: number },
): Promise<void> {
  const { head, removed, lastIssue } = stored
  const key = opened.as ?? workspaceId
  await client.open({ op: 'open', workspaceId: key, snapshot: null, space: opened.space })
  const { rules, merges, locked } = await inWorkspace(services.db, workspaceId, (tx) => readSayings(tx, workspaceId))
  await client.recall({ op: 'recall', workspaceId: key, sayings: { rules, merges, lastIssue } })
  await replayFrom(services, client, workspaceId, opened, 0)
  await client.ready({ op: 'ready', workspaceId: key, head, removed, locked })
}

async function replayFrom(
  services: Services,
  client: GroupingClient,
  workspaceId: string,
  { space, vectors, as = workspaceId }: Opened,
  seq: number,
): Promise<void> {
  for (let after: number | null = seq; after !== null; ) {
    const from: number = after
    const { lastSeq, statements } = await inWorkspace(services.db, workspaceId, async (tx) => {
      const page = await store.readReplay(tx, workspaceId, from, REPLAY_ITEMS)
      if (!space || !vectors) return page
      const items = [...new Set(page.statements.map((one) => Number(one.itemId)))]
      const found = await vectors.stored(tx, workspaceId, space, items)
      return {
        ...page,
        statements: page.statements.map((one) => ({ ...one, vector: found.get(`${one.itemId}:${one.number}`) })),
      }
    })
    if (statements.length > 0) await client.replay({ op: 'replay', workspaceId: as, statements })
    after = lastSeq
  }
}
