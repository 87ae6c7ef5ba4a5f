import { deleteImport, type PeoplesWork, previewImportDeletion } from '@groundswell/contract/feedback/import-undo.ts'
import type { Import } from '@groundswell/contract/feedback.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/text/plural.ts'
import { toast } from '../../ui/toast-store.ts'
import { CallError, call } from '../client/index.ts'
import { DeletionDialog } from './deletion-dialog.tsx'
import { undoWords } from './import-words.ts'

type UndoImportProps = { one: Import; onClose: () => void; onUndone: () => void }

/** Shows what undoing an import removes and what it keeps, and undoes it. */
function UndoImport({ one, onClose, onUndone }: UndoImportProps) {
  const { id, name } = one
  const words = undoWords(one)
  const onDeleted = useUndone(one, onUndone)
  return (
    <DeletionDialog
      title={words.title}
      description={name}
      action={words.action}
      previewKey={['imports', id, 'deletion']}
      preview={() => effectsOf(id)}
      remove={() => remove(id)}
      onClose={onClose}
      onDeleted={onDeleted}
      more={({ restored, kept, work }) => (
        <>
          {restored > 0 ? <li>{plural(restored, 'message')} will be restored to the earlier text.</li> : null}
          {kept > restored ? (
            <li>{plural(kept - restored, 'message')} that another import has too will be kept as they are.</li>
          ) : null}
          {work ? <Work work={work} /> : null}
        </>
      )}
    />
  )
}

type UndoButtonProps = Omit<UndoImportProps, 'onClose'> & {
  /** How the button looks, for what it is to show and to do. */
  button?: (state: { busy: boolean; undo: () => void }) => ReactNode
}

/**
 * Undoes an import at once if nothing is lost that people did since; otherwise, and where that cannot be checked, asks first. So do messages of a
 * program: they are no mistake that was just made.
 */
export function UndoButton({ one, onUndone, button = withWords }: UndoButtonProps) {
  const [asking, setAsking] = useState(false)
  const onDeleted = useUndone(one, onUndone)
  const undo = useMutation({
    mutationFn: async () => {
      if (one.bytes === 0) return false
      const { work } = await effectsOf(one.id)
      if (!work || Object.values(work).some((lost) => lost > 0)) return false
      await remove(one.id)
      return true
    },
    onSuccess: (undone) => (undone ? onDeleted() : setAsking(true)),
    // The dialog shows the error and can be confirmed again.
    onError: () => setAsking(true),
  })
  return (
    <>
      {button({ busy: undo.isPending, undo: () => undo.mutate() })}
      {asking ? <UndoImport one={one} onClose={() => setAsking(false)} onUndone={onUndone} /> : null}
    </>
  )
}

const withWords: NonNullable<UndoButtonProps['button']> = ({ busy, undo }) => (
  <Button data-edits busy={busy} onClick={undo}>
    <Undo2 size={14} aria-hidden />
    Undo import
  </Button>
)

const effectsOf = (id: string) => call(previewImportDeletion, { params: { id } })
const remove = (id: string) => call(deleteImport, { params: { id } }).catch(unlessGone)

function useUndone(one: Import, onUndone: () => void) {
  const client = useQueryClient()
  return () => {
    onUndone()
    toast({ title: undoWords(one).done })
    void client.invalidateQueries({ queryKey: ['insights'] })
    return client.invalidateQueries({ queryKey: ['imports'], predicate: ({ queryKey }) => queryKey[1] !== one.id })
  }
}

/** What people did that is lost, or was already sent. */
function Work({ work: { messages, insights, comments, pushed } }: { work: PeoplesWork }) {
  return (
    <>
      {messages > 0 ? <li>Corrections of {plural(messages, 'message')} will be lost.</li> : null}
      {insights > 0 ? <li>What people changed in {plural(insights, 'insight')} will be lost.</li> : null}
      {comments > 0 ? <li>{plural(comments, 'comment')} will be lost.</li> : null}
      {pushed > 0 ? (
        <li>
          {plural(pushed, 'insight')} that {pushed === 1 ? 'was' : 'were'} pushed will change.
        </li>
      ) : null}
    </>
  )
}

/** Another tab, or an attempt whose answer was lost, has undone it. */
function unlessGone(error: unknown): void {
  if (!(error instanceof CallError) || error.status !== 404) throw error
}
