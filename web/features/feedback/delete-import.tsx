import { deleteImport, type Import, previewImportDeletion } from '@groundswell/contract/feedback.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { call } from '../client/index.ts'
import { count, plural } from './import-words.ts'

const SHOWN = 5

type DeleteImportProps = { one: Import; onClose: () => void; onDeleted: () => void }

/** Shows what deleting an import changes, and deletes it. */
export function DeleteImport({ one, onClose, onDeleted }: DeleteImportProps) {
  const client = useQueryClient()
  const preview = useQuery({
    queryKey: ['imports', one.id, 'deletion'],
    queryFn: () => call(previewImportDeletion, { params: { id: one.id } }),
    gcTime: 0,
  })
  const remove = useMutation({
    mutationFn: () => call(deleteImport, { params: { id: one.id } }),
    onSuccess: () => {
      onDeleted()
      void client.invalidateQueries({ queryKey: ['insights'] })
      return client.invalidateQueries({ queryKey: ['imports'], predicate: ({ queryKey }) => queryKey[1] !== one.id })
    },
  })
  const { data } = preview
  const problem = preview.error ?? remove.error
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Delete this import?"
      description={one.name}
    >
      {data ? (
        <>
          <ul className="flex flex-col gap-1">
            <li>{plural(data.removed, 'message')} will be deleted.</li>
            {data.restored > 0 ? (
              <li>{plural(data.restored, 'message')} will be restored to the earlier text.</li>
            ) : null}
            <li>
              {plural(data.shrink, 'insight')} will shrink, {count(data.disappear)} will disappear.
            </li>
          </ul>
          {data.insights.length > 0 ? (
            <ul className="mt-3 rounded border border-line">
              {data.insights.slice(0, SHOWN).map((insight) => (
                <li
                  key={insight.issue_number}
                  className="flex items-baseline gap-3 border-b border-line px-3 py-1.5 text-small last:border-0"
                >
                  <span className="min-w-0 flex-1 truncate" dir="auto">
                    {insight.name}
                  </span>
                  <span className="shrink-0 text-muted tabular-nums">
                    {count(insight.mentions_before)} →{' '}
                    {insight.disappears ? 'disappears' : count(insight.mentions_after)}
                  </span>
                </li>
              ))}
            </ul>
          ) : null}
          {data.shrink + data.disappear > SHOWN ? (
            <p className="mt-2 text-small text-muted">And {count(data.shrink + data.disappear - SHOWN)} more.</p>
          ) : null}
          <p className="mt-3 text-muted">Destinations that have these insights are notified. This cannot be undone.</p>
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
          Delete import
        </Button>
      </div>
    </Dialog>
  )
}
