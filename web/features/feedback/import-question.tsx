import { deleteImport } from '@groundswell/contract/feedback/import-undo.ts'
import { answerImport, type Import } from '@groundswell/contract/feedback.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/text/plural.ts'
import { call } from '../client/index.ts'
import { replacesText } from './import-words.ts'

/** Asks whether to replace the stored texts that rows of a file would replace, and shows the first of them. */
export function ImportQuestion({ one, onCancelled }: { one: Import; onCancelled: () => void }) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['imports'] })
  const answer = useMutation({
    mutationFn: (onConflict: 'replace' | 'keep') =>
      call(answerImport, { params: { id: one.id }, body: { on_conflict: onConflict } }),
    onSuccess: (next) => {
      client.setQueryData(['imports', one.id], next)
      return refresh()
    },
  })
  const cancel = useMutation({
    mutationFn: () => call(deleteImport, { params: { id: one.id } }),
    onSuccess: () => {
      onCancelled()
      return refresh()
    },
  })
  const busy = answer.isPending || cancel.isPending
  const problem = answer.error ?? cancel.error
  const { replaces = 0, samples = [] } = one.asks ?? {}
  return (
    <div className="mt-3">
      <p role="status" className="font-medium">
        {replacesText(replaces)} in “{one.source?.name}”.
      </p>
      <p className="mt-1 text-muted">
        They match stored messages by ID or line, but the text is different. Replaced text is kept and can be restored.
      </p>
      <ul className="mt-3 flex flex-col gap-2" aria-label="Texts that will be replaced">
        {samples.map(({ line, before, after }) => (
          <li key={line} className="rounded border border-line px-3 py-2 text-small">
            <span className="text-muted">Row {line}</span>
            <del className="block truncate text-muted" dir="auto">
              {before}
            </del>
            <ins className="block truncate no-underline" dir="auto">
              {after}
            </ins>
          </li>
        ))}
      </ul>
      {replaces > samples.length ? (
        <p className="mt-2 text-small text-muted">And {count(replaces - samples.length)} more.</p>
      ) : null}
      {problem ? (
        <p role="alert" className="mt-3 rounded bg-bad-soft px-3 py-2 text-bad">
          {problem.message}
        </p>
      ) : null}
      <div data-edits className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" busy={busy} onClick={() => answer.mutate('replace')}>
          Replace the text
        </Button>
        <Button busy={busy} onClick={() => answer.mutate('keep')}>
          Keep the stored text
        </Button>
        <Button look="quiet" busy={busy} onClick={() => cancel.mutate()}>
          Cancel the import
        </Button>
      </div>
    </div>
  )
}
