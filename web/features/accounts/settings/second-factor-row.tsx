import { getRecoveryCodes, makeRecoveryCodes } from '@groundswell/contract/accounts/my-account.ts'
import type { User } from '@supabase/auth-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm, Dialog } from '../../../ui/overlays/dialog.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import { formatMoment } from '../../../ui/text/moment.ts'
import { toast } from '../../../ui/toast-store.ts'
import { authClient, call } from '../../client/index.ts'
import { verifiedFactor } from '../account-user.ts'
import { useIsHosted } from '../auth-server.ts'
import { settled } from '../auth-words.ts'
import { EnrolDialog } from './enrol-dialog.tsx'
import { needsProof, ProofForm } from './proof-form.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

const FEW_CODES = 3

type Opened = 'enrol' | 'remove' | 'renew' | null

/** Two-factor authentication: set up, remaining recovery codes, remove. */
export function SecondFactorRow({ user }: { user: User }) {
  const queries = useQueryClient()
  const [open, setOpen] = useState<Opened>(null)
  const [unproven, setUnproven] = useState<(() => void) | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const factor = verifiedFactor(user)
  const isHosted = useIsHosted()
  const left = useQuery({
    queryKey: ['account', 'recovery-codes', factor?.id],
    queryFn: () => call(getRecoveryCodes, {}),
    enabled: factor !== undefined && !isHosted,
  })
  const refresh = () => queries.invalidateQueries({ queryKey: ['account'] })
  const failed = (error: Error, again: () => void) => {
    if (needsProof(error)) setUnproven(() => again)
    else toast({ title: 'Error', description: error.message, tone: 'destructive' })
  }
  const renew = useMutation({
    mutationFn: async () => (await call(makeRecoveryCodes, {})).codes,
    onSuccess: setCodes,
    onError: (error) => failed(error, () => renew.mutate()),
    onSettled: () => {
      setOpen(null)
      void refresh()
    },
  })
  const remove = useMutation({
    mutationFn: async (factorId: string) => settled(await (await authClient()).mfa.unenroll({ factorId })),
    onSuccess: async () => {
      await (await authClient()).refreshSession()
      toast({ title: 'Two-factor authentication removed', description: 'You now log in with your password only.' })
    },
    onError: (error, factorId) => failed(error, () => remove.mutate(factorId)),
    onSettled: () => {
      setOpen(null)
      void refresh()
    },
  })
  const few = left.data !== undefined && left.data.left <= FEW_CODES
  return (
    <>
      <SettingRow
        title={
          <span className="flex items-center gap-2">
            Two-factor authentication {factor ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
          </span>
        }
        actions={
          factor ? (
            <>
              {isHosted ? null : <Button onClick={() => setOpen('renew')}>New recovery codes</Button>}
              <Button look="danger" onClick={() => setOpen('remove')}>
                Remove
              </Button>
            </>
          ) : (
            <Button onClick={() => setOpen('enrol')}>Set up</Button>
          )
        }
      >
        {factor ? (
          <>
            A code from your authenticator app, since {formatMoment(factor.created_at)}.{' '}
            {left.data ? (
              <span className={few ? 'font-medium text-warn' : undefined}>
                {left.data.left === 1 ? '1 recovery code is left.' : `${left.data.left} recovery codes are left.`}
              </span>
            ) : null}
          </>
        ) : (
          'Asks for a code from an authenticator app after your password, so a stolen password is not enough to log in.'
        )}
      </SettingRow>
      <EnrolDialog
        user={user}
        open={open === 'enrol'}
        onClose={() => setOpen(null)}
        onDone={(made) => {
          setOpen(null)
          if (made.length > 0) setCodes(made)
          else
            toast({
              title: 'Two-factor authentication set up',
              description: 'Your next login asks for a code from the app.',
            })
          void refresh()
        }}
      />
      <FactorConfirms
        asked={open}
        isHosted={isHosted}
        renewing={renew.isPending}
        removing={remove.isPending}
        onClose={() => setOpen(null)}
        onRenew={() => renew.mutate()}
        onRemove={() => factor && remove.mutate(factor.id)}
      />
      <Dialog open={unproven !== null} onOpenChange={(next) => next || setUnproven(null)} title="Confirm it's you">
        <ProofForm
          user={user}
          onProven={() => {
            setUnproven(null)
            unproven?.()
          }}
          onClose={() => setUnproven(null)}
        />
      </Dialog>
      <RecoveryCodesDialog codes={codes} email={user.email ?? ''} onClose={() => setCodes(null)} />
    </>
  )
}

type FactorConfirmsProps = {
  asked: Opened
  isHosted: boolean
  renewing: boolean
  removing: boolean
  onClose: () => void
  onRenew: () => void
  onRemove: () => void
}

/** The questions before recovery codes are replaced and before two-factor authentication is removed. */
function FactorConfirms({ asked, isHosted, renewing, removing, onClose, onRenew, onRemove }: FactorConfirmsProps) {
  return (
    <>
      <Confirm
        open={asked === 'renew'}
        onOpenChange={(next) => next || onClose()}
        title="Generate new recovery codes?"
        question="Your current codes will stop working."
        action="Generate codes"
        refuse="Cancel"
        busy={renewing}
        onConfirm={onRenew}
      />
      <Confirm
        open={asked === 'remove'}
        onOpenChange={(next) => next || onClose()}
        title="Remove two-factor authentication?"
        question={
          isHosted
            ? 'You will log in with your password only.'
            : 'You will log in with your password only. Your recovery codes will stop working too.'
        }
        action="Remove"
        busy={removing}
        onConfirm={onRemove}
      />
    </>
  )
}
