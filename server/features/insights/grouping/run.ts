import { hasNoSubject, type JudgeAnswer } from '@groundswell/engine/index.ts'
import { defineCache } from '../../../platform/caches.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { inPart, isRecorded } from '../../../platform/traces/spans.ts'
import { forEngine } from '../corrections/plan.ts'
import { GroupingClient } from './client.ts'
import { readTeaching } from './kind-work.ts'
import { openState } from './open-state.ts'
import type { Judgement, Step, StepResult } from './protocol.ts'
import { serializePerWorkspace } from './serialize.ts'
import { stateLoads } from './state-loads.ts'
import { ConcurrentChange, type StepHooks, storeStep } from './store-step.ts'
import type { StoredPoint } from './stores/point-store.ts'
import { spansOf } from './stores/split-store.ts'
import { readVersion } from './stores/state-store.ts'
import { type FoundThemes, isNews, readKnownThemes } from './stores/theme-store.ts'
import type { WaitingItem } from './stores/work-store.ts'
import type { VectorSource } from './vector-source.ts'
import { isEmpty, readWork, type Work } from './work.ts'

/** What grouping takes from other features. */
export type InsightHooks = StepHooks & {
  /** Without it statements are compared by their words, and states are left unchanged. */
  vectors?: VectorSource
}

type GroupingOptions = {
  signal?: AbortSignal
  /** Revise even if the last revision was recent. */
  settle?: boolean
  /** The `traceparent` of the calls and jobs that stored the waiting messages. */
  senders?: () => Promise<string[]>
}

/** `finished`: nothing waits any more. `settlesIn`: a run with `settle` in this many seconds will find more to do. */
export type GroupingOutcome = { grouped: number; finished: boolean; settlesIn: number | null }

/** Items of a run's first step; the number doubles with each step. */
const FIRST_STEP_ITEMS = 500
const MAX_STEP_ITEMS = 4_000
/** Being overtaken this often in a row means that two processes group the same workspace: the later one gives up. */
const MAX_RETRIES = 5

const groupingClient = defineCache(
  'grouping thread',
  ({ threads }) => new GroupingClient(threads),
  (client) => client.stop(),
)

/** Groups everything that waits in one workspace, now, and returns how many items that were. */
export async function groupNow(services: Services, workspaceId: string, hooks?: InsightHooks): Promise<number> {
  const { grouped } = await groupWorkspace(services, workspaceId, hooks, { settle: true })
  return grouped
}

/**
 * Groups what waits in one workspace step by step, each step in one transaction. Safe to kill at any moment and to run in two
 * processes at once: a step is stored only if the groups are still at the version at which it began.
 */
export async function groupWorkspace(
  services: Services,
  workspaceId: string,
  hooks?: InsightHooks,
  options: GroupingOptions = {},
): Promise<GroupingOutcome> {
  return serializePerWorkspace(services, workspaceId, () => runSteps(services, workspaceId, hooks, options))
}

/** What follows from a language model's answers, and at most `limit` further questions, with the groups at `version`. */
export async function readJudgement(
  services: Services,
  workspaceId: string,
  limit: number,
  answers: JudgeAnswer[],
): Promise<Judgement & { version: number }> {
  const client = clientOf(services)
  return serializePerWorkspace(services, workspaceId, async () => {
    for (let tries = 0; ; tries++) {
      const version = await inWorkspace(services.db, workspaceId, (tx) => readVersion(tx, workspaceId))
      const judgement = await client.judge({ op: 'judge', workspaceId, version, limit, answers })
      if (judgement) return { version, ...judgement }
      if (tries > MAX_RETRIES) throw new ConcurrentChange('the groups of this workspace keep changing')
      await openState(services, client, workspaceId, { model: null })
    }
  })
}

/** Drops all group states that are in memory, as a stop of the process does. */
export async function forgetGroups(services: Services): Promise<void> {
  await clientOf(services).stop()
}

function clientOf(services: Pick<Services, 'caches'>): GroupingClient {
  return services.caches.of(groupingClient)
}

