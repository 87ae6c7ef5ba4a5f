import type { Item } from '@groundswell/engine/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { forEngine } from './corrections/plan.ts'
import { beginCorrection, type CorrectionWork, endCorrection, readCorrectionWork } from './corrections/work.ts'
import type { GroupingClient } from './grouping-client.ts'
import type { StepResult } from './grouping-protocol.ts'
import * as store from './grouping-store.ts'
import { clientOf, inLine, openGroups, type VectorSource } from './open-groups.ts'
import { raiseRevision } from './revision.ts'
import { tagInsights } from './tag-jobs.ts'

export type InsightHooks = {
  /** Called in the transaction that changed these issues, with their numbers. */
  changed(tx: Tx, workspaceId: string, issueNumbers: number[]): Promise<void>
  /** Not given: statements are compared by their words, and states are left as they are. */
  vectors?: VectorSource
}

export type GroupingOptions = {
  signal?: AbortSignal
  /** Revise also when the last revision was not long ago. */
  settle?: boolean
}

/** `finished`: nothing waits any more. `settlesIn`: a run with `settle` so many seconds later will find more to do. */
export type GroupingOutcome = { grouped: number; finished: boolean; settlesIn: number | null }

type Waiting = {
  head: number
  /** whose vectors the groups are made with; '': words alone; null: nobody here knows */
  space: string | null
  items: store.WaitingItem[]
  forgotten: store.ForgottenItem[]
  marks: { issueNumber: number; deleted: boolean }[]
  /** carried out alone, before anything else */
  correction: CorrectionWork | null
}

/** Another process changed the groups, or an item changed, between reading and storing. */
class Overtaken extends Error {
  override name = 'Overtaken'
}

const FIRST_STEP = 500
const LARGEST_STEP = 4_000
/** Being overtaken so often in a row means that two processes work on one workspace: the later one gives way. */
const PATIENCE = 5

/** Groups all that waits in one workspace, now, and returns how many items that were. */
export async function groupNow(services: Services, workspaceId: string, hooks?: InsightHooks): Promise<number> {
  const { grouped } = await groupWorkspace(services, workspaceId, hooks, { settle: true })
  return grouped
}

/**
 * Groups what waits in one workspace, step by step, each in one transaction. Safe to be killed at any moment and to run
 * in two processes at once: a step counts only if the groups are as they were when it began.
 */
export async function groupWorkspace(
  services: Services,
  workspaceId: string,
  hooks?: InsightHooks,
  options: GroupingOptions = {},
): Promise<GroupingOutcome> {
  return inLine(services, workspaceId, () => runSteps(services, workspaceId, hooks, options))
}

async function runSteps(
  services: Services,
  workspaceId: string,
  hooks: InsightHooks | undefined,
  options: GroupingOptions,
): Promise<GroupingOutcome> {
  const client = clientOf(services)
  let grouped = 0
  let limit = FIRST_STEP
  let settle = options.settle ?? false
  let settlesIn: number | null = null
  let overtaken = 0
  while (!options.signal?.aborted) {
    const waiting = await inWorkspace(services.db, workspaceId, (tx) => readWork(tx, workspaceId, limit, hooks))
    if (!settle && isNothing(waiting)) return { grouped, finished: true, settlesIn }
    try {
      const vectors = await freshVectors(client, workspaceId, waiting, hooks, options.signal)
      const idle = waiting.items.length < limit
      const result = await takeStep(client, workspaceId, waiting, { idle, settle, vectors })
      if (!result) {
        await openGroups(services, client, workspaceId, { space: waiting.space, vectors: hooks?.vectors })
        if (++overtaken > PATIENCE) throw new Overtaken('the groups of this workspace keep changing')
        continue
      }
      if (result.head !== waiting.head) {
        await inWorkspace(services.db, workspaceId, (tx) =>
          storeStep(tx, services, workspaceId, waiting, result, hooks),
        )
      }
      overtaken = 0
      grouped += waiting.items.length
      settlesIn = result.settlesIn
      if (waiting.correction) continue
      if (waiting.items.length < limit) settle = false
      // With a model in it, a step is as long as the model takes.
      if (!waiting.space) limit = Math.min(LARGEST_STEP, limit * 2)
    } catch (error) {
      await client.drop(workspaceId).catch(() => undefined)
      if (!(error instanceof Overtaken) || ++overtaken > PATIENCE) throw error
    }
  }
  return { grouped, finished: false, settlesIn }
}

async function readWork(tx: Tx, workspaceId: string, limit: number, hooks: InsightHooks | undefined): Promise<Waiting> {
  const head = await store.readHead(tx, workspaceId)
  const space = hooks?.vectors ? await hooks.vectors.space(tx, workspaceId) : null
  const correction = await readCorrectionWork(tx, workspaceId)
  if (correction) return { head, space, items: [], forgotten: [], marks: [], correction }
  const items = await store.readWaiting(tx, workspaceId, limit)
  const forgotten = await store.readForgotten(tx, workspaceId)
  const marks = await store.readMarks(tx, workspaceId)
  return { head, space, items, forgotten, marks, correction: null }
}

