import { exportMyData } from '@groundswell/contract/accounts/my-account.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { saveText } from '../../../ui/text/save-file.ts'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { useWorkspaceExport } from './workspace-export.ts'

/** What is stored about the person: its export, and the deletion of the account. */
export function OwnData() {
  const [deleting, setDeleting] = useState(false)
  const exporting = useWorkspaceExport()
  const take = useMutation({
    mutationFn: () => call(exportMyData, {}),
    onSuccess: (data) => saveText('groundswell-my-data.json', JSON.stringify(data, null, 2), 'application/json'),
    onError: (error) => toast({ title: 'Export failed', description: error.message, tone: 'destructive' }),
  })
  return (
    <Section title="Your data">
      <SettingCard>
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
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete my account
            </Button>
          }
        >
          Workspaces in which nobody else works are deleted with it. This cannot be undone.
        </SettingRow>
      </SettingCard>
      <DeleteAccountDialog open={deleting} exporting={exporting} onClose={() => setDeleting(false)} />
    </Section>
  )
}
