import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { DeleteWorkspaceDialog } from './delete-workspace-dialog.tsx'
import { ExportEverything } from './export-everything.tsx'
import { useWorkspaceExport } from './workspace-export.ts'

/** What is stored in the workspace, for owners: its export, and the deletion of the workspace. */
export function WorkspaceData() {
  const [deleting, setDeleting] = useState(false)
  const exporting = useWorkspaceExport()
  return (
    <Section title="Workspace data">
      <SettingCard>
        <SettingRow
          title="Everything in this workspace"
          actions={<ExportEverything exporting={exporting} label="Export everything" atEnd />}
        >
          Feedback, insights, corrections, settings and pushes in one file, without secrets.
        </SettingRow>
        <SettingRow
          title="Delete this workspace"
          actions={
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete workspace…
            </Button>
          }
        >
          For everyone in it, with everything that is stored in it. Your account stays.
        </SettingRow>
      </SettingCard>
      {deleting ? <DeleteWorkspaceDialog exporting={exporting} onClose={() => setDeleting(false)} /> : null}
    </Section>
  )
}
