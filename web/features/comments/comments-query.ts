import { addComment, type Comment, deleteComment, editComment, listComments } from '@groundswell/contract/comments.ts'
import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'

const COMMENTS = 'comments'

/** The comments on an insight, by pages, the newest page first; in a page the oldest comment is first. */
export function useComments(issueNumber: number) {
  return useInfiniteQuery({
    queryKey: [COMMENTS, issueNumber],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call(listComments, {
        params: { issue_number: issueNumber },
        query: pageParam === undefined ? {} : { before: pageParam },
      }),
    getNextPageParam: ({ comments, has_earlier }) => (has_earlier ? comments[0]?.comment_id : undefined),
  })
}

type Words = { text: string; mentions: string[] }

/** Writes a comment. Throws CallError. */
export async function write(client: QueryClient, issueNumber: number, body: Words): Promise<void> {
  await call(addComment, { params: { issue_number: issueNumber }, body })
  await client.invalidateQueries({ queryKey: [COMMENTS] })
}

/** Changes a comment. Throws CallError. */
export async function rewrite(client: QueryClient, { comment_id }: Comment, body: Words): Promise<void> {
  await call(editComment, { params: { comment_id }, body })
  await client.invalidateQueries({ queryKey: [COMMENTS] })
}

/** Deletes a comment. Throws CallError. */
export async function remove(client: QueryClient, { comment_id }: Comment): Promise<void> {
  await call(deleteComment, { params: { comment_id } })
  await client.invalidateQueries({ queryKey: [COMMENTS] })
}
