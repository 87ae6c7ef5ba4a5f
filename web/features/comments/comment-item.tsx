import type { Comment } from '@groundswell/contract/comments.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { toast } from '../../ui/toast-store.ts'
import { type Colleague, CommentField } from './comment-field.tsx'
import { piecesOf } from './comment-text.ts'
import { remove, rewrite } from './comments-query.ts'

const ACTION = 'h-6 rounded-small px-1 text-small text-accent hover:underline'

/** A comment. Its author changes it here; its author and owners delete it. */
export function CommentItem({ comment, people }: { comment: Comment; people: readonly Colleague[] }) {
  const client = useQueryClient()
  const place = useRef<HTMLLIElement>(null)
  const [editing, setEditing] = useState(false)
  const [asked, setAsked] = useState(false)
  const deletion = useMutation({
    mutationFn: () => remove(client, comment),
    onError: (error) => toast({ title: 'Not deleted', description: error.message, tone: 'destructive' }),
    onSettled: () => setAsked(false),
  })
  const { author, text, mentions, written_at: written, edited_at: edited } = comment
  const endEditing = () => {
    setEditing(false)
    place.current?.focus()
  }
  return (
    <li ref={place} tabIndex={-1} className="border-b border-line py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-2 text-small text-muted">
        <span dir="auto" className="min-w-0 font-medium break-words text-text">
          {author?.name ?? 'A former member'}
        </span>
        <time dateTime={written}>{formatMoment(written)}</time>
        {edited ? <span title={formatMoment(edited)}>edited</span> : null}
        <span className="ml-auto inline-flex gap-1">
          {comment.is_mine && !editing ? (
            <button type="button" className={ACTION} onClick={() => setEditing(true)}>
              Edit<span className="sr-only"> your comment</span>
            </button>
          ) : null}
          {comment.may_delete && !editing ? (
            <button type="button" className={ACTION} onClick={() => setAsked(true)}>
              Delete<span className="sr-only"> the comment of {author?.name ?? 'a former member'}</span>
            </button>
          ) : null}
        </span>
      </div>
      {editing ? (
        <CommentField
          label="Edit your comment"
          action="Save"
          people={people}
          text={text}
          chosen={mentions}
          onSend={async (words) => {
            await rewrite(client, comment, words)
            endEditing()
          }}
          onCancel={endEditing}
        />
      ) : (
        <p dir="auto" className="break-words whitespace-pre-line">
          {piecesOf(text, mentions).map((piece, at) =>
            piece.kind === 'link' ? (
              <OutsideLink
                key={at}
                address={piece.text}
                className="break-all text-accent underline"
                otherwise={piece.text}
              >
                {piece.text}
              </OutsideLink>
            ) : piece.kind === 'mention' ? (
              <span key={at} className="font-medium text-accent-strong">
                {piece.text}
              </span>
            ) : (
              piece.text
            ),
          )}
        </p>
      )}
      <Confirm
        open={asked}
        onOpenChange={setAsked}
        title="Delete the comment?"
        question="This cannot be undone."
        action="Delete"
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
      />
    </li>
  )
}
