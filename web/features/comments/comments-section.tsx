import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { nameOf, useTeam } from '../team/index.ts'
import { CommentField } from './comment-field.tsx'
import { CommentItem } from './comment-item.tsx'
import { useComments, write } from './comments-query.ts'

/** The team's comments on an insight, newest last, and the field to write one. */
export function CommentsSection({ issueNumber }: { issueNumber: number }) {
  const client = useQueryClient()
  const comments = useComments(issueNumber)
  const team = useTeam().data?.members ?? []
  const people = team.map((one) => ({ account_id: one.account_id, name: nameOf(one), isMe: one.is_me }))
  const pages = comments.data?.pages ?? []
  const total = pages[0]?.total ?? 0
  const shown = pages.toReversed().flatMap((page) => page.comments)
  return (
    <section>
      <h3 className="font-semibold">
        Comments <span className="font-normal text-muted tabular-nums">{total || ''}</span>
      </h3>
      <p className="text-small text-muted">Only your team sees comments.</p>
      {comments.isError ? (
        <p role="alert" className="py-2 text-small text-bad">
          The comments could not be loaded. {comments.error.message}{' '}
          <button type="button" className="text-accent hover:underline" onClick={() => void comments.refetch()}>
            Try again
          </button>
        </p>
      ) : null}
      {comments.hasNextPage ? (
        <Button
          className="mt-2 w-full"
          busy={comments.isFetchingNextPage}
          onClick={() => void comments.fetchNextPage()}
        >
          Show earlier comments
        </Button>
      ) : null}
      {shown.length > 0 ? (
        <ol className="mt-1 flex flex-col">
          {shown.map((comment) => (
            <CommentItem key={comment.comment_id} comment={comment} people={people} />
          ))}
        </ol>
      ) : null}
      <div className="mt-2">
        <CommentField
          label="Write a comment"
          action="Comment"
          people={people}
          draftOf={issueNumber}
          onSend={(words) => write(client, issueNumber, words)}
        />
      </div>
    </section>
  )
}
