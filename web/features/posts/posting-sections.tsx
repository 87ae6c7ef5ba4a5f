import { endPosting, type PosterView } from '@groundswell/contract/posts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { Section } from '../../ui/page.tsx'
import { SettingNotLoaded } from '../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingCardSkeleton, SettingRow } from '../../ui/setting-row.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { mailState } from '../digests/index.ts'
import { ChannelRows } from './channel-rows.tsx'
import { reloadPosting, usePosting } from './posting-queries.ts'

const AllowDialog = lazyDialog(async () => (await import('./allow-dialog.tsx')).AllowDialog)
const ChannelDialog = lazyDialog(async () => (await import('./channel-dialog.tsx')).ChannelDialog)

const POSTS_SHOWN = 3

/** A section for each connector that can post: its second sign-in, and which channels get digests and alerts. */
export function PostingSections({ isOwner }: { isOwner: boolean }) {
  const posting = usePosting()
  if (posting.isPending) return <SettingCardSkeleton label="Channels are loading" rows={1} />
  if (!posting.data) {
    return (
      <Section title="Channels">
        <SettingNotLoaded
          query={posting}
          loading="Channels are loading"
          failed="Channels could not be loaded"
          rows={1}
        />
      </Section>
    )
  }
  return posting.data.posters.map((poster) => (
    <Section
      key={poster.tile}
      title={`Post to ${poster.label}`}
      lead="Digests and alerts in a channel, and replies to people who asked."
    >
      <Poster poster={poster} isOwner={isOwner} />
    </Section>
  ))
}

function Poster({ poster, isOwner }: { poster: PosterView; isOwner: boolean }) {
  const client = useQueryClient()
  const [opened, setOpened] = useState<'allow' | 'channel' | null>(null)
  const close = () => setOpened(null)
  const end = useMutation({
    mutationFn: () => call(endPosting, { params: { tile: poster.tile } }),
    onSuccess: ({ message }) => toast({ title: message }),
    onError: (error) => toast({ title: 'Posting not stopped', description: error.message, tone: 'destructive' }),
    onSettled: () => reloadPosting(client),
  })
  const allow = (
    <Button data-owners onClick={() => setOpened('allow')}>
      {poster.error === null ? 'Allow posting…' : 'Sign in again…'}
    </Button>
  )
  return (
    <SettingCard>
      {poster.signed_in === null ? (
        <SettingRow title={poster.error === null ? 'Posting is off' : 'The sign-in has ended'} actions={allow}>
          {poster.error ?? `Posting needs a separate sign-in: the one that reads ${poster.label} cannot post.`}
          {isOwner ? null : ' An owner can allow it.'}
        </SettingRow>
      ) : (
        <SettingRow
          title={`Signed in to ${poster.signed_in}`}
          actions={
            <Button data-owners busy={end.isPending} onClick={() => end.mutate()}>
              Stop posting
            </Button>
          }
        >
          {poster.permits}
        </SettingRow>
      )}
      {poster.channels.map((channel) => (
        <ChannelRows key={channel.id} poster={poster} channel={channel} isOwner={isOwner} />
      ))}
      {poster.signed_in === null ? null : (
        <SettingRow
          title={poster.channels.length === 0 ? 'No channels yet' : 'Another channel'}
          actions={
            <Button data-owners onClick={() => setOpened('channel')}>
              Add a channel…
            </Button>
          }
        />
      )}
      {poster.posts.slice(0, POSTS_SHOWN).map((post) => {
        const { label, tone, help } = mailState(post, 'message')
        return (
          <SettingRow
            key={post.id}
            title={
              <span className="font-normal text-muted">
                {post.kind === 'alert' ? 'Alert' : 'Digest'} to {post.channel}, {formatMoment(post.at)}
              </span>
            }
            actions={<Badge tone={tone}>{label}</Badge>}
          >
            {help}
          </SettingRow>
        )
      })}
      {opened === 'allow' ? <AllowDialog poster={poster} onClose={close} /> : null}
      {opened === 'channel' ? <ChannelDialog poster={poster} onClose={close} /> : null}
    </SettingCard>
  )
}
