import {
  deleteReceiver,
  listReceivers,
  MAX_RECEIVERS,
  type Receiver,
  rotateReceiverSecret,
  updateReceiver,
} from '@groundswell/contract/receivers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { Section } from '../../ui/page.tsx'
import { SettingNotLoaded } from '../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../ui/setting-row.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { ReceiverDialog } from './receiver-dialog.tsx'
import { eventsInWords, receiverName, receiverState } from './receiver-words.ts'
import { SecretDialog } from './secret-dialog.tsx'

const RECEIVERS = ['receivers']

/** The receivers of the workspace's events: adding, changing, testing and deleting them. */
export function ReceiversSection() {
  const receivers = useQuery({ queryKey: RECEIVERS, queryFn: () => call(listReceivers, {}), retry: false })
  return (
    <Section title="Webhooks" lead="Signed messages to your own programs when something happens to an insight.">
      {receivers.data ? (
        <Receivers receivers={receivers.data.receivers} />
      ) : (
        <SettingNotLoaded
          query={receivers}
          loading="Webhooks are loading"
          failed="Webhooks could not be loaded"
          rows={1}
        />
      )}
    </Section>
  )
}

type Open =
  | { is: 'adding' }
  | { is: 'editing' | 'deliveries' | 'rotating' | 'deleting'; receiver: Receiver }
  | { is: 'secret'; secret: string; rotated: boolean }

function Receivers({ receivers }: { receivers: readonly Receiver[] }) {
  const client = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const reload = () => client.invalidateQueries({ queryKey: RECEIVERS })
  const failed = (title: string) => (error: Error) => toast({ title, description: error.message, tone: 'destructive' })
  const enable = useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) =>
      call(updateReceiver, { params: { id }, body: { enabled } }),
    onError: failed('Not changed'),
    onSettled: reload,
  })
  const rotate = useMutation({
    mutationFn: ({ id }: Receiver) => call(rotateReceiverSecret, { params: { id } }),
    onSuccess: ({ secret }) => setOpen({ is: 'secret', secret, rotated: true }),
    onError: failed('Not rotated'),
    onSettled: reload,
  })
  const remove = useMutation({
    mutationFn: ({ id }: Receiver) => call(deleteReceiver, { params: { id } }),
    onSuccess: () => toast({ title: 'Webhook deleted' }),
    onError: failed('Not deleted'),
    onSettled: () => {
      close()
      return reload()
    },
  })
  return (
    <SettingCard>
      {receivers.map((receiver) => (
        <ReceiverRow
          key={receiver.id}
          receiver={receiver}
          onEnable={(enabled) => enable.mutate({ id: receiver.id, enabled })}
          onOpen={(is) => setOpen({ is, receiver })}
        />
      ))}
      <SettingRow
        title={receivers.length === 0 ? 'No webhooks yet' : 'Another webhook'}
        actions={
          <Button disabled={receivers.length >= MAX_RECEIVERS} onClick={() => setOpen({ is: 'adding' })}>
            Add webhook…
          </Button>
        }
      >
        {receivers.length >= MAX_RECEIVERS
          ? `A workspace has at most ${MAX_RECEIVERS} webhooks.`
          : 'They follow the Standard Webhooks specification.'}
      </SettingRow>
      {open?.is === 'adding' || open?.is === 'editing' ? (
        <ReceiverDialog
          receiver={open.is === 'editing' ? open.receiver : null}
          onClose={close}
          onSaved={(secret) => {
            setOpen(secret === null ? null : { is: 'secret', secret, rotated: false })
            void reload()
          }}
        />
      ) : null}
      {open?.is === 'secret' ? <SecretDialog secret={open.secret} rotated={open.rotated} onClose={close} /> : null}
      {open?.is === 'deliveries' ? (
        <DeliveriesDialog
          receiver={open.receiver}
          onClose={() => {
            close()
            void reload()
          }}
        />
      ) : null}
      <Confirm
        open={open?.is === 'rotating'}
        onOpenChange={close}
        title="Rotate the secret?"
        question="You get a new secret. The current one stays valid for 24 hours: until then every message is signed with both."
        action="Rotate"
        refuse="Cancel"
        busy={rotate.isPending}
        onConfirm={() => open?.is === 'rotating' && rotate.mutate(open.receiver)}
      />
      <Confirm
        open={open?.is === 'deleting'}
        onOpenChange={close}
        title={open?.is === 'deleting' ? `Delete ${receiverName(open.receiver)}?` : 'Delete the webhook?'}
        question="Events that have not been sent yet are lost. This cannot be undone."
        action="Delete"
        busy={remove.isPending}
        onConfirm={() => open?.is === 'deleting' && remove.mutate(open.receiver)}
      />
    </SettingCard>
  )
}

type ReceiverRowProps = {
  receiver: Receiver
  onEnable: (enabled: boolean) => void
  onOpen: (is: 'editing' | 'deliveries' | 'rotating' | 'deleting') => void
}

function ReceiverRow({ receiver, onEnable, onOpen }: ReceiverRowProps) {
  const name = receiverName(receiver)
  const state = receiverState(receiver)
  const isOn = receiver.disabled === null
  return (
    <SettingRow
      title={
        <span className="flex flex-wrap items-center gap-2">
          {name} {state ? <Badge tone={state.tone}>{state.label}</Badge> : null}
        </span>
      }
      actions={
        <>
          <Button aria-label={`Deliveries to ${name}`} onClick={() => onOpen('deliveries')}>
            Deliveries…
          </Button>
          <Menu
            align="end"
            entries={[
              { label: 'Edit…', leads: true, onSelect: () => onOpen('editing') },
              { label: isOn ? 'Disable' : 'Enable', onSelect: () => onEnable(!isOn) },
              { label: 'Rotate secret…', leads: true, onSelect: () => onOpen('rotating') },
              { kind: 'line' },
              { label: 'Delete…', danger: true, leads: true, onSelect: () => onOpen('deleting') },
            ]}
            trigger={
              <IconButton label={`Manage ${name}`}>
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            }
          />
        </>
      }
    >
      <span dir="auto">{[receiver.description, eventsInWords(receiver.events)].filter(Boolean).join(' · ')}</span>
      {state ? <span className="block">{state.help}</span> : null}
    </SettingRow>
  )
}
