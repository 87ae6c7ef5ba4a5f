import * as z from 'zod/mini'
import { InsightNumber } from './insights.ts'
import { route } from './route.ts'

/** The most characters of a comment. */
export const MAX_COMMENT = 5_000

/** The most people that a comment mentions. */
export const MAX_MENTIONED = 50

/** The most comments on an insight. */
export const MAX_COMMENTS = 1_000

const Person = z.object({ account_id: z.string(), name: z.string() })

/**
 * A comment by a person of the team: plain text. `author`: null: a person who is no longer in the workspace. `mentions`: the people that it
 * mentions, as `@name`, as far as they are in the workspace. `is_mine`: the caller may change it; `may_delete`: its author and owners may.
 */
export const Comment = z.object({
  comment_id: z.string(),
  author: z.nullable(Person),
  is_mine: z.boolean(),
  may_delete: z.boolean(),
  text: z.string(),
  mentions: z.array(Person),
  written_at: z.string(),
  edited_at: z.nullable(z.string()),
})
export type Comment = z.infer<typeof Comment>

const Words = z.object({
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(MAX_COMMENT, `must have at most ${MAX_COMMENT} characters`),
    ),
  mentions: z._default(z.array(z.uuid()).check(z.maxLength(MAX_MENTIONED)), []),
})

const CommentId = z.object({ comment_id: z.uuid() })

/** The newest 50 that were written before the comment `before`, the oldest first, with those on insights that were merged into this one. `total`: of all. */
export const listComments = route({
  name: 'listComments',
  summary: 'The team’s comments on an insight',
  method: 'GET',
  path: '/api/insights/{issue_number}/comments',
  access: 'viewer',
  params: InsightNumber,
  query: z.object({ before: z.optional(z.uuid()) }),
  reply: z.object({ comments: z.array(Comment), total: z.int(), has_earlier: z.boolean() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/** `mentions`: the accounts of the people that it mentions, who get an e-mail, unless they turned that off. */
export const addComment = route({
  name: 'addComment',
  summary: 'Write a comment on an insight, which only people in the workspace see',
  method: 'POST',
  path: '/api/insights/{issue_number}/comments',
  access: 'viewer',
  audit: { action: 'comment.written', target: 'issue_number' },
  params: InsightNumber,
  body: Words,
  reply: Comment,
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ issue }) => ({ params: { issue_number: issue }, body: { text: 'said' } }),
})

/** Only people who were not mentioned before get an e-mail. */
export const editComment = route({
  name: 'editComment',
  summary: 'Edit your own comment',
  method: 'PATCH',
  path: '/api/comments/{comment_id}',
  access: 'viewer',
  audit: { action: 'comment.changed', target: 'comment_id' },
  params: CommentId,
  body: Words,
  reply: Comment,
  errors: ['invalid_input', 'forbidden', 'not_found'],
  example: ({ comment }) => ({ params: { comment_id: comment }, body: { text: 'said again' } }),
})

/** `forbidden`: it is another person’s comment, and the caller is not an owner. */
export const deleteComment = route({
  name: 'deleteComment',
  summary: 'Delete a comment: one’s own, or as an owner any',
  method: 'DELETE',
  path: '/api/comments/{comment_id}',
  access: 'viewer',
  audit: { action: 'comment.deleted', target: 'comment_id' },
  params: CommentId,
  reply: z.object({ comment_id: z.string() }),
  errors: ['invalid_input', 'forbidden', 'not_found'],
  example: ({ comment }) => ({ params: { comment_id: comment } }),
})
