import {
  deleteKeptFeedback,
  type KeptFeedback as Kept,
  listKeptFeedback,
  previewKeptDeletion,
} from '@groundswell/contract/feedback/kept-feedback.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { call } from '../client/index.ts'
import { DeletionDialog } from '../feedback/index.ts'
import { useHasExtras } from '../operations/index.ts'
import { SourceMark } from './tile-logo.tsx'

const KEPT = ['kept-feedback']
const counts = new Intl.NumberFormat()

/** The feedback of sources that were disconnected, each to be deleted; nothing where there is none. */
export function KeptFeedback() {
  const kept = useQuery({
    enabled: useHasExtras(),
    queryKey: KEPT,
    queryFn: async () => (await call(listKeptFeedback, {})).sources,
  })
  const [deleting, setDeleting] = useState<Kept | null>(null)
  if (kept.isError) {
    return (
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <p role="alert" className="text-bad">
          Disconnected sources could not be loaded.
        </p>
        <Button onClick={() => void kept.refetch()}>Try again</Button>
      </div>
    )
  }
  if (!kept.data || kept.data.length === 0) return null
  return (
    <div className="mt-6">
      <h3 className="font-semibold">Disconnected sources</h3>
      <p className="text-muted">Their feedback is kept, and counts in insights, until you delete it.</p>
      <ul className="mt-2 overflow-hidden rounded border border-line bg-surface">
        {kept.data.map((source) => (
          <li
            key={source.id}
            data-kept={source.tile}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-0"
          >
            <SourceMark source={source.tile} />
            <span className="font-medium">{source.label}</span>
            <span className="min-w-0 truncate text-muted" dir="auto">
              {source.name}
            </span>
            <span className="text-muted tabular-nums">
              {counts.format(source.messages)} {source.messages === 1 ? 'message' : 'messages'}
            </span>
            <span className="text-small text-muted sm:ml-auto">
              Disconnected {formatMoment(source.disconnected_at)}
            </span>
            <Button data-edits onClick={() => setDeleting(source)}>
              Delete feedback
            </Button>
          </li>
        ))}
      </ul>
      {deleting ? <DeleteKept key={deleting.id} source={deleting} onClose={() => setDeleting(null)} /> : null}
    </div>
  )
}

function DeleteKept({ source: { id, label, name }, onClose }: { source: Kept; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <DeletionDialog
      title={`Delete the feedback from ${label}?`}
      description={name}
      action="Delete feedback"
      previewKey={[...KEPT, id]}
      preview={() => call(previewKeptDeletion, { params: { id } })}
      remove={() => call(deleteKeptFeedback, { params: { id } })}
      remark="If you connect the same account again, all of it is read again."
      onClose={onClose}
      onDeleted={() => {
        onClose()
        void client.invalidateQueries({ queryKey: ['insights'] })
        return client.invalidateQueries({ queryKey: KEPT, exact: true })
      }}
    />
  )
}