/** The vectors of what is about to be placed, where the workspace groups with a model's. */
async function freshVectors(
  client: GroupingClient,
  workspaceId: string,
  { space, items }: Waiting,
  hooks: InsightHooks | undefined,
  stop: AbortSignal | undefined,
): Promise<Map<string, Float32Array> | null> {
  if (!space || !hooks?.vectors || items.length === 0) return null
  const versions = new Map(items.map(({ id, version }) => [String(id), version]))
  const prepared = await client.prepare(workspaceId, items.map(itemOf))
  const wanted = prepared.map(({ itemId, number, text }) => ({
    itemId: Number(itemId),
    number,
    text,
    version: versions.get(itemId) ?? '',
  }))
  return hooks.vectors.fresh(workspaceId, space, wanted, stop)
}

function itemOf({ id, text, author, thread, saidAt }: store.WaitingItem): Item {
  return {
    id: String(id),
    text,
    at: saidAt.getTime(),
    ...(author === null ? {} : { author }),
    ...(thread === null ? {} : { thread }),
  }
}

function isNothing({ items, forgotten, marks, correction }: Waiting): boolean {
  return correction === null && items.length === 0 && forgotten.length === 0 && marks.length === 0
}

function takeStep(
  client: GroupingClient,
  workspaceId: string,
  { head, items, forgotten, marks, correction }: Waiting,
  { idle, settle, vectors }: { idle: boolean; settle: boolean; vectors: Map<string, Float32Array> | null },
): Promise<StepResult | null> {
  const ids = (itemId: number, numbers: readonly number[]) => numbers.map((number) => `${itemId}:${number}`)
  return client.step(workspaceId, {
    head,
    items: items.map(itemOf),
    forget: [
      ...forgotten.flatMap(({ itemId, numbers }) => ids(itemId, numbers)),
      ...items.flatMap(({ id, numbers }) => ids(id, numbers ?? [])),
    ],
    remove: marks.filter((mark) => mark.deleted).map((mark) => mark.issueNumber),
    restore: marks.filter((mark) => !mark.deleted).map((mark) => mark.issueNumber),
    correction: correction && forEngine(correction.plan),
    idle,
    settle,
    vectors,
  })
}

async function storeStep(
  tx: Tx,
  services: Services,
  workspaceId: string,
  waiting: Waiting,
  result: StepResult,
  hooks: InsightHooks | undefined,
): Promise<void> {
  if ((await store.lockHead(tx, workspaceId)) !== waiting.head) throw new Overtaken('the groups changed meanwhile')
  if (!(await store.placeItems(tx, workspaceId, waiting.head, waiting.items))) {
    throw new Overtaken('an item changed meanwhile')
  }
  const { correction } = waiting
  const found = correction && (await beginCorrection(tx, workspaceId, correction))
  const edited = waiting.items.filter((item) => item.numbers !== null).map((item) => item.id)
  const deleted = waiting.forgotten.map((item) => item.itemId)
  const all = { ...result, touched: withForgotten(result.touched, waiting) }
  await storeResult(tx, services, workspaceId, all, hooks, {
    before: () => store.clearForgotten(tx, workspaceId, edited, deleted),
    marks: waiting.marks,
    async after() {
      if (correction && found && !(await endCorrection(tx, workspaceId, correction, found, services.now()))) {
        throw new Overtaken('the correction was taken back meanwhile')
      }
    },
  })
}

/**
 * Stores what the engine did, under the lock of the head, and tells others. `before` runs once the revision is raised, `after`
 * when the insights are counted; `marks` are the deletions that the engine knows of now.
 */
export async function storeResult(
  tx: Tx,
  services: Services,
  workspaceId: string,
  result: StepResult,
  hooks: InsightHooks | undefined,
  more: { before?(): Promise<void>; after?(): Promise<void>; marks?: Waiting['marks'] } = {},
): Promise<void> {
  const now = services.now()
  const { touched } = result
  const revision = touched.length > 0 ? await raiseRevision(tx, workspaceId) : 0
  await more.before?.()
  await store.storeDescriptions(tx, workspaceId, result.descriptions, now)
  await store.storeStatements(tx, workspaceId, result.statements, now)
  await store.storeMoves(tx, workspaceId, result.moves, now)
  await store.storeEnds(tx, workspaceId, result.events, now)
  await store.confirmMarks(tx, workspaceId, more.marks ?? [])
  await store.recount(tx, workspaceId, touched, revision, now)
  await more.after?.()
  await store.storeHead(tx, workspaceId, result.head, result.snapshot, now)
  if (touched.length === 0) return
  const numbers = touched.map((one) => one.issueId)
  // Before the hook: a push says the tags.
  await tagInsights(services)(tx, workspaceId, numbers)
  await hooks?.changed(tx, workspaceId, numbers)
}

/** The issues that deleted and edited items were mentions of are counted anew too. */
function withForgotten(touched: StepResult['touched'], { forgotten, items }: Waiting): StepResult['touched'] {
  const known = new Set(touched.map((one) => one.issueId))
  const before = [...forgotten.map((item) => item.issueNumbers), ...items.map((item) => item.issueNumbers ?? [])].flat()
  const more = new Set(before.filter((number) => !known.has(number)))
  return [...touched, ...[...more].map((issueId) => ({ issueId, gained: 0 }))]
}
