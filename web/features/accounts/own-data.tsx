import { exportMyData } from '@groundswell/contract/my-account.ts'
import { useMutation } from '@tanstack/react-query'
import clsx from 'clsx'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { SettingCard, SettingRow } from '../../ui/setting-row.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { DeleteWorkspaceDialog } from './delete-workspace-dialog.tsx'
import { ExportEverything } from './export-everything.tsx'
import { saveText } from './save-text.ts'
import { useUserData } from './user-store.ts'
import { useWorkspaceExport } from './workspace-export.ts'

/**
 * What is stored, of the workspace and about the person: export or delete it. A session of single sign-on (`bySso`) is shown the workspace only:
 * the account may belong to other workspaces too.
 */
export function OwnData({ bySso }: { bySso: boolean }) {
  const isOwner = useUserData()?.workspace?.role === 'owner'
  const [deleting, setDeleting] = useState<'account' | 'workspace' | null>(null)
  const exporting = useWorkspaceExport()
  const close = () => setDeleting(null)
  if (bySso && !isOwner) return null
  return (
    <Section title="Your data">
      <SettingCard>
        <div data-owners className={clsx(!bySso && 'border-b border-line')}>
          <SettingRow
            title="Your workspace"
            actions={<ExportEverything exporting={exporting} label="Export everything" atEnd />}
          >
            Feedback, insights, corrections, settings and pushes in one file, without secrets.
          </SettingRow>
          <SettingRow
            title="Delete this workspace"
            actions={
              <Button look="danger" onClick={() => setDeleting('workspace')}>
                Delete workspace…
              </Button>
            }
          >
            For everyone in it, with everything that is stored in it. Your account stays.
          </SettingRow>
        </div>
        {bySso ? null : <AccountRows onDelete={() => setDeleting('account')} />}
      </SettingCard>
      {deleting === 'workspace' ? <DeleteWorkspaceDialog exporting={exporting} onClose={close} /> : null}
      <DeleteAccountDialog open={deleting === 'account'} exporting={exporting} onClose={close} />
    </Section>
  )
}

/** The export of what is stored about the person, and the deletion of the account. */
function AccountRows({ onDelete }: { onDelete: () => void }) {
  const take = useMutation({
    mutationFn: () => call(exportMyData, {}),
    onSuccess: (data) => saveText('groundswell-my-data.json', JSON.stringify(data, null, 2), 'application/json'),
    onError: (error) => toast({ title: 'Export failed', description: error.message, tone: 'destructive' }),
  })
  return (
    <>
      <SettingRow
        title="What is stored about you"
        actions={
          <Button busy={take.isPending} onClick={() => take.mutate()}>
            Export my data
          </Button>
        }
      >
        Your profile, sign-ins and log entries, as a JSON file.
      </SettingRow>
      <SettingRow
        title="Delete your account"
        actions={
          <Button look="danger" onClick={onDelete}>
            Delete my account
          </Button>
        }
      >
        Workspaces in which nobody else works are deleted with it. This cannot be undone.
      </SettingRow>
    </>
  )
}
