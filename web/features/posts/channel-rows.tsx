import type { DigestChoice, DigestPreviewed } from '@groundswell/contract/digests.ts'
import { type ChannelChoice, type PosterView, setPostChannel } from '@groundswell/contract/posts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { AlertRows, FrequencySelect, HourSelect, previewedKind, WeekdaySelect } from '../digests/index.ts'
import { replacePoster } from './posting-queries.ts'

const PostPreview = lazyDialog(async () => (await import('./post-preview.tsx')).PostPreview)

const NOTHING = { spike: false, regression: false, themes: [] }

type ChannelRowsProps = { poster: PosterView; channel: ChannelChoice; isOwner: boolean }

/** What one channel gets. */
export function ChannelRows({ poster: { tile }, channel, isOwner }: ChannelRowsProps) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [previewing, setPreviewing] = useState<DigestPreviewed | null>(null)
  const { choice, label } = channel
  const save = useMutation({
    mutationFn: (next: DigestChoice) =>
      call(setPostChannel, { params: { tile }, body: { channel: channel.channel, choice: next } }),
    onSuccess(saved) {
      replacePoster(client, saved)
      toast({ title: 'Settings saved' })
    },
    onError: (error) => toast({ title: 'Not saved', description: error.message, tone: 'destructive' }),
  })
  const change = (part: Partial<DigestChoice>) => save.mutate({ ...choice, ...part })
  const disabled = save.isPending || !isOwner
  return (
    <>
      <SettingRow
        title={<span dir="auto">{label}</span>}
        actions={
          <>
            <FrequencySelect
              label={`Digest for ${label}`}
              off="No digest"
              choice={choice}
              disabled={disabled}
              onChange={change}
            />
            <Button aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Less' : 'More…'}
            </Button>
            <Button
              data-owners
              busy={save.isPending}
              onClick={() => change({ frequency: 'off', alerts: NOTHING })}
              aria-label={`Turn off ${label}`}
            >
              Turn off
            </Button>
          </>
        }
      >
        {channel.next_at === null ? 'Alerts only.' : `Next digest: ${formatMoment(channel.next_at)}.`} Set by{' '}
        {channel.set_by}.
      </SettingRow>
      {open ? (
        <>
          {choice.frequency === 'off' ? null : (
            <SettingRow
              title="When"
              actions={
                <>
                  <WeekdaySelect label={`Day for ${label}`} choice={choice} disabled={disabled} onChange={change} />
                  <HourSelect
                    label={`Hour for ${label}`}
                    hour={choice.hour}
                    disabled={disabled}
                    onChange={(hour) => change({ hour })}
                  />
                  <Button onClick={() => setPreviewing(previewedKind(choice))}>Preview…</Button>
                </>
              }
            >
              In the time zone of {choice.time_zone.replaceAll('_', ' ')}.
            </SettingRow>
          )}
          <AlertRows
            choice={choice}
            lead="Posted within minutes, at most once an hour."
            enabled={!disabled}
            onChange={change}
            onPreview={() => setPreviewing('alerts')}
          />
        </>
      ) : null}
      {previewing ? <PostPreview tile={tile} post={previewing} onClose={() => setPreviewing(null)} /> : null}
    </>
  )
}
