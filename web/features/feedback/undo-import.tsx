import { deleteImport, type Import, previewImportDeletion } from '@groundswell/contract/feedback.ts'
import { useQueryClient } from '@tanstack/react-query'
import { plural } from '../../ui/plural.ts'
import { toast } from '../../ui/toast-store.ts'
import { CallError, call } from '../client/index.ts'
import { DeletionDialog } from './deletion-dialog.tsx'
import { undoWords } from './import-words.ts'

type UndoImportProps = { one: Import; onClose: () => void; onUndone: () => void }

/** Shows what undoing an import removes and what it keeps, and undoes it. */
export function UndoImport({ one, onClose, onUndone }: UndoImportProps) {
  const client = useQueryClient()
  const { id, name } = one
  const words = undoWords(one)
  return (
    <DeletionDialog
      title={words.title}
      description={name}
      action={words.action}
      previewKey={['imports', id, 'deletion']}
      preview={() => call(previewImportDeletion, { params: { id } })}
      remove={() => call(deleteImport, { params: { id } }).catch(unlessGone)}
      onClose={onClose}
      onDeleted={() => {
        onUndone()
        toast({ title: words.done })
        void client.invalidateQueries({ queryKey: ['insights'] })
        return client.invalidateQueries({ queryKey: ['imports'], predicate: ({ queryKey }) => queryKey[1] !== id })
      }}
      more={({ restored, kept }) => (
        <>
          {restored > 0 ? <li>{plural(restored, 'message')} will be restored to the earlier text.</li> : null}
          {kept > restored ? (
            <li>{plural(kept - restored, 'message')} that another import has too will be kept as they are.</li>
          ) : null}
        </>
      )}
    />
  )
}

/** Another tab, or an attempt whose answer was lost, has undone it. */
function unlessGone(error: unknown): void {
  if (!(error instanceof CallError) || error.status !== 404) throw error
}
