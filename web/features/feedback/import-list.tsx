import { Trash2, Undo2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { isGoingOn, useImports } from './import-queries.ts'
import { importText, undoWords } from './import-words.ts'
import { UndoButton } from './undo-import.tsx'

type ImportListProps = { onOpen: (id: string) => void; onUndone: (id: string) => void }

/** The imports so far, newest first, to be opened and undone. */
export function ImportList({ onOpen, onUndone }: ImportListProps) {
  const { data, error, refetch } = useImports()
  return (
    <Section title="Imports so far">
      {!data && error ? (
        <div className="flex flex-wrap items-center gap-3 rounded border border-line bg-surface px-4 py-3">
          <p role="alert" className="text-bad">
            The imports could not be loaded. {error.message}
          </p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      ) : !data ? (
        <div className="skeleton h-24" role="status" aria-label="Loading the imports" />
      ) : data.length === 0 ? (
        <p className="rounded border border-dashed border-line px-4 py-3 text-muted">
          None yet. Each file that you import is listed here and can be undone.
        </p>
      ) : (
        <ul className="overflow-hidden rounded border border-line bg-surface">
          {data.map((one) => (
            <li key={one.id} className="flex items-center border-b border-line last:border-0 hover:bg-hover">
              <button type="button" onClick={() => onOpen(one.id)} className="min-w-0 flex-1 px-4 py-2.5 text-left">
                <span className="flex items-center justify-between gap-x-4">
                  <span dir="auto" className="min-w-0 truncate font-medium" title={one.name}>
                    {one.name}
                  </span>
                  {one.state === 'failed' ? (
                    <StatusDot colour="red" label="Failed" />
                  ) : one.state === 'asking' ? (
                    <StatusDot colour="orange" label="Needs an answer" />
                  ) : isGoingOn(one) ? (
                    <StatusDot colour="orange" label="Running" />
                  ) : null}
                </span>
                <span className="flex flex-wrap justify-between gap-x-4 text-small text-muted">
                  <span className="min-w-0 break-words tabular-nums">
                    {importText(one)}
                    {one.source ? (
                      <>
                        {' · '}
                        <span dir="auto">into {one.source.name}</span>
                      </>
                    ) : null}
                  </span>
                  <span>{formatMoment(one.started_at)}</span>
                </span>
              </button>
              <UndoButton
                one={one}
                onUndone={() => onUndone(one.id)}
                button={({ busy, undo }) => (
                  <IconButton
                    data-edits
                    label={undoWords(one).label}
                    className="mr-2"
                    aria-busy={busy}
                    disabled={busy}
                    onClick={undo}
                  >
                    {one.bytes === 0 ? <Trash2 size={14} aria-hidden /> : <Undo2 size={14} aria-hidden />}
                  </IconButton>
                )}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
