import type { Comment } from './schema.ts'

/** PLACEHOLDER until kit/html-text */
export function commentText(comment: Comment): string {
  return (comment.plain_body ?? comment.body ?? '').replaceAll('\0', '').toWellFormed().trim()
}
