export { viewRoutes } from './routes.ts'
export { findView } from './store.ts'
