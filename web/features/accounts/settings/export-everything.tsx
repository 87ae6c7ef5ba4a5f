import clsx from 'clsx'
import { Button } from '../../../ui/button.tsx'
import type { WorkspaceExport } from './workspace-export.ts'

type ExportEverythingProps = {
  exporting: WorkspaceExport
  label: string
  /** The button is at the end of its line on wide screens, and stays there. */
  atEnd?: boolean
}

/** The button that exports the whole workspace, and beside it how much has arrived. */
export function ExportEverything({ exporting, label, atEnd = false }: ExportEverythingProps) {
  return (
    <div className={clsx('flex items-center', atEnd && 'sm:flex-row-reverse')}>
      <Button busy={exporting.busy} onClick={exporting.start}>
        {label}
      </Button>
      <span role="status" className={clsx('text-small text-muted tabular-nums', exporting.busy && 'mx-3')}>
        {exporting.busy ? (exporting.arrived ?? 'Preparing …') : null}
      </span>
    </div>
  )
}
