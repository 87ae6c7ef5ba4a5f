import { Button } from '../../ui/button.tsx'
import type { WorkspaceExport } from './workspace-export.ts'

/** The button that exports the whole workspace, and beside it how much has arrived. */
export function ExportEverything({ exporting, label }: { exporting: WorkspaceExport; label: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span role="status" className="text-small text-muted tabular-nums">
        {exporting.busy ? (exporting.arrived ?? 'Preparing …') : null}
      </span>
      <Button busy={exporting.busy} onClick={exporting.start}>
        {label}
      </Button>
    </div>
  )
}
