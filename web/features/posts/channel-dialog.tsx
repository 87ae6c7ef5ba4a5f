import {
  DIGEST_KINDS,
  type DigestChoice,
  type DigestKind,
  digestKinds,
  hasWeekday,
} from '@groundswell/contract/digests.ts'
import { listPostChannels, type PosterView, setPostChannel } from '@groundswell/contract/posts.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { PostText } from './post-preview.tsx'
import { replacePoster } from './posting-queries.ts'

type ChannelDialogProps = { poster: PosterView; onClose: () => void }

/** Chooses a channel and how often it gets a digest, with the message as it would be posted now. */
export function ChannelDialog({ poster: { tile, label, channels }, onClose }: ChannelDialogProps) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState('')
  const [frequency, setFrequency] = useState<DigestKind>('daily')
  const listed = useQuery({
    queryKey: ['post-channels', tile],
    queryFn: () => call(listPostChannels, { params: { tile } }),
    gcTime: 0,
    retry: false,
  })
  const free = listed.data?.channels.filter(({ id }) => !channels.some(({ channel }) => channel === id))
  const channel = chosen || (free?.[0]?.id ?? '')
  const save = useMutation({
    mutationFn: () => {
      const choice: DigestChoice = {
        frequency,
        weekday: 1,
        hour: 9,
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        alerts: { spike: false, regression: false, themes: [] },
        quiet: null,
      }
      return call(setPostChannel, { params: { tile }, body: { channel, choice } })
    },
    onSuccess(saved) {
      replacePoster(client, saved)
      toast({ title: 'The digest is on' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Add a channel"
      description={`The ${label} channels that the app was invited to.`}
    >
      {free ? (
        free.length === 0 ? (
          <p>There is none left. Invite the app in {label}: write /invite in the channel and choose the app.</p>
        ) : (
          <div className="flex flex-col gap-4">
            <Field label="Channel">
              {(ids) => (
                <Select {...ids} value={channel} onChange={({ target }) => setChosen(target.value)}>
                  {free.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.hint ? `${one.label} (${one.hint})` : one.label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Digest" help="Sent at 09:00. You can set the hour, alerts and quiet hours afterwards.">
              {(ids) => (
                <Select {...ids} value={frequency} onChange={({ target }) => setFrequency(target.value as DigestKind)}>
                  {digestKinds.map((kind) => (
                    <option key={kind} value={kind}>
                      {DIGEST_KINDS[kind].label}
                      {hasWeekday(kind) ? ', on Monday' : ''}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <div>
              <p className="mb-1 text-small font-medium text-muted">As it would be posted now</p>
              <PostText tile={tile} post={frequency} />
            </div>
          </div>
        )
      ) : listed.isPending ? (
        <div className="skeleton h-24" role="status" aria-label="Channels are loading" />
      ) : (
        <p role="alert">The channels could not be loaded. {listed.error?.message}</p>
      )}
      {save.isError ? (
        <p role="alert" className="mt-4 rounded bg-bad-soft px-3 py-2 text-bad">
          {save.error.message}
        </p>
      ) : null}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {free ? (
          <Button look="primary" disabled={channel === ''} busy={save.isPending} onClick={() => save.mutate()}>
            Turn on
          </Button>
        ) : (
          <Button busy={listed.isFetching} onClick={() => void listed.refetch()}>
            Try again
          </Button>
        )}
      </div>
    </Dialog>
  )
}
