import { deleteInsight, type Insight, pushInsight, restoreInsight } from '@groundswell/contract/insights.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { CallError, call } from '../../client/index.ts'
import { failureText, followDeliveries, isUnderWay } from '../../deliveries/index.ts'
import { INSIGHTS } from '../insight-queries.ts'

/** Longer than any push is tracked: its result replaces the toast. */
const PUSHING_TOAST_MS = 60_000

/** An insight on its way to the named destinations, or to all that are connected. */
export type Push = { insight: Insight; destinations?: readonly string[] }

/**
 * Pushes one insight and reports its progress until it is delivered or has failed. Where no destination is connected the message leads to where one
 * is: `toIntegrations`. Never throws.
 */
export async function push(
  client: QueryClient,
  { insight, destinations }: Push,
  toIntegrations: () => void,
): Promise<void> {
  toast({ title: 'Pushing…', description: insight.issue_name, durationMs: PUSHING_TOAST_MS })
  try {
    const reply = await call(pushInsight, {
      params: { issue_number: insight.issue_number },
      body: destinations ? { destinations: [...destinations] } : {},
    })
    void client.invalidateQueries({ queryKey: ['deliveries'] })
    await tellOutcome(insight, reply?.delivery_ids ?? [])
  } catch (error) {
    const nowhere = error instanceof CallError && error.code === 'not_configured'
    toast({
      title: 'Push failed',
      description: nowhere ? 'No destination is connected yet.' : inWords(error),
      tone: 'destructive',
      ...(nowhere ? { action: { label: 'Connect one', run: toIntegrations } } : {}),
    })
  }
  void client.invalidateQueries({ queryKey: ['deliveries'] })
  void refresh(client)
}

/** Deletes one insight: it is removed from the list immediately, and can be restored from the toast. Never throws. */
export async function remove(client: QueryClient, insight: Insight): Promise<void> {
  await show(client, (all) => all.filter((one) => one.issue_number !== insight.issue_number))
  try {
    await call(deleteInsight, { params: { issue_number: insight.issue_number } })
    toast({
      title: 'Insight deleted',
      description: insight.issue_name,
      action: { label: 'Undo', run: () => void restore(client, insight) },
    })
  } catch (error) {
    toast({ title: 'Not deleted', description: inWords(error), tone: 'destructive' })
  }
  void refresh(client)
}

/** Undoes a deletion: the insight is immediately back in the list. */
async function restore(client: QueryClient, insight: Insight): Promise<void> {
  await show(client, (all) => [insight, ...all.filter((one) => one.issue_number !== insight.issue_number)])
  try {
    await call(restoreInsight, { params: { issue_number: insight.issue_number } })
  } catch (error) {
    toast({ title: 'Restore failed', description: inWords(error), tone: 'destructive' })
  }
  void refresh(client)
}

/** The server's state is final: a refused change is reverted by this. */
function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: INSIGHTS })
}

async function show(client: QueryClient, make: (all: Insight[]) => Insight[]): Promise<void> {
  await client.cancelQueries({ queryKey: INSIGHTS })
  client.setQueryData<Insight[]>(INSIGHTS, (all) => all && make(all))
}

/** Polls the deliveries until they have arrived or failed, and reports which. */
async function tellOutcome(insight: Insight, ids: readonly string[]): Promise<void> {
  const seen = ids.length > 0 ? await followDeliveries(ids) : []
  const trouble = seen.find((one) => failureText(one))
  if (trouble) {
    const next = isUnderWay(trouble) ? 'It will be retried automatically.' : 'See Deliveries.'
    const description = `${trouble.destination}: ${failureText(trouble) ?? ''} ${next}`
    toast({ title: 'Not delivered', description, tone: 'destructive' })
  } else if (seen.length > 0 && seen.every((one) => !isUnderWay(one))) {
    toast({ title: 'Pushed', description: `“${insight.issue_name}” was delivered.` })
  } else toast({ title: 'Pushed', description: `“${insight.issue_name}” is on its way.` })
}

/** A failed call as a sentence. */
export function inWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
