import clsx from 'clsx'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { filesOfDrop, filesOfInput, type PathFile } from './chosen-files.ts'

const ACCEPT = '.csv,.tsv,.tab,.xlsx,.xlsm,.ods,.json,.jsonl,.ndjson,.txt,.md,.log,.zip,.gz,text/*,application/jsonl'

/** React has no type for it. */
const FOLDERS = { webkitdirectory: '' }

/** Accepts a file, several, or a folder, dropped or chosen. */
export function FileDrop({ busy, onFiles }: { busy: boolean; onFiles: (files: Promise<PathFile[]>) => void }) {
  const [over, setOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer.files.length > 0 && !busy) onFiles(filesOfDrop(event.dataTransfer))
  }
  const take = (input: HTMLInputElement) => {
    const chosen = input.files ? filesOfInput(input.files) : []
    input.value = ''
    if (chosen.length > 0) onFiles(Promise.resolve(chosen))
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
        CSV, Excel, OpenDocument, JSON or plain text, also zipped, or a chat export, as .zip or folder. Several files
        with the same columns are one import. Importing the same file twice adds nothing.
      </p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button look="primary" busy={busy} onClick={() => files.current?.click()}>
          {busy ? 'Reading…' : 'Choose files'}
        </Button>
        <Button disabled={busy} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        accept={ACCEPT}
        multiple
        className="sr-only"
        aria-label="File of feedback"
        tabIndex={-1}
        onChange={(event) => take(event.target)}
      />
      <input
        ref={folder}
        type="file"
        {...FOLDERS}
        className="sr-only"
        aria-label="Folder of feedback"
        tabIndex={-1}
        onChange={(event) => take(event.target)}
      />
    </div>
  )
}
