import type { PublicConfig } from '@groundswell/contract/operations.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { authClient, readToken } from '../../client/index.ts'
import { settled } from '../auth-words.ts'
import { endSignInOf, leaveSession } from '../session.ts'

/** Ends the sessions of other browsers where a hosted project manages them without a list. */
export function HostedSignIns({ project }: { project: NonNullable<PublicConfig['hosted_auth']> }) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const end = useMutation({
    mutationFn: async (scope: 'global' | 'others') => {
      const token = readToken()
      const { error } = await (await authClient()).signOut({ scope })
      settled({ data: {}, error })
      if (scope === 'global') endSignInOf(token)
    },
    onSuccess: (_, scope) => {
      if (scope === 'others') {
        toast({ title: 'Signed out everywhere else', description: 'It takes effect there within the hour.' })
        return
      }
      leaveSession()
      void navigate('/auth', { replace: true })
    },
    onError: (error: Error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
    onSettled: () => setAsking(false),
  })
  return (
    <Section
      title="Where you are signed in"
      lead="If you think someone else is signed in, sign out everywhere else and change your password."
    >
      <SettingCard>
        <SettingRow
          title="Other browsers and devices"
          actions={
            <>
              <Button disabled={end.isPending} onClick={() => end.mutate('others')}>
                Sign out everywhere else
              </Button>
              <Button look="danger" disabled={end.isPending} onClick={() => setAsking(true)}>
                Sign out everywhere
              </Button>
            </>
          }
        >
          {`${new URL(project.url).host} manages your sessions. It can end them but does not list them.`}
        </SettingRow>
      </SettingCard>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        question="This signs out every browser and device, including this one."
        action="Sign out everywhere"
        refuse="Cancel"
        busy={end.isPending}
        onConfirm={() => end.mutate('global')}
      />
    </Section>
  )
}
