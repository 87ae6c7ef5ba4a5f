import { deleteImport, type Import, previewImportDeletion } from '@groundswell/contract/feedback.ts'
import { useQueryClient } from '@tanstack/react-query'
import { plural } from '../../ui/plural.ts'
import { call } from '../client/index.ts'
import { DeletionDialog } from './deletion-dialog.tsx'

type DeleteImportProps = { one: Import; onClose: () => void; onDeleted: () => void }

/** Shows what deleting an import changes, and deletes it. */
export function DeleteImport({ one, onClose, onDeleted }: DeleteImportProps) {
  const client = useQueryClient()
  const { id, name } = one
  return (
    <DeletionDialog
      title="Delete this import?"
      description={name}
      action="Delete import"
      previewKey={['imports', id, 'deletion']}
      preview={() => call(previewImportDeletion, { params: { id } })}
      remove={() => call(deleteImport, { params: { id } })}
      onClose={onClose}
      onDeleted={() => {
        onDeleted()
        void client.invalidateQueries({ queryKey: ['insights'] })
        return client.invalidateQueries({ queryKey: ['imports'], predicate: ({ queryKey }) => queryKey[1] !== id })
      }}
      more={({ restored }) =>
        restored > 0 ? <li>{plural(restored, 'message')} will be restored to the earlier text.</li> : null
      }
    />
  )
}