async function runSteps(
  services: Services,
  workspaceId: string,
  hooks: InsightHooks | undefined,
  options: GroupingOptions,
): Promise<GroupingOutcome> {
  const client = clientOf(services)
  let grouped = 0
  let limit = FIRST_STEP_ITEMS
  let settle = options.settle ?? false
  let settlesIn: number | null = null
  let overtaken = 0
  let isFirst = true
  while (!options.signal?.aborted) {
    const { work, model } = await inWorkspace(services.db, workspaceId, async (tx) => {
      const model = (await hooks?.vectors?.model(tx, workspaceId)) ?? null
      return { model, work: await readWork(tx, workspaceId, { limit, model, vectors: hooks?.vectors }) }
    })
    // After the messages were read: whatever stored one of them is among these, or sent this run.
    const senders = isRecorded() && work.items.length > 0 ? ((await options.senders?.()) ?? []) : []
    const waits = model !== null && model.space !== '' && !model.late
    if (!settle && isEmpty(work)) return { grouped, finished: true, settlesIn }
    try {
      if (waits && hooks?.vectors && work.items.length > 0) {
        const { space } = model
        await giveVectors(client, workspaceId, work.items, { space, vectors: hooks.vectors, stop: options.signal })
      }
      const idle = work.items.length < limit && !work.late.more && !work.kinds.after
      const result = await inPart({ name: 'group' }, () =>
        takeStep(client, workspaceId, work, { space: model?.space ?? null, idle, settle }),
      )
      if (result === 'untaught') {
        const teaching = await inWorkspace(services.db, workspaceId, (tx) =>
          readTeaching(tx, workspaceId, { model, vectors: hooks?.vectors }),
        )
        await client.teach({ op: 'teach', workspaceId, ...teaching })
        if (++overtaken > MAX_RETRIES) throw new ConcurrentChange('the kinds of this workspace keep changing')
        continue
      }
      if (isFirst) services.caches.of(stateLoads)[result ? 'memory' : 'database'] += 1
      isFirst = false
      if (!result) {
        await services.queue.lease(workspaceId)
        await openState(services, client, workspaceId, { model, vectors: hooks?.vectors })
        if (++overtaken > MAX_RETRIES) throw new ConcurrentChange('the groups of this workspace keep changing')
        continue
      }
      if (result.version !== work.version) {
        const themes = result.suggestions === undefined ? null : await findThemes(services, client, workspaceId, result)
        const facts = { 'groundswell.messages': work.items.length }
        await inPart({ name: 'store groups', facts, follows: senders }, () =>
          inWorkspace(services.db, workspaceId, (tx) =>
            storeStep(tx, services, workspaceId, work, { ...result, themes }, hooks),
          ),
        )
      }
      overtaken = 0
      grouped += work.items.length
      settlesIn = result.settlesIn
      if (work.correction) continue
      if (idle) settle = false
      // Where a step waits for a model, it already takes as long as that does.
      if (!waits) limit = Math.min(MAX_STEP_ITEMS, limit * 2)
    } catch (error) {
      await client.drop(workspaceId).catch(() => undefined)
      if (!(error instanceof ConcurrentChange) || ++overtaken > MAX_RETRIES) throw error
    }
  }
  return { grouped, finished: false, settlesIn }
}

/** The themes after a revision; null when they are as before. What people decide meanwhile is respected when they are stored. */
async function findThemes(
  services: Services,
  client: GroupingClient,
  workspaceId: string,
  { version }: StepResult,
): Promise<FoundThemes | null> {
  const known = await inWorkspace(services.db, workspaceId, (tx) => readKnownThemes(tx, workspaceId))
  const planned = await client.themes(workspaceId, version, known)
  return planned && isNews(known, planned) ? { planned, lastId: known.lastId } : null
}

/** Gives the thread the vectors of the items in the next step, as far as they are available. */
async function giveVectors(
  client: GroupingClient,
  workspaceId: string,
  items: readonly WaitingItem[],
  { space, vectors, stop }: { space: string; vectors: VectorSource; stop: AbortSignal | undefined },
): Promise<void> {
  const versions = new Map(items.map(({ id, version }) => [String(id), version]))
  const prepared = await client.prepare(workspaceId, items.map(engineItem))
  const wanted = prepared.map(({ itemId, number, text }) => ({
    itemId: Number(itemId),
    number,
    text,
    version: versions.get(itemId) ?? '',
  }))
  await client.giveVectors(workspaceId, space, await vectors.fresh(workspaceId, space, wanted, stop))
}

function engineItem({
  id,
  text,
  author,
  thread,
  saidAt,
  pieces,
  points,
  issueNumbers,
}: WaitingItem): Step['items'][number] {
  return {
    id: String(id),
    text,
    at: saidAt.getTime(),
    ...(author === null ? {} : { author }),
    ...(thread === null ? {} : { thread }),
    ...(pieces === null ? {} : { pieces: spansOf(pieces) }),
    ...(points === null ? { formers: issueNumbers ?? [] } : { points, formers: formersOf(points, issueNumbers ?? []) }),
  }
}

/** The first point with a subject begins in an insight that the message was in, so that this insight survives; 0: in none. */
function formersOf(points: readonly StoredPoint[], before: readonly number[]): number[] {
  const first = points.findIndex(({ kind }) => !hasNoSubject(kind))
  return points.map((_, at) => (at === first ? (before[0] ?? 0) : 0))
}

function takeStep(
  client: GroupingClient,
  workspaceId: string,
  { version, items, forgotten, marks, correction, advice, founded, reviewed, settled, late, kinds }: Work,
  { space, idle, settle }: Pick<Step, 'space' | 'idle' | 'settle'>,
): Promise<StepResult | 'untaught' | null> {
  const ids = (itemId: number, numbers: readonly number[]) => numbers.map((number) => `${itemId}:${number}`)
  return client.step(workspaceId, {
    version,
    space,
    late: late.items.length > 0 ? late.vectors : null,
    kinds: kinds.requests,
    keptKinds: kinds.kept,
    taught: kinds.taught,
    items: items.map(engineItem),
    forget: [
      ...forgotten.flatMap(({ itemId, numbers }) => ids(itemId, numbers)),
      ...items.flatMap(({ id, numbers }) => ids(id, numbers ?? [])),
    ],
    remove: marks.filter((mark) => mark.deleted).map((mark) => mark.issueNumber),
    restore: marks.filter((mark) => !mark.deleted).map((mark) => mark.issueNumber),
    correction: correction && forEngine(correction.plan),
    advice,
    founded,
    reviewed,
    settled: [...settled],
    idle,
    settle,
  })
}
