import { leaveWorkspace } from '@groundswell/contract/team.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'

/** Leaving the workspace. The page then reloads in another workspace. */
export function LeaveRow({ isLastOwner }: { isLastOwner: boolean }) {
  const [asked, setAsked] = useState(false)
  const leave = useMutation({
    mutationFn: () => call(leaveWorkspace, {}),
    onSuccess: () => location.assign('/insights'),
    onError: (error) => {
      setAsked(false)
      toast({ title: 'You have not left', description: error.message, tone: 'destructive' })
    },
  })
  return (
    <SettingRow
      title="Leave the workspace"
      actions={
        <Button disabled={isLastOwner} onClick={() => setAsked(true)}>
          Leave…
        </Button>
      }
    >
      {isLastOwner ? 'You are the only owner: make somebody else an owner first.' : 'You lose access to it at once.'}
      <Confirm
        open={asked}
        onOpenChange={setAsked}
        title="Leave the workspace?"
        question="Your API keys and invitations here stop working. To come back, you need a new invitation."
        action="Leave"
        refuse="Cancel"
        busy={leave.isPending}
        onConfirm={() => leave.mutate()}
      />
    </SettingRow>
  )
}
