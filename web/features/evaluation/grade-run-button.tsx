import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { isActive, useRuns } from './run-queries.ts'

const GradeRunDialog = lazyPart(async () => (await import('./grade-run-dialog.tsx')).GradeRunDialog)

/** Grades a run of the workspace. Not shown where there is none that has ended with answers. */
export function GradeRunButton() {
  const { data } = useRuns()
  const [open, setOpen] = useState(false)
  const runs = (data ?? []).filter((run) => !isActive(run) && run.done > 0)
  if (runs.length === 0 && !open) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <ClipboardCheck size={14} aria-hidden />
        Grade a run
      </Button>
      {open ? <GradeRunDialog runs={runs} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
