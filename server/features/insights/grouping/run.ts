import type { Advice, Undecided } from '@groundswell/engine/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { forEngine } from '../corrections/plan.ts'
import { readSayings } from '../corrections/store.ts'
import { beginCorrection, type CorrectionWork, endCorrection, readCorrectionWork } from '../corrections/work.ts'
import { raiseRevision } from '../revision.ts'
import { tagInsights } from '../tagging/jobs.ts'
import { loosenAdvice, readAdvice, readHeldAdvice, settleAdvice } from './advice-store.ts'
import { GroupingClient, OutdatedState } from './client.ts'
import type { StepResult } from './protocol.ts'
import { settleSplits, spansOf } from './split-store.ts'
import * as store from './store.ts'
import type { StateOptions, VectorSource } from './vector-source.ts'

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

type StepItem = Parameters<GroupingClient['step']>[1]['items'][number]

export type Waiting = {
  head: number
  items: store.WaitingItem[]
  forgotten: store.ForgottenItem[]
  marks: { issueNumber: number; deleted: boolean }[]
  /** carried out alone, before anything else */
  correction: CorrectionWork | null
  advice: Advice[]
}

/** Another process changed the groups, or an item changed, between reading and storing. */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

const FIRST_STEP = 500
const LARGEST_STEP = 4_000
const REPLAY_ITEMS = 2_000
/** Being overtaken so often in a row means that two processes work on one workspace: the later one gives way. */
const PATIENCE = 5

const clients = new WeakMap<Services, GroupingClient>()
const running = new WeakMap<Services, Map<string, Promise<unknown>>>()

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

/**
 * The messages that an insight nearly took, the nearest first, as the groups are at `head`. Left out is what is `asked`:
 * `statementId issueId`.
 */
export async function readUndecided(
  services: Services,
  workspaceId: string,
  limit: number,
  asked: string[],
): Promise<{ head: number; cases: Undecided[] }> {
  const client = clientOf(services)
  return inLine(services, workspaceId, async () => {
    for (let tries = 0; ; tries++) {
      const head = await inWorkspace(services.db, workspaceId, (tx) => store.readHead(tx, workspaceId))
      const cases = await client.undecided({ op: 'undecided', workspaceId, head, limit, asked })
      if (cases) return { head, cases }
      if (tries > PATIENCE) throw new Overtaken('the groups of this workspace keep changing')
      await openState(services, client, workspaceId, { space: null })
    }
  })
}

/** One after the other in each workspace. */
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

/** Lets go of everything that is remembered about groups, as a stop of the process does. */
export async function forgetGroups(services: Services): Promise<void> {
  await clientOf(services).stop()
}

function clientOf(services: Services): GroupingClient {
  const client = clients.get(services) ?? new GroupingClient()
  clients.set(services, client)
  return client
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
    const { waiting, space } = await inWorkspace(services.db, workspaceId, async (tx) => ({
      waiting: await readWork(tx, workspaceId, limit),
      space: hooks?.vectors ? await hooks.vectors.space(tx, workspaceId) : null,
    }))
    if (!settle && isNothing(waiting)) return { grouped, finished: true, settlesIn }
    try {
      if (space && hooks?.vectors && waiting.items.length > 0) {
        await giveVectors(client, workspaceId, waiting.items, { space, vectors: hooks.vectors, stop: options.signal })
      }
      const result = await takeStep(client, workspaceId, waiting, { idle: waiting.items.length < limit, settle })
      if (!result) {
        await openState(services, client, workspaceId, { space, vectors: hooks?.vectors })
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
      if (!space) limit = Math.min(LARGEST_STEP, limit * 2)
    } catch (error) {
      await client.drop(workspaceId).catch(() => undefined)
      if (!(error instanceof Overtaken) || ++overtaken > PATIENCE) throw error
    }
  }
  return { grouped, finished: false, settlesIn }
}

async function readWork(tx: Tx, workspaceId: string, limit: number): Promise<Waiting> {
  const head = await store.readHead(tx, workspaceId)
  const correction = await readCorrectionWork(tx, workspaceId)
  if (correction) return { head, items: [], forgotten: [], marks: [], correction, advice: [] }
  const items = await store.readWaiting(tx, workspaceId, limit)
  const forgotten = await store.readForgotten(tx, workspaceId)
  const marks = await store.readMarks(tx, workspaceId)
  const advice = await readAdvice(tx, workspaceId)
  return { head, items, forgotten, marks, correction: null, advice }
}

function isNothing({ items, forgotten, marks, correction, advice }: Waiting): boolean {
  return correction === null && [items, forgotten, marks, advice].every((one) => one.length === 0)
}

/** Gives the thread the vectors of what the next step places, as far as they are to be had. */
async function giveVectors(
  client: GroupingClient,
  workspaceId: string,
  items: readonly store.WaitingItem[],
  { space, vectors, stop }: { space: string; vectors: VectorSource; stop: AbortSignal | undefined },
): Promise<void> {
  const versions = new Map(items.map(({ id, version }) => [String(id), version]))
  const prepared = await client.prepare(workspaceId, items.map(itemOf))
  const wanted = prepared.map(({ itemId, number, text }) => ({
    itemId: Number(itemId),
    number,
    text,
    version: versions.get(itemId) ?? '',
  }))
  await client.giveVectors(workspaceId, space, await vectors.fresh(workspaceId, space, wanted, stop))
}

