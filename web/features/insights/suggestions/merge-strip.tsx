import { declineMerge, type MergeSuggestion, undoDeclinedMerge } from '@groundswell/contract/insights/suggestions.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/loading/lazy-part.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { useMayEdit } from '../../accounts/index.ts'
import { call } from '../../client/index.ts'
import { MERGES, useMergeSuggestions } from './suggestions-query.ts'

const MergeDialog = lazyDialog(async () => (await import('./merge-dialog.tsx')).MergeDialog)

/** Whether a suggestion repeats one that was answered, if only in part: of three that are being merged, two are left for a moment. */
const repeats = (one: MergeSuggestion, answered: MergeSuggestion) => {
  const numbers = new Set(answered.insights.map(({ issue_number }) => issue_number))
  return one.insights.filter(({ issue_number }) => numbers.has(issue_number)).length > 1
}

/**
 * Above the table: insights that look like one subject, the most similar first; nothing if there are none, or for viewers. With the
 * focus in it, A opens the review and X says that they differ.
 */
export function MergeStrip({ className = '' }: { className?: string }) {
  const client = useQueryClient()
  const mayEdit = useMayEdit()
  const { total = 0, groups = [] } = useMergeSuggestions() ?? {}
  const [reviewed, setReviewed] = useState<MergeSuggestion | null>(null)
  /** Answered: hidden from the moment of the click. */
  const [answered, setAnswered] = useState<readonly MergeSuggestion[]>([])
  const left = !mayEdit ? [] : groups.filter((group) => !answered.some((one) => repeats(group, one)))
  const [group] = left
  const hide = (one: MergeSuggestion) => setAnswered((others) => [...others, one])
  const show = (one: MergeSuggestion) => setAnswered((others) => others.filter((other) => other !== one))
  const decline = async (one: MergeSuggestion) => {
    hide(one)
    await sayDifferent(client, one, () => show(one))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!group || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'a') setReviewed(group)
    else if (event.key === 'x') void decline(group)
    else return
    event.preventDefault()
  }
  return (
    <>
      {group ? (
        <section
          aria-label="Insights that look like one subject"
          onKeyDown={onKeyDown}
          className={`flex flex-wrap items-center gap-x-6 gap-y-2 rounded border border-line bg-surface px-4 py-2.5 ${className}`}
        >
          <p className="min-w-0 flex-1 basis-80">
            <span className="font-medium">These {group.insights.length} look like one subject. Merge?</span>{' '}
            <span dir="auto" className="text-muted">
              {group.insights.map((one) => `“${one.name}”`).join(', ')}
            </span>
            {left.length > 1 ? (
              <span className="ml-2 text-small text-muted tabular-nums">
                1 of {total - groups.length + left.length}
              </span>
            ) : null}
          </p>
          <div className="flex gap-2">
            <Button look="primary" aria-keyshortcuts="a" onClick={() => setReviewed(group)}>
              Review…
            </Button>
            <Button aria-keyshortcuts="x" onClick={() => void decline(group)}>
              Different subjects
            </Button>
          </div>
        </section>
      ) : null}
      {reviewed ? (
        <MergeDialog
          group={reviewed}
          onClose={() => setReviewed(null)}
          onMerged={() => hide(reviewed)}
          onFailed={() => show(reviewed)}
          onDecline={() => void decline(reviewed)}
        />
      ) : null}
    </>
  )
}

async function sayDifferent(client: QueryClient, { insights }: MergeSuggestion, onUndone: () => void): Promise<void> {
  const issue_numbers = insights.map((one) => one.issue_number)
  try {
    const { decline_id } = await call(declineMerge, { body: { issue_numbers } })
    const undo = async () => {
      await call(undoDeclinedMerge, { params: { decline_id } })
      onUndone()
      await client.invalidateQueries({ queryKey: [MERGES] })
      toast({ title: 'Undone' })
    }
    toast({
      title: 'They stay separate',
      description: 'They will not be suggested again.',
      action: { label: 'Undo', run: () => void undo().catch(tellFailure('Undo failed')) },
    })
  } catch (error) {
    onUndone()
    tellFailure('Not saved')(error)
  }
  await client.invalidateQueries({ queryKey: [MERGES] })
}

const tellFailure = (title: string) => (error: unknown) =>
  toast({ title, description: error instanceof Error ? error.message : String(error), tone: 'destructive' })
