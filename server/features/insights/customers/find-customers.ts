import { z } from 'zod'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace, type SweepOutcome } from '../../../platform/sweep/every-workspace.ts'
import {
  assignCustomers,
  deleteUnheard,
  postponeMessages,
  readDueMessages,
  readFill,
  settleMessages,
  storeFill,
  workspacesToFindCustomers,
} from '../../customers/index.ts'
import {
  readUncounted as readUncountedAttributes,
  recountAttributes,
  recountMessages,
} from '../attributes/count-store.ts'
import { assignAttributes } from '../attributes/value-store.ts'
import type { StepHooks } from '../grouping/store-step.ts'
import { lockVersion } from '../grouping/stores/state-store.ts'
import { raiseRevision } from '../revision.ts'
import { readUncounted, recountCustomers, takeLeft } from './count-store.ts'
import { lockMessages, readGrouped, readIdsAfter } from './message-store.ts'

const findJob = defineJob({ name: 'find-customers', schema: z.object({ workspaceId: z.uuid() }), serial: true })
const sweepJob = defineJob({ name: 'customer-sweep', schema: z.object({}), serial: true })

/** How much one transaction processes: grouping waits for it. */
const MESSAGES = 500
const INSIGHTS = 500

type Hooks = Pick<StepHooks, 'changed'>

/** Requests that a workspace's customers are brought up to date now, in the transaction that changed them. */
export function requestCustomers(services: Services): (tx: Tx, workspaceId: string) => Promise<void> {
  return async (tx, workspaceId) => {
    await services.queue.send(findJob, { workspaceId }, { tx, key: workspaceId, once: true })
  }
}

/** Finding the customers and the attributes of messages from before an update, or that changed, and counting them again where that changed. */
export function customerJobs(services: Services, hooks: Hooks): JobWorker[] {
  return [
    jobWorker(findJob, ({ workspaceId }, run) => findCustomersOf(services, workspaceId, hooks, { signal: run.signal })),
    periodicWorker(sweepJob, '* * * * *', (run) => findCustomers(services, hooks, { signal: run.signal })),
  ]
}

type Options = { signal?: AbortSignal; batch?: number }

/** Finds customers and attributes of due messages, in every workspace. */
export function findCustomers(services: Services, hooks: Hooks, options: Options = {}): Promise<SweepOutcome> {
  return everyWorkspace(services, 'customers', workspacesToFindCustomers, (workspaceId) =>
    findCustomersOf(services, workspaceId, hooks, options),
  )
}

/** The same in one workspace, in small transactions, until nothing is left or the signal aborts. */
export async function findCustomersOf(
  services: Services,
  workspaceId: string,
  hooks: Hooks,
  { signal, batch = MESSAGES }: Options = {},
): Promise<void> {
  let more = true
  while (more && !signal?.aborted) {
    more = await inWorkspace(services.db, workspaceId, (tx) => findNext(tx, workspaceId, hooks, batch))
  }
}

/** Whether there may be more. */
async function findNext(tx: Tx, workspaceId: string, hooks: Hooks, batch: number): Promise<boolean> {
  await lockVersion(tx, workspaceId)
  // First: a value that no message has any more makes room for another one.
  await recountMessages(tx, workspaceId)
  const after = await readFill(tx, workspaceId)
  const filled = after === null ? [] : await readIdsAfter(tx, workspaceId, after, batch)
  const due = await readDueMessages(tx, workspaceId, batch)
  const messages = await lockMessages(tx, workspaceId, [...new Set([...filled, ...due])])
  await assignCustomers(tx, workspaceId, messages)
  await assignAttributes(tx, workspaceId, messages)
  // An ungrouped message gets its customer and its values when it is grouped; one that is being changed is processed later.
  const done = new Set(messages.map(({ id }) => id))
  const grouped = await readGrouped(tx, workspaceId, [...filled, ...due])
  const busy = new Set(grouped.filter((id) => !done.has(id)))
  await settleMessages(
    tx,
    workspaceId,
    due.filter((id) => !busy.has(id)),
  )
  await postponeMessages(tx, workspaceId, [...busy])
  if (after !== null) await storeFill(tx, workspaceId, filled.at(-1) ?? null)
  const numbers = await readUncounted(tx, workspaceId, INSIGHTS)
  if (numbers.length > 0) {
    const revision = await raiseRevision(tx, workspaceId)
    const changed = await recountCustomers(tx, workspaceId, numbers, revision)
    if (changed.length > 0) await hooks.changed(tx, workspaceId, changed)
  }
  if (numbers.length < INSIGHTS) await deleteUnheard(tx, workspaceId, await takeLeft(tx, workspaceId))
  const valued = await readUncountedAttributes(tx, workspaceId, INSIGHTS)
  await recountAttributes(tx, workspaceId, valued)
  if (valued.length < INSIGHTS) await recountMessages(tx, workspaceId)
  const counted = Math.max(numbers.length, valued.length)
  return filled.length > 0 || counted === INSIGHTS || (due.length === batch && done.size > 0)
}
