export { sharedPages } from './mount.ts'
export { sharedLinkRoutes } from './routes.ts'
