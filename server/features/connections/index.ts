export { siteAddress } from './addresses.ts'
export { cutOffWorkspace } from './cut-off.ts'
export { callProvider, freshContext, renewedAfter } from './fresh-context.ts'
export { connectionJobs } from './jobs.ts'
export { addFileSource, fileConnection, fileSources, liveConnections } from './live.ts'
export { deleteExpiredStates } from './oauth-state-store.ts'
export { allApps } from './provider-app.ts'
export { resealConnections } from './reseal.ts'
export { connectionRoutes } from './routes.ts'
export {
  type Connection,
  connectionById,
  connectionsOfAccount,
  countConnectionProblems,
  lockConnection,
  noteConnectionError,
  pauseConnection,
  removeConnection,
  removeConnections,
  signOut,
} from './store.ts'
export { findSubscribed } from './subscribed.ts'
export { lackOfChoices, requireLive, requirePart, tileConnector } from './tile.ts'
export { userDataOf } from './user-data.ts'
export { connectionsView, lockedConnection } from './views-store.ts'
