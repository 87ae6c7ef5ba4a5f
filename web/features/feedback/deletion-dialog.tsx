import type { DeletionEffects } from '@groundswell/contract/feedback/import-undo.ts'
import { type QueryKey, useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { count, plural } from '../../ui/text/plural.ts'

const SHOWN = 5

type DeletionDialogProps<E extends DeletionEffects> = {
  title: string
  /** What is deleted, by its name. */
  description: string
  action: string
  previewKey: QueryKey
  preview: () => Promise<E>
  remove: () => Promise<unknown>
  onClose: () => void
  onDeleted: () => unknown
  /** Further effects as items of the list. */
  more?: (effects: E) => ReactNode
  /** What else to know before, as a sentence. */
  remark?: string
}

/** Shows what deleting feedback changes, and deletes it. */
export function DeletionDialog<E extends DeletionEffects>(props: DeletionDialogProps<E>) {
  const { title, description, action, onClose, remark = '' } = props
  const preview = useQuery({ queryKey: props.previewKey, queryFn: props.preview, gcTime: 0 })
  const remove = useMutation({ mutationFn: props.remove, onSuccess: props.onDeleted })
  const { data } = preview
  const problem = preview.error ?? remove.error
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={title}
      description={description}
    >
      {data ? (
        <>
          <ul className="flex flex-col gap-1">
            <li>{plural(data.removed, 'message')} will be deleted.</li>
            {props.more?.(data)}
            <li>
              {plural(data.shrink, 'insight')} will shrink, {count(data.disappear)} will disappear.
            </li>
          </ul>
          <Losses effects={data} />
          <p className="mt-3 text-muted">
            Destinations that have these insights are notified. This cannot be undone. {remark}
          </p>
        </>
      ) : preview.error ? null : (
        <div className="skeleton h-24" role="status" aria-label="Checking what would change" />
      )}
      {problem ? (
        <p role="alert" className="mt-3 rounded bg-bad-soft px-3 py-2 text-bad">
          {problem.message}
        </p>
      ) : null}
      <div className="mt-4 flex justify-end gap-2">
        {preview.error ? <Button onClick={() => void preview.refetch()}>Try again</Button> : null}
        <Button onClick={onClose}>Keep</Button>
        <Button look="danger" busy={remove.isPending} disabled={!data} onClick={() => remove.mutate()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

/** The insights that lose most. */
function Losses({ effects: { insights, shrink, disappear } }: { effects: DeletionEffects }) {
  if (insights.length === 0) return null
  return (
    <>
      <ul className="mt-3 rounded border border-line">
        {insights.slice(0, SHOWN).map((insight) => (
          <li
            key={insight.issue_number}
            className="flex items-baseline gap-3 border-b border-line px-3 py-1.5 text-small last:border-0"
          >
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {insight.name}
            </span>
            <span className="shrink-0 text-muted tabular-nums">
              {count(insight.mentions_before)} → {insight.disappears ? 'disappears' : count(insight.mentions_after)}
            </span>
          </li>
        ))}
      </ul>
      {shrink + disappear > SHOWN ? (
        <p className="mt-2 text-small text-muted">And {count(shrink + disappear - SHOWN)} more.</p>
      ) : null}
    </>
  )
}
