export { type CommentHooks, commentRoutes } from './routes.ts'
export { countComments, readComment } from './store.ts'
