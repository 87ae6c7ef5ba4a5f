import { Play } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { useRuns } from './run-queries.ts'

const NewRunDialog = lazyPart(async () => (await import('./new-run-dialog.tsx')).NewRunDialog)

/** Starts a run over the workspace's own feedback. Not shown on a server without runs. */
export function NewRunButton({ primary = false }: { primary?: boolean }) {
  const { data: runs } = useRuns()
  const [open, setOpen] = useState(false)
  if (!runs) return null
  return (
    <>
      <Button look={primary ? 'primary' : 'secondary'} onClick={() => setOpen(true)}>
        <Play size={14} aria-hidden />
        New run
      </Button>
      {open ? <NewRunDialog names={runs.map(({ name }) => name)} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
