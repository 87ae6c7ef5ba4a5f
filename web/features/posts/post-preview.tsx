import type { DigestPreviewed } from '@groundswell/contract/digests.ts'
import { previewPost } from '@groundswell/contract/posts.ts'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { call } from '../client/index.ts'

type What = { tile: string; post: DigestPreviewed }

/** A message to a channel as it would be posted now. */
export function PostPreview({ onClose, ...what }: What & { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Preview">
      <PostText {...what} />
    </Dialog>
  )
}

/** Its text, as plain text: names of insights are links in the message. */
export function PostText({ tile, post }: What) {
  const preview = useQuery({
    queryKey: ['post-preview', tile, post],
    queryFn: () => call(previewPost, { params: { tile }, query: { post } }),
    gcTime: 0,
    retry: false,
  })
  if (preview.isPending)
    return <div className="skeleton h-40" role="status" aria-label="The message is being written" />
  if (!preview.data) return <p role="alert">The message could not be written. {preview.error.message}</p>
  if (preview.data.nothing) {
    return (
      <p className="text-muted">
        {post === 'alerts'
          ? 'Nothing in the last seven days would have caused an alert.'
          : 'Nothing would be posted now: there is nothing to report.'}
      </p>
    )
  }
  return (
    <pre dir="auto" className="rounded border border-line p-4 font-sans break-words whitespace-pre-wrap">
      {preview.data.text}
    </pre>
  )
}
