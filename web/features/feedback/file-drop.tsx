import clsx from 'clsx'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'

const ACCEPT = '.csv,.tsv,.tab,.xlsx,.xlsm,.ods,.json,.jsonl,.ndjson,.txt,.md,.log,.zip,.gz,text/*,application/jsonl'

/** Accepts one file, dropped or chosen. */
export function FileDrop({ busy, onFile }: { busy: boolean; onFile: (file: File) => void }) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !busy) onFile(file)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        'flex flex-col items-center rounded-large border border-dashed px-4 py-12 text-center transition-colors',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface',
      )}
    >
      <FileUp size={24} aria-hidden className="text-muted" />
      <p className="mt-3 text-lead font-semibold">Drop a file of feedback here</p>
      <p className="mt-1 text-muted">
        CSV, Excel, OpenDocument, JSON or plain text, also zipped, or the .zip of a chat export. Importing the same file
        twice adds nothing.
      </p>
      <Button look="primary" className="mt-4" busy={busy} onClick={() => input.current?.click()}>
        {busy ? 'Reading…' : 'Choose a file'}
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        className="sr-only"
        aria-label="File of feedback"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
    </div>
  )
}
