export { type CommentHooks, commentRoutes } from './routes.ts'
export { readComment } from './store.ts'
