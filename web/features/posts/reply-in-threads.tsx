import { listReplies } from '@groundswell/contract/posts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Reply } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { call } from '../client/index.ts'
import { isOpen, REPLIES } from './reply-words.ts'

const ReplyDialog = lazyDialog(async () => (await import('./reply-dialog.tsx')).ReplyDialog)

const POLL_MS = 1_000

type ReplyInThreadsProps = {
  issueNumber: number
  /** Changes with the insight. */
  version: string
  /** Replies were posted, and people in them marked as told. */
  onTold: () => void
}

/** Opens the replies to people who asked in conversations of connectors that can post; shows nothing if there are none. */
export function ReplyInThreads({ issueNumber, version, onTold }: ReplyInThreadsProps) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const before = useRef<number>(undefined)
  const replies = useQuery({
    queryKey: [REPLIES, issueNumber, version],
    queryFn: () => call(listReplies, { params: { issue_number: issueNumber } }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.conversations.some(isOpen) ? POLL_MS : false),
    retry: false,
  })
  const sent = replies.data?.conversations.filter(({ reply }) => reply?.state === 'sent').length
  useEffect(() => {
    if (before.current !== undefined && before.current !== sent) onTold()
    before.current = sent
  }, [sent, onTold])
  const { data } = replies
  if (!data || data.conversations.length === 0) return null
  const missing = data.posters.filter((one) => !one.signed_in)
  if (missing.length === data.posters.length) {
    return (
      <Link to="/settings/notifications" className="rounded-small text-small text-accent hover:underline">
        Allow replies in {missing.map(({ label }) => label).join(', ')}
      </Link>
    )
  }
  return (
    <>
      <Button data-edits onClick={() => setOpen(true)}>
        <Reply size={14} aria-hidden /> Reply in thread…
      </Button>
      {open ? (
        <ReplyDialog
          issueNumber={issueNumber}
          replies={data}
          onClose={() => setOpen(false)}
          onSent={() => void client.invalidateQueries({ queryKey: [REPLIES, issueNumber] })}
        />
      ) : null}
    </>
  )
}
