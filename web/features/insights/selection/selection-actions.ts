import { correctInsight, undoCorrection } from '@groundswell/contract/corrections.ts'
import { setInsightTags, type TagChange } from '@groundswell/contract/insights/insight-detail.ts'
import { deleteInsight, type Insight, pushInsight, restoreInsight } from '@groundswell/contract/insights.ts'
import type { QueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { FOLLOWED_FOR_MS, follow, refresh } from '../corrections/correction-actions.ts'
import { DETAIL } from '../panel/detail-query.ts'

/** The outcome for several insights, one after another. `problem`: of the first that failed. */
type Outcome<T> = { done: T[]; all: number; problem: string | null }

/** Does the same with each insight, continuing after a failure. */
async function each<I, T>(all: readonly I[], work: (one: I) => Promise<T>): Promise<Outcome<T>> {
  const done: T[] = []
  let problem: string | null = null
  for (const one of all) {
    try {
      done.push(await work(one))
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error)
    }
  }
  return { done, all: all.length, problem }
}

/** Reports the outcome: all of them, or how many and why not the others. */
function tell({ done, all, problem }: Outcome<unknown>, words: string, undo?: () => Promise<void>): void {
  const insights = all === 1 ? 'insight' : 'insights'
  toast({
    title: problem === null ? `${all} ${insights} ${words}` : `${done.length} of ${all} ${insights} ${words}`,
    ...(problem === null ? {} : { description: problem, tone: 'destructive' as const }),
    ...(undo && done.length > 0 ? { action: { label: 'Undo', run: () => void undo() } } : {}),
  })
}

/** Deletes insights, with one undo for those that were. Never throws. */
export async function deleteAll(client: QueryClient, insights: readonly Insight[]): Promise<void> {
  const outcome = await each(insights, ({ issue_number }) => call(deleteInsight, { params: { issue_number } }))
  await refresh(client)
  tell(outcome, 'deleted', async () => {
    const restored = await each(outcome.done, ({ issue_number }) => call(restoreInsight, { params: { issue_number } }))
    await refresh(client)
    tell(restored, 'restored')
  })
}

/** Pushes insights to every connected destination. Never throws. */
export async function pushAll(client: QueryClient, insights: readonly Insight[]): Promise<void> {
  const outcome = await each(insights, ({ issue_number }) => call(pushInsight, { params: { issue_number }, body: {} }))
  void client.invalidateQueries({ queryKey: ['deliveries'] })
  await refresh(client)
  tell(outcome, 'on their way')
}

/** Merges insights into one, with one undo for those that were, the last merge first. Never throws. */
export async function mergeAll(client: QueryClient, insights: readonly Insight[], into: Insight): Promise<void> {
  const others = insights.filter((one) => one.issue_number !== into.issue_number)
  toast({ title: 'Merging…', durationMs: FOLLOWED_FOR_MS * others.length })
  const outcome = await each(others, async ({ issue_number }) => {
    const body = { kind: 'merge' as const, into: into.issue_number }
    const { correction_id } = await call(correctInsight, { params: { issue_number }, body })
    const made = await follow(correction_id)
    if (made.state === 'refused') throw new Error(made.problem ?? 'The change could not be applied.')
    return correction_id
  })
  await refresh(client)
  tell(outcome, `merged into #${into.issue_number}`, async () => {
    const undone = await each(outcome.done.toReversed(), async (correction_id) => {
      const { state } = await call(undoCorrection, { params: { correction_id } })
      if (state !== 'waiting') return
      const seen = await follow(correction_id, 'undone')
      if (seen.state !== 'undone') throw new Error(seen.problem ?? 'The change could not be undone yet. Try again.')
    })
    await refresh(client)
    tell(undone, 'separate again')
  })
}

/** Changes of tags, and the insight that they are for. */
type Tagged = { issue_number: number; changes: TagChange[] }

/** Sets one tag of insights, with one undo for those that were changed. Never throws. */
export async function tagAll(client: QueryClient, insights: readonly Insight[], change: TagChange): Promise<void> {
  const outcome = await setTags(
    client,
    insights.map(({ issue_number }) => ({ issue_number, changes: [change] })),
  )
  tell(outcome, 'tagged', async () => tell(await setTags(client, outcome.done), 'as before'))
}

/** Sets tags and returns what undoes it. */
async function setTags(client: QueryClient, all: readonly Tagged[]): Promise<Outcome<Tagged>> {
  const outcome = await each(all, async ({ issue_number, changes }) => {
    const { undo = [] } = await call(setInsightTags, { params: { issue_number }, body: { changes } })
    return { issue_number, changes: undo }
  })
  await refresh(client)
  void client.invalidateQueries({ queryKey: [DETAIL] })
  return outcome
}
