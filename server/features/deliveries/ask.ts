import { countBy } from '@groundswell/contract/settings.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { inPart } from '../../platform/traces/spans.ts'
import { type Connection, liveConnections } from '../connections/index.ts'
import { markRegressed } from '../insights/index.ts'
import { readSettings } from '../settings/index.ts'
import { lockConsidering } from './held/held-store.ts'
import { sendDue } from './send-job.ts'
import { addCreated, addUpdates, readDue, type Threshold } from './store.ts'

/*
 * A push in the order of its stages. Ask: insights reach the threshold or change (this file), or a person asks (`ask-by-person.ts`); either
 * stores deliveries and a job for each (`send-job.ts`). Hold: what already qualifies when a destination or threshold is new waits for an answer
 * (`held/hold.ts`). Send: one attempt at a delivery, whose content the first one freezes (`send.ts`, `content.ts`): an event
 * (`send-event.ts`), or an item of a tracker (`trackers/push-to-tracker.ts`). Confirm: where the last attempt may have created an item, it is
 * searched for before another one is created (`trackers/confirm.ts`). Record: how the attempt ended, and when the next one is (`record.ts`).
 */

const DUE_AT_ONCE = 500

/**
 * Adds the deliveries that insights call for, in the caller's transaction: the first one at the threshold, then updates. A resolved
 * insight that was mentioned again becomes regressed. A destination that is paused or signed out gets deliveries too; they wait until
 * it resumes. One without its required choices gets none: what qualifies is held once they are made. Checks these issues; when none
 * are named, all of them and what is due.
 */
export function considerPush(
  services: Services,
): (tx: Tx, workspaceId: string, issueNumbers?: readonly number[]) => Promise<void> {
  return (tx, workspaceId, numbers) =>
    inPart({ name: 'consider push' }, async (span) => {
      const added = await addCalledFor(services, tx, workspaceId, numbers)
      span.say({ 'groundswell.deliveries': added })
    })
}

/** How many deliveries were added. */
async function addCalledFor(
  services: Services,
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[] | undefined,
): Promise<number> {
  await lockConsidering(tx, workspaceId)
  await markRegressed(tx, workspaceId, numbers)
  const destinations = await liveConnections(tx, workspaceId, 'destination')
  if (destinations.length === 0) return 0
  const threshold = await readThreshold(tx, workspaceId)
  const now = services.now()
  let added = 0
  for (const { id, paused, signedOut } of destinations.filter(takesAutomatically)) {
    const created = await addCreated(tx, workspaceId, id, {
      threshold,
      ...(numbers ? { numbers } : {}),
      now,
      held: false,
    })
    const updates = await addUpdates(tx, workspaceId, id, numbers, now)
    added += created.length + updates.length
    if (!paused && !signedOut) await sendDue(services, workspaceId, [...created, ...updates], tx)
  }
  if (!numbers) await sendAllDue(services, tx, workspaceId)
  return added
}

/** Sends a job for each due delivery, the oldest first; those beyond the limit are left to the next sweep. */
export async function sendAllDue(services: Services, tx: Tx, workspaceId: string): Promise<void> {
  await sendDue(services, workspaceId, await readDue(tx, workspaceId, services.now(), DUE_AT_ONCE), tx)
}

/** The threshold at which an insight of this workspace is pushed automatically. */
export async function readThreshold(tx: Tx, workspaceId: string): Promise<Threshold> {
  const settings = await readSettings(tx, workspaceId)
  return { least: settings.min_inputs, of: countBy(settings), named: settings.hold_guesses ?? false }
}

/** Whether insights go to this destination without being asked for. */
export function takesAutomatically({
  pushAutomatically,
  ready,
}: Pick<Connection, 'pushAutomatically' | 'ready'>): boolean {
  return pushAutomatically && ready
}