/** As the engine takes it, also when its statements are only looked at. */
function itemOf({ id, text, author, thread, saidAt, pieces }: store.WaitingItem): StepItem {
  return {
    id: String(id),
    text,
    at: saidAt.getTime(),
    ...(author === null ? {} : { author }),
    ...(thread === null ? {} : { thread }),
    ...(pieces === null ? {} : { pieces: spansOf(pieces) }),
  }
}

function takeStep(
  client: GroupingClient,
  workspaceId: string,
  { head, items, forgotten, marks, correction, advice }: Waiting,
  { idle, settle }: { idle: boolean; settle: boolean },
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
    advice,
    idle,
    settle,
  })
}

/** Brings the state of a workspace into the thread: the snapshot, then what was decided since. */
export async function openState(
  services: Services,
  client: GroupingClient,
  workspaceId: string,
  { space, vectors, fresh = false }: StateOptions,
): Promise<void> {
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const { head, removed, lastIssue, ...stored } = await inside((tx) => store.readSnapshot(tx, workspaceId))
  let { groupedSeq, state } = fresh ? { groupedSeq: 0, state: null } : stored
  try {
    await client.open(workspaceId, state, space)
  } catch (error) {
    if (!(error instanceof OutdatedState)) throw error
    services.log.info({ workspace: workspaceId }, 'the groups are built anew for this version of the engine')
    await inside((tx) => store.dropSnapshot(tx, workspaceId))
    groupedSeq = 0
    state = null
    await client.open(workspaceId, null, space)
  }
  const anew = state ? null : await inside((tx) => readSayings(tx, workspaceId))
  if (anew) {
    const { rules, merges } = anew
    const advice = await inside((tx) => readHeldAdvice(tx, workspaceId))
    await client.recall({ op: 'recall', workspaceId, sayings: { rules, merges, advice, lastIssue } })
  }
  for (let after: number | null = groupedSeq; after !== null; ) {
    const from: number = after
    const page = await inside(async (tx) => {
      const read = await store.readReplay(tx, workspaceId, from, REPLAY_ITEMS)
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
    head,
    removed: state ? [] : removed,
    locked: anew?.locked ?? [],
  })
}

/** Stores a step, in a transaction that is rolled back when it throws `Overtaken`. */
export async function storeStep(
  tx: Tx,
  services: Services,
  workspaceId: string,
  waiting: Waiting,
  result: StepResult,
  hooks: InsightHooks | undefined,
): Promise<void> {
  const now = services.now()
  if ((await store.lockHead(tx, workspaceId)) !== waiting.head) throw new Overtaken('the groups changed meanwhile')
  if (!(await store.placeItems(tx, workspaceId, waiting.head, waiting.items))) {
    throw new Overtaken('an item changed meanwhile')
  }
  const { correction } = waiting
  if (!(await settleSplits(tx, workspaceId, waiting.items))) throw new Overtaken('a correction came meanwhile')
  const touched = withForgotten(withoutAgain(result.touched, waiting), waiting)
  const revision = touched.length > 0 ? await raiseRevision(tx, workspaceId) : 0
  const found = correction && (await beginCorrection(tx, workspaceId, correction))
  const edited = waiting.items.filter((item) => item.numbers !== null).map((item) => item.id)
  await store.clearForgotten(
    tx,
    workspaceId,
    edited,
    waiting.forgotten.map((item) => item.itemId),
  )
  await loosenAdvice(tx, workspaceId, edited)
  await settleAdvice(tx, workspaceId, waiting.advice, result.advised)
  await store.storeDescriptions(tx, workspaceId, result.descriptions, now)
  await store.storeStatements(tx, workspaceId, result.statements, now)
  await store.storeMoves(tx, workspaceId, result.moves, now)
  await store.storeEnds(tx, workspaceId, result.events, now)
  await store.confirmMarks(tx, workspaceId, waiting.marks)
  await store.noteLost(tx, workspaceId, lostMentions(waiting))
  await store.recount(tx, workspaceId, touched, revision, now)
  if (correction && found && !(await endCorrection(tx, workspaceId, correction, found, now))) {
    throw new Overtaken('the correction was taken back meanwhile')
  }
  await store.storeHead(tx, workspaceId, result.head, result.snapshot, now)
  if (touched.length === 0) return
  const numbers = touched.map((one) => one.issueId)
  // Before the hook: a push says the tags.
  await tagInsights(services)(tx, workspaceId, numbers)
  await hooks?.changed(tx, workspaceId, numbers)
}

/** What a message said before it was taken apart is not said anew after it. */
function withoutAgain(touched: StepResult['touched'], { items }: Waiting): StepResult['touched'] {
  const again = items.flatMap((item) => (item.pieces === null ? [] : (item.issueNumbers ?? [])))
  return touched.map(({ issueId, gained }) => {
    const before = again.filter((number) => number === issueId).length
    return { issueId, gained: gained > 0 ? Math.max(0, gained - before) : gained }
  })
}

/** How many mentions each issue loses by deleted messages. */
function lostMentions({ forgotten }: Waiting): Map<number, number> {
  const lost = new Map<number, number>()
  for (const number of forgotten.flatMap((item) => item.issueNumbers)) lost.set(number, (lost.get(number) ?? 0) + 1)
  return lost
}

/** The issues that deleted and edited items were mentions of are counted anew too. */
function withForgotten(touched: StepResult['touched'], { forgotten, items }: Waiting): StepResult['touched'] {
  const known = new Set(touched.map((one) => one.issueId))
  const before = [...forgotten.map((item) => item.issueNumbers), ...items.map((item) => item.issueNumbers ?? [])].flat()
  const more = new Set(before.filter((number) => !known.has(number)))
  return [...touched, ...[...more].map((issueId) => ({ issueId, gained: 0 }))]
}
