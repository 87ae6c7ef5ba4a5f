export { viewRoutes } from './routes.ts'
export { findView, type ViewRow } from './store.ts'
