import {
  endMySession,
  endMySessions,
  listMySessions,
  type MySession,
} from '@groundswell/contract/accounts/my-account.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingNotLoaded } from '../../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { formatMoment } from '../../../ui/text/moment.ts'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { leaveSession } from '../session.ts'

const SIGN_INS_KEY = ['account', 'sign-ins'] as const

/** The sessions of the account, each of which can be ended. */
export function SignIns() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const signIns = useQuery({ queryKey: SIGN_INS_KEY, queryFn: () => call(listMySessions, {}) })
  const failed = (error: Error) => toast({ title: 'Error', description: error.message, tone: 'destructive' })
  const endOne = useMutation({
    mutationFn: (id: string) => call(endMySession, { params: { id } }),
    onSuccess: () => toast({ title: 'Session signed out', description: 'It takes effect within seconds.' }),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: SIGN_INS_KEY }),
  })
  const endMany = useMutation({
    mutationFn: (scope: 'all' | 'others') => call(endMySessions, { body: { scope } }),
    onSuccess: ({ ended }, scope) => {
      if (scope === 'others') {
        toast({ title: 'Signed out everywhere else', description: `${ended} ended. You stay signed in here.` })
        return
      }
      leaveSession()
      void navigate('/auth', { replace: true })
    },
    onError: failed,
    onSettled: () => {
      setAsking(false)
      void queries.invalidateQueries({ queryKey: SIGN_INS_KEY })
    },
  })
  const list = signIns.data?.sessions ?? []
  const busy = endOne.isPending || endMany.isPending
  return (
    <Section
      title="Where you are signed in"
      lead="If you do not recognize one of them, sign it out and change your password."
    >
      {signIns.isPending || signIns.isError ? (
        <SettingNotLoaded
          query={signIns}
          loading="Loading your sessions"
          failed="Your sessions could not be loaded"
          rows={2}
        />
      ) : (
        <SettingCard>
          {list.map((one) => (
            <SignIn key={one.id} signIn={one} busy={busy} onEnd={() => endOne.mutate(one.id)} />
          ))}
          <div className="flex flex-wrap justify-end gap-2 px-5 py-3.5">
            {list.length > 1 ? (
              <Button disabled={busy} onClick={() => endMany.mutate('others')}>
                Sign out everywhere else
              </Button>
            ) : null}
            <Button look="danger" disabled={busy} onClick={() => setAsking(true)}>
              Sign out everywhere
            </Button>
          </div>
        </SettingCard>
      )}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        question="This signs out every browser and device, including this one."
        action="Sign out everywhere"
        refuse="Cancel"
        busy={endMany.isPending}
        onConfirm={() => endMany.mutate('all')}
      />
    </Section>
  )
}

function SignIn({ signIn, busy, onEnd }: { signIn: MySession; busy: boolean; onEnd: () => void }) {
  const { device, address, started_at, last_used_at, new_address_at, new_device_at, second_factor, is_this } = signIn
  const moves = [
    new_device_at ? `Used from a new device on ${formatMoment(new_device_at)}` : null,
    new_address_at ? `Used from a new address on ${formatMoment(new_address_at)}` : null,
  ].filter((move) => move !== null)
  const details = [
    address,
    is_this ? `since ${formatMoment(started_at)}` : `last used ${formatMoment(last_used_at)}`,
    second_factor ? 'with two-factor authentication' : null,
  ]
  return (
    <SettingRow
      title={
        <span className="flex flex-wrap items-center gap-2">
          {device} {is_this ? <Badge tone="accent">This one</Badge> : null}
        </span>
      }
      actions={
        is_this ? null : (
          <Button disabled={busy} aria-label={`Sign out ${device}`} onClick={onEnd}>
            Sign out
          </Button>
        )
      }
    >
      {details.filter((detail) => detail !== null).join(' · ')}
      {moves.map((move) => (
        <span key={move} className="block text-warn">
          {move}
        </span>
      ))}
    </SettingRow>
  )
}
