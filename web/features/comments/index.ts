export { CommentCount } from './comment-count.tsx'
export { CommentsSection } from './comments-section.tsx'
