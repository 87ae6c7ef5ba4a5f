import { useComments } from './comments-query.ts'

/** How many comments an insight has; nothing where it has none. */
export function CommentCount({ issueNumber }: { issueNumber: number }) {
  const total = useComments(issueNumber).data?.pages[0]?.total ?? 0
  if (total === 0) return null
  return (
    <span className="ml-1.5 font-normal text-muted tabular-nums">
      {total}
      <span className="sr-only">{total === 1 ? ' comment' : ' comments'}</span>
    </span>
  )
}
